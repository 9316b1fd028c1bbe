/** Fields of a pod's containers, in Go's order. ../schema.ts says how to read an entry. */

export const containerTypes = {
  Container: `
    name! image command:[]string args:[]string workingDir ports:[containerPort]ContainerPort
    envFrom:[]EnvFromSource env:[name]EnvVar resources!:ResourceRequirements
    resizePolicy:[]ContainerResizePolicy restartPolicy? volumeMounts:[mountPath]VolumeMount
    volumeDevices:[devicePath]VolumeDevice livenessProbe?:Probe readinessProbe?:Probe
    startupProbe?:Probe lifecycle?:Lifecycle terminationMessagePath terminationMessagePolicy
    imagePullPolicy securityContext?:SecurityContext stdin:bool stdinOnce:bool tty:bool`,
  EphemeralContainer: `
    name! image command:[]string args:[]string workingDir ports:[containerPort]ContainerPort
    envFrom:[]EnvFromSource env:[name]EnvVar resources!:ResourceRequirements
    resizePolicy:[]ContainerResizePolicy restartPolicy? volumeMounts:[mountPath]VolumeMount
    volumeDevices:[devicePath]VolumeDevice livenessProbe?:Probe readinessProbe?:Probe
    startupProbe?:Probe lifecycle?:Lifecycle terminationMessagePath terminationMessagePolicy
    imagePullPolicy securityContext?:SecurityContext stdin:bool stdinOnce:bool tty:bool
    targetContainerName`,
  ContainerPort: 'name hostPort:int containerPort!:int protocol hostIP',
  EnvFromSource: 'prefix configMapRef?:ConfigMapEnvSource secretRef?:SecretEnvSource',
  ConfigMapEnvSource: 'name optional?:bool',
  SecretEnvSource: 'name optional?:bool',
  EnvVar: 'name! value valueFrom?:EnvVarSource',
  EnvVarSource: `
    fieldRef?:ObjectFieldSelector resourceFieldRef?:ResourceFieldSelector
    configMapKeyRef?:ConfigMapKeySelector secretKeyRef?:SecretKeySelector`,
  ConfigMapKeySelector: 'name key! optional?:bool',
  SecretKeySelector: 'name key! optional?:bool',
  ObjectFieldSelector: 'apiVersion fieldPath!',
  ResourceFieldSelector: 'containerName resource! divisor!:quantity',
  ResourceRequirements: 'limits:{}quantity requests:{}quantity claims:[]ResourceClaim',
  ResourceClaim: 'name!',
  ContainerResizePolicy: 'resourceName! restartPolicy!',
  VolumeMount: 'name! readOnly:bool mountPath! subPath mountPropagation? subPathExpr',
  VolumeDevice: 'name! devicePath!',
  Probe: `
    exec?:ExecAction httpGet?:HTTPGetAction tcpSocket?:TCPSocketAction grpc?:GRPCAction
    initialDelaySeconds:int timeoutSeconds:int periodSeconds:int successThreshold:int
    failureThreshold:int terminationGracePeriodSeconds?:int`,
  ExecAction: 'command:[]string',
  HTTPGetAction: 'path port!:intOrString host scheme httpHeaders:[]HTTPHeader',
  HTTPHeader: 'name! value!',
  TCPSocketAction: 'port!:intOrString host',
  GRPCAction: 'port!:int service!?',
  Lifecycle: 'postStart?:LifecycleHandler preStop?:LifecycleHandler',
  LifecycleHandler: 'exec?:ExecAction httpGet?:HTTPGetAction tcpSocket?:TCPSocketAction sleep?:SleepAction',
  SleepAction: 'seconds!:int',
  SecurityContext: `
    capabilities?:Capabilities privileged?:bool seLinuxOptions?:SELinuxOptions
    windowsOptions?:WindowsSecurityContextOptions runAsUser?:int runAsGroup?:int runAsNonRoot?:bool
    readOnlyRootFilesystem?:bool allowPrivilegeEscalation?:bool procMount?
    seccompProfile?:SeccompProfile`,
  Capabilities: 'add:[]string drop:[]string',
  SELinuxOptions: 'user role type level',
  WindowsSecurityContextOptions: `
    gmsaCredentialSpecName? gmsaCredentialSpec? runAsUserName? hostProcess?:bool`,
  SeccompProfile: 'type! localhostProfile?',
} as const;
