/** Fields of pods and their specs, in Go's order. ../schema.ts says how to read an entry. */

export const podTypes = {
  Pod: 'kind apiVersion metadata!:ObjectMeta spec!:PodSpec status!:PodStatus',
  PodSpec: `
    volumes:[name+retainKeys]Volume initContainers:[name]Container containers!:[name]Container
    ephemeralContainers:[name]EphemeralContainer restartPolicy terminationGracePeriodSeconds?:int
    activeDeadlineSeconds?:int dnsPolicy nodeSelector:{}string serviceAccountName serviceAccount
    automountServiceAccountToken?:bool nodeName hostNetwork:bool hostPID:bool hostIPC:bool
    shareProcessNamespace?:bool securityContext?:PodSecurityContext
    imagePullSecrets:[name]LocalObjectReference hostname subdomain affinity?:Affinity schedulerName
    tolerations:[]Toleration hostAliases:[ip]HostAlias priorityClassName priority?:int
    dnsConfig?:PodDNSConfig readinessGates:[]PodReadinessGate runtimeClassName? enableServiceLinks?:bool
    preemptionPolicy? overhead:{}quantity
    topologySpreadConstraints:[topologyKey]TopologySpreadConstraint setHostnameAsFQDN?:bool os?:PodOS
    hostUsers?:bool schedulingGates:[name]PodSchedulingGate
    resourceClaims:[name+retainKeys]PodResourceClaim`,
  PodSecurityContext: `
    seLinuxOptions?:SELinuxOptions windowsOptions?:WindowsSecurityContextOptions runAsUser?:int
    runAsGroup?:int runAsNonRoot?:bool supplementalGroups:[]int fsGroup?:int sysctls:[]Sysctl
    fsGroupChangePolicy? seccompProfile?:SeccompProfile`,
  Sysctl: 'name! value!',
  Affinity: 'nodeAffinity?:NodeAffinity podAffinity?:PodAffinity podAntiAffinity?:PodAntiAffinity',
  NodeAffinity: `
    requiredDuringSchedulingIgnoredDuringExecution?:NodeSelector
    preferredDuringSchedulingIgnoredDuringExecution:[]PreferredSchedulingTerm`,
  NodeSelector: 'nodeSelectorTerms!:[]NodeSelectorTerm',
  NodeSelectorTerm: 'matchExpressions:[]NodeSelectorRequirement matchFields:[]NodeSelectorRequirement',
  NodeSelectorRequirement: 'key! operator! values:[]string',
  PreferredSchedulingTerm: 'weight!:int preference!:NodeSelectorTerm',
  PodAffinity: `
    requiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm
    preferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm`,
  PodAffinityTerm: `
    labelSelector?:LabelSelector namespaces:[]string topologyKey! namespaceSelector?:LabelSelector
    matchLabelKeys:[]string mismatchLabelKeys:[]string`,
  WeightedPodAffinityTerm: 'weight!:int podAffinityTerm!:PodAffinityTerm',
  PodAntiAffinity: `
    requiredDuringSchedulingIgnoredDuringExecution:[]PodAffinityTerm
    preferredDuringSchedulingIgnoredDuringExecution:[]WeightedPodAffinityTerm`,
  Toleration: 'key operator value effect tolerationSeconds?:int',
  HostAlias: 'ip hostnames:[]string',
  PodDNSConfig: 'nameservers:[]string searches:[]string options:[]PodDNSConfigOption',
  PodDNSConfigOption: 'name value?',
  PodReadinessGate: 'conditionType!',
  TopologySpreadConstraint: `
    maxSkew!:int topologyKey! whenUnsatisfiable! labelSelector?:LabelSelector minDomains?:int
    nodeAffinityPolicy? nodeTaintsPolicy? matchLabelKeys:[]string`,
  PodOS: 'name!',
  PodSchedulingGate: 'name!',
  PodResourceClaim: 'name! source!:ClaimSource',
  ClaimSource: 'resourceClaimName? resourceClaimTemplateName?',
} as const;
