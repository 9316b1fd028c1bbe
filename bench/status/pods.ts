/** The pods and statuses the real code's benchmark uses: two containers, five conditions. */
import type { Pod, PodStatus } from '../../src/kube/types.js';

const TIME = '2024-01-01T00:00:00Z';
const CONDITIONS = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'];

export function benchStatus(i: number, ready: boolean): PodStatus {
  const ip = `10.244.0.${i % 250}`;
  const status = ready ? 'True' : 'False';
  return {
    phase: 'Running',
    hostIP: '10.0.0.1',
    podIP: ip,
    podIPs: [{ ip }],
    qosClass: 'Burstable',
    startTime: TIME,
    conditions: CONDITIONS.map((type) => ({ type, status, lastProbeTime: null, lastTransitionTime: TIME })),
    containerStatuses: [0, 1].map((c) => ({
      name: `c${c}`,
      containerID: `containerd://${'0123456789abcdef'.repeat(4)}${i}`,
      image: 'docker.io/library/nginx:1.25',
      imageID: `docker.io/library/nginx@sha256:${'a'.repeat(64)}`,
      ready,
      restartCount: 0,
      started: true,
      state: { running: { startedAt: TIME } },
      lastState: {},
    })),
  };
}

export function benchPod(i: number): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `pod-${i}`,
      namespace: 'default',
      uid: `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
    },
    spec: {
      restartPolicy: 'Always',
      nodeName: 'n1',
      containers: [
        { name: 'c0', image: 'nginx' },
        { name: 'c1', image: 'nginx' },
      ],
    },
  };
}
