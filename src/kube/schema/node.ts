/** Fields of nodes, in Go's order. ../schema.ts says how to read an entry. */

export const nodeTypes = {
  Node: 'kind apiVersion metadata!:ObjectMeta spec!:NodeSpec status!:NodeStatus',
  NodeSpec: `
    podCIDR podCIDRs:[set]string providerID unschedulable:bool taints:[]Taint
    configSource?:NodeConfigSource externalID`,
  Taint: 'key! value effect! timeAdded?:time',
  NodeConfigSource: 'configMap?:ConfigMapNodeConfigSource',
  ConfigMapNodeConfigSource: 'namespace! name! uid resourceVersion kubeletConfigKey!',
  NodeStatus: `
    capacity:{}quantity allocatable:{}quantity phase conditions:[type]NodeCondition
    addresses:[type]NodeAddress daemonEndpoints!:NodeDaemonEndpoints nodeInfo!:NodeSystemInfo
    images:[]ContainerImage volumesInUse:[]string volumesAttached:[]AttachedVolume
    config?:NodeConfigStatus`,
  NodeCondition: 'type! status! lastHeartbeatTime!:time lastTransitionTime!:time reason message',
  NodeAddress: 'type! address!',
  NodeDaemonEndpoints: 'kubeletEndpoint!:DaemonEndpoint',
  DaemonEndpoint: 'Port!:int',
  NodeSystemInfo: `
    machineID! systemUUID! bootID! kernelVersion! osImage! containerRuntimeVersion! kubeletVersion!
    kubeProxyVersion! operatingSystem! architecture!`,
  ContainerImage: 'names!:[]string sizeBytes:int',
  AttachedVolume: 'name! devicePath!',
  NodeConfigStatus: `
    assigned?:NodeConfigSource active?:NodeConfigSource lastKnownGood?:NodeConfigSource error`,
} as const;
