/** Fields of namespaces, events and leases, in Go's order. ../schema.ts says how to read an entry. */

export const clusterTypes = {
  Namespace: 'kind apiVersion metadata!:ObjectMeta spec!:NamespaceSpec status!:NamespaceStatus',
  NamespaceSpec: 'finalizers:[]string',
  NamespaceStatus: 'phase conditions:[type]NamespaceCondition',
  NamespaceCondition: 'type! status! lastTransitionTime!:time reason message',
  Event: `
    kind apiVersion metadata!:ObjectMeta involvedObject!:ObjectReference reason message
    source!:EventSource firstTimestamp!:time lastTimestamp!:time count:int type eventTime!:microTime
    series?:EventSeries action related?:ObjectReference reportingComponent! reportingInstance!`,
  EventSource: 'component host',
  EventSeries: 'count:int lastObservedTime!:microTime',
  Lease: 'kind apiVersion metadata!:ObjectMeta spec!:LeaseSpec',
  LeaseSpec: `
    holderIdentity? leaseDurationSeconds?:int acquireTime?:microTime renewTime?:microTime
    leaseTransitions?:int`,
} as const;
