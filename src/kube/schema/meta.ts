/** Fields of metadata and the small types many others hold, in Go's order. ../schema.ts says how to read an entry. */

export const metaTypes = {
  ObjectMeta: `
    name generateName namespace selfLink uid resourceVersion generation:int creationTimestamp!:time
    deletionTimestamp?:time deletionGracePeriodSeconds?:int labels:{}string annotations:{}string
    ownerReferences:[uid]OwnerReference finalizers:[set]string managedFields:[]ManagedFieldsEntry`,
  OwnerReference: 'apiVersion! kind! name! uid! controller?:bool blockOwnerDeletion?:bool',
  ManagedFieldsEntry: 'manager operation apiVersion time?:time fieldsType fieldsV1?:any subresource',
  LabelSelector: 'matchLabels:{}string matchExpressions:[]LabelSelectorRequirement',
  LabelSelectorRequirement: 'key! operator! values:[]string',
  LocalObjectReference: 'name',
  ObjectReference: 'kind namespace name uid apiVersion resourceVersion fieldPath',
  TypedLocalObjectReference: 'apiGroup!? kind! name!',
  TypedObjectReference: 'apiGroup!? kind! name! namespace?',
} as const;
