/** Fields of a pod's status, in Go's order. ../schema.ts says how to read an entry. */

export const podStatusTypes = {
  PodStatus: `
    phase conditions:[type]PodCondition message reason nominatedNodeName hostIP hostIPs:[ip]HostIP podIP
    podIPs:[ip]PodIP startTime?:time initContainerStatuses:[]ContainerStatus
    containerStatuses:[]ContainerStatus qosClass ephemeralContainerStatuses:[]ContainerStatus resize
    resourceClaimStatuses:[name+retainKeys]PodResourceClaimStatus`,
  PodCondition: 'type! status! lastProbeTime!:time lastTransitionTime!:time reason message',
  HostIP: 'ip',
  PodIP: 'ip',
  ContainerStatus: `
    name! state!:ContainerState lastState!:ContainerState ready!:bool restartCount!:int image! imageID!
    containerID started?:bool allocatedResources:{}quantity resources?:ResourceRequirements`,
  ContainerState: `
    waiting?:ContainerStateWaiting running?:ContainerStateRunning terminated?:ContainerStateTerminated`,
  ContainerStateWaiting: 'reason message',
  ContainerStateRunning: 'startedAt!:time',
  ContainerStateTerminated: `
    exitCode!:int signal:int reason message startedAt!:time finishedAt!:time containerID`,
  PodResourceClaimStatus: 'name! resourceClaimName?',
} as const;
