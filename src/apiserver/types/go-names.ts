/** Names of Go's types, for the texts of decoding errors. The schema says what is a string or a number, not which one. */
import type { FieldSchema, StructSchema } from '../../kube/schema.js';

/** Strings with a type of their own, and the numbers of 32 bits. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ['ObjectMeta.uid', 'types.UID'],
  ['OwnerReference.uid', 'types.UID'],
  ['PodSpec.restartPolicy', 'v1.RestartPolicy'],
  ['PodSpec.dnsPolicy', 'v1.DNSPolicy'],
  ['PodSpec.preemptionPolicy', 'v1.PreemptionPolicy'],
  ['PodSpec.priority', 'int32'],
  ['Container.restartPolicy', 'v1.ContainerRestartPolicy'],
  ['Container.terminationMessagePolicy', 'v1.TerminationMessagePolicy'],
  ['Container.imagePullPolicy', 'v1.PullPolicy'],
  ['ContainerPort.hostPort', 'int32'],
  ['ContainerPort.containerPort', 'int32'],
  ['ContainerPort.protocol', 'v1.Protocol'],
  ['Toleration.operator', 'v1.TolerationOperator'],
  ['Toleration.effect', 'v1.TaintEffect'],
  ['PodStatus.phase', 'v1.PodPhase'],
  ['PodStatus.qosClass', 'v1.PodQOSClass'],
  ['PodStatus.resize', 'v1.PodResizeStatus'],
  ['PodCondition.type', 'v1.PodConditionType'],
  ['PodCondition.status', 'v1.ConditionStatus'],
  ['ContainerStatus.restartCount', 'int32'],
  ['ContainerStateTerminated.exitCode', 'int32'],
  ['ContainerStateTerminated.signal', 'int32'],
  ['NamespaceStatus.phase', 'v1.NamespacePhase'],
]);

const SCALARS: Readonly<Record<string, string>> = {
  string: 'string',
  bool: 'bool',
  int: 'int64',
  time: 'v1.Time',
  microTime: 'v1.MicroTime',
  quantity: 'resource.Quantity',
  intOrString: 'intstr.IntOrString',
};

export function goTypeName(owner: StructSchema, field: FieldSchema): string {
  if (field.kind === 'list') return `[]${elementName(field)}`;
  if (field.kind === 'map') return `map[string]${elementName(field)}`;
  return NAMES.get(`${owner.name}.${field.name}`) ?? singleName(field.kind, field.struct);
}

const elementName = ({ element, struct }: FieldSchema): string => singleName(element ?? 'any', struct);

const singleName = (kind: string, struct: StructSchema | undefined): string =>
  struct === undefined ? (SCALARS[kind] ?? 'interface {}') : `v1.${struct.name}`;
