/** The structs of a pod. Of the spec, what the server defaults, validates or selects by; the rest is opaque. */
import {
  bool,
  int32,
  int64,
  keep,
  list,
  map,
  named,
  omit,
  opaque,
  pointer,
  quantity,
  string,
  struct,
  time,
} from './go-type.js';
import { objectMeta } from './meta.js';

const resourceList = map(quantity);

const resourceRequirements = struct(
  'v1.ResourceRequirements',
  omit('limits', resourceList),
  omit('requests', resourceList),
  omit('claims', list(struct('v1.ResourceClaim', keep('name', string)))),
);

const containerPort = struct(
  'v1.ContainerPort',
  omit('name', string),
  omit('hostPort', int32),
  keep('containerPort', int32),
  omit('protocol', named('v1.Protocol')),
  omit('hostIP', string),
);

const containerFields = [
  keep('name', string),
  omit('image', string),
  omit('command', list(string)),
  omit('args', list(string)),
  omit('workingDir', string),
  omit('ports', list(containerPort)),
  omit('envFrom', list(opaque('v1.EnvFromSource'))),
  omit('env', list(opaque('v1.EnvVar'))),
  keep('resources', resourceRequirements),
  omit('resizePolicy', list(opaque('v1.ContainerResizePolicy'))),
  pointer('restartPolicy', named('v1.ContainerRestartPolicy')),
  omit('volumeMounts', list(opaque('v1.VolumeMount'))),
  omit('volumeDevices', list(opaque('v1.VolumeDevice'))),
  pointer('livenessProbe', opaque('v1.Probe')),
  pointer('readinessProbe', opaque('v1.Probe')),
  pointer('startupProbe', opaque('v1.Probe')),
  pointer('lifecycle', opaque('v1.Lifecycle')),
  omit('terminationMessagePath', string),
  omit('terminationMessagePolicy', named('v1.TerminationMessagePolicy')),
  omit('imagePullPolicy', named('v1.PullPolicy')),
  pointer('securityContext', opaque('v1.SecurityContext')),
  omit('stdin', bool),
  omit('stdinOnce', bool),
  omit('tty', bool),
];
const container = struct('v1.Container', ...containerFields);
const ephemeralContainer = struct(
  'v1.EphemeralContainer',
  ...containerFields,
  omit('targetContainerName', string),
);

const toleration = struct(
  'v1.Toleration',
  omit('key', string),
  omit('operator', named('v1.TolerationOperator')),
  omit('value', string),
  omit('effect', named('v1.TaintEffect')),
  pointer('tolerationSeconds', int64),
);

const podSpec = struct(
  'v1.PodSpec',
  omit('volumes', list(opaque('v1.Volume'))),
  omit('initContainers', list(container)),
  keep('containers', list(container)),
  omit('ephemeralContainers', list(ephemeralContainer)),
  omit('restartPolicy', named('v1.RestartPolicy')),
  pointer('terminationGracePeriodSeconds', int64),
  pointer('activeDeadlineSeconds', int64),
  omit('dnsPolicy', named('v1.DNSPolicy')),
  omit('nodeSelector', map(string)),
  omit('serviceAccountName', string),
  omit('serviceAccount', string),
  pointer('automountServiceAccountToken', bool),
  omit('nodeName', string),
  omit('hostNetwork', bool),
  omit('hostPID', bool),
  omit('hostIPC', bool),
  pointer('shareProcessNamespace', bool),
  pointer('securityContext', opaque('v1.PodSecurityContext')),
  omit('imagePullSecrets', list(opaque('v1.LocalObjectReference'))),
  omit('hostname', string),
  omit('subdomain', string),
  pointer('affinity', opaque('v1.Affinity')),
  omit('schedulerName', string),
  omit('tolerations', list(toleration)),
  omit('hostAliases', list(opaque('v1.HostAlias'))),
  omit('priorityClassName', string),
  pointer('priority', int32),
  pointer('dnsConfig', opaque('v1.PodDNSConfig')),
  omit('readinessGates', list(struct('v1.PodReadinessGate', keep('conditionType', string)))),
  pointer('runtimeClassName', string),
  pointer('enableServiceLinks', bool),
  pointer('preemptionPolicy', named('v1.PreemptionPolicy')),
  omit('overhead', resourceList),
  omit('topologySpreadConstraints', list(opaque('v1.TopologySpreadConstraint'))),
  pointer('setHostnameAsFQDN', bool),
  pointer('os', opaque('v1.PodOS')),
  pointer('hostUsers', bool),
  omit('schedulingGates', list(opaque('v1.PodSchedulingGate'))),
  omit('resourceClaims', list(opaque('v1.PodResourceClaim'))),
);

const podCondition = struct(
  'v1.PodCondition',
  keep('type', named('v1.PodConditionType')),
  keep('status', named('v1.ConditionStatus')),
  keep('lastProbeTime', time),
  keep('lastTransitionTime', time),
  omit('reason', string),
  omit('message', string),
);

const containerState = struct(
  'v1.ContainerState',
  pointer(
    'waiting',
    struct('v1.ContainerStateWaiting', omit('reason', string), omit('message', string)),
  ),
  pointer('running', struct('v1.ContainerStateRunning', keep('startedAt', time))),
  pointer(
    'terminated',
    struct(
      'v1.ContainerStateTerminated',
      keep('exitCode', int32),
      omit('signal', int32),
      omit('reason', string),
      omit('message', string),
      keep('startedAt', time),
      keep('finishedAt', time),
      omit('containerID', string),
    ),
  ),
);

const containerStatus = struct(
  'v1.ContainerStatus',
  keep('name', string),
  keep('state', containerState),
  keep('lastState', containerState),
  keep('ready', bool),
  keep('restartCount', int32),
  keep('image', string),
  keep('imageID', string),
  omit('containerID', string),
  pointer('started', bool),
  omit('allocatedResources', resourceList),
  pointer('resources', resourceRequirements),
);

const podStatus = struct(
  'v1.PodStatus',
  omit('phase', named('v1.PodPhase')),
  omit('conditions', list(podCondition)),
  omit('message', string),
  omit('reason', string),
  omit('nominatedNodeName', string),
  omit('hostIP', string),
  omit('hostIPs', list(struct('v1.HostIP', omit('ip', string)))),
  omit('podIP', string),
  omit('podIPs', list(struct('v1.PodIP', omit('ip', string)))),
  pointer('startTime', time),
  omit('initContainerStatuses', list(containerStatus)),
  omit('containerStatuses', list(containerStatus)),
  omit('qosClass', named('v1.PodQOSClass')),
  omit('ephemeralContainerStatuses', list(containerStatus)),
  omit('resize', named('v1.PodResizeStatus')),
  omit(
    'resourceClaimStatuses',
    list(
      struct('v1.PodResourceClaimStatus', keep('name', string), pointer('resourceClaimName', string)),
    ),
  ),
);

export const podType = struct(
  'v1.Pod',
  omit('kind', string),
  omit('apiVersion', string),
  keep('metadata', objectMeta),
  keep('spec', podSpec),
  keep('status', podStatus),
);
