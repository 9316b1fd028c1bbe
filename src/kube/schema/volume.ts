/** Fields of a pod's volumes, in Go's order. ../schema.ts says how to read an entry. */

export const volumeTypes = {
  Volume: `
    name! hostPath?:HostPathVolumeSource emptyDir?:EmptyDirVolumeSource
    gcePersistentDisk?:GCEPersistentDiskVolumeSource
    awsElasticBlockStore?:AWSElasticBlockStoreVolumeSource gitRepo?:GitRepoVolumeSource
    secret?:SecretVolumeSource nfs?:NFSVolumeSource iscsi?:ISCSIVolumeSource
    glusterfs?:GlusterfsVolumeSource persistentVolumeClaim?:PersistentVolumeClaimVolumeSource
    rbd?:RBDVolumeSource flexVolume?:FlexVolumeSource cinder?:CinderVolumeSource
    cephfs?:CephFSVolumeSource flocker?:FlockerVolumeSource downwardAPI?:DownwardAPIVolumeSource
    fc?:FCVolumeSource azureFile?:AzureFileVolumeSource configMap?:ConfigMapVolumeSource
    vsphereVolume?:VsphereVirtualDiskVolumeSource quobyte?:QuobyteVolumeSource
    azureDisk?:AzureDiskVolumeSource photonPersistentDisk?:PhotonPersistentDiskVolumeSource
    projected?:ProjectedVolumeSource portworxVolume?:PortworxVolumeSource scaleIO?:ScaleIOVolumeSource
    storageos?:StorageOSVolumeSource csi?:CSIVolumeSource ephemeral?:EphemeralVolumeSource`,
  HostPathVolumeSource: 'path! type?',
  EmptyDirVolumeSource: 'medium sizeLimit?:quantity',
  GCEPersistentDiskVolumeSource: 'pdName! fsType partition:int readOnly:bool',
  AWSElasticBlockStoreVolumeSource: 'volumeID! fsType partition:int readOnly:bool',
  GitRepoVolumeSource: 'repository! revision directory',
  SecretVolumeSource: 'secretName items:[]KeyToPath defaultMode?:int optional?:bool',
  KeyToPath: 'key! path! mode?:int',
  NFSVolumeSource: 'server! path! readOnly:bool',
  ISCSIVolumeSource: `
    targetPortal! iqn! lun!:int iscsiInterface fsType readOnly:bool portals:[]string
    chapAuthDiscovery:bool chapAuthSession:bool secretRef?:LocalObjectReference initiatorName?`,
  GlusterfsVolumeSource: 'endpoints! path! readOnly:bool',
  PersistentVolumeClaimVolumeSource: 'claimName! readOnly:bool',
  RBDVolumeSource: `
    monitors!:[]string image! fsType pool user keyring secretRef?:LocalObjectReference readOnly:bool`,
  FlexVolumeSource: 'driver! fsType secretRef?:LocalObjectReference readOnly:bool options:{}string',
  CinderVolumeSource: 'volumeID! fsType readOnly:bool secretRef?:LocalObjectReference',
  CephFSVolumeSource: `
    monitors!:[]string path user secretFile secretRef?:LocalObjectReference readOnly:bool`,
  FlockerVolumeSource: 'datasetName datasetUUID',
  DownwardAPIVolumeSource: 'items:[]DownwardAPIVolumeFile defaultMode?:int',
  DownwardAPIVolumeFile: `
    path! fieldRef?:ObjectFieldSelector resourceFieldRef?:ResourceFieldSelector mode?:int`,
  FCVolumeSource: 'targetWWNs:[]string lun?:int fsType readOnly:bool wwids:[]string',
  AzureFileVolumeSource: 'secretName! shareName! readOnly:bool',
  ConfigMapVolumeSource: 'name items:[]KeyToPath defaultMode?:int optional?:bool',
  VsphereVirtualDiskVolumeSource: 'volumePath! fsType storagePolicyName storagePolicyID',
  QuobyteVolumeSource: 'registry! volume! readOnly:bool user group tenant',
  AzureDiskVolumeSource: 'diskName! diskURI! cachingMode? fsType? readOnly?:bool kind?',
  PhotonPersistentDiskVolumeSource: 'pdID! fsType',
  ProjectedVolumeSource: 'sources!:[]VolumeProjection defaultMode?:int',
  VolumeProjection: `
    secret?:SecretProjection downwardAPI?:DownwardAPIProjection configMap?:ConfigMapProjection
    serviceAccountToken?:ServiceAccountTokenProjection clusterTrustBundle?:ClusterTrustBundleProjection`,
  SecretProjection: 'name items:[]KeyToPath optional?:bool',
  DownwardAPIProjection: 'items:[]DownwardAPIVolumeFile',
  ConfigMapProjection: 'name items:[]KeyToPath optional?:bool',
  ServiceAccountTokenProjection: 'audience expirationSeconds?:int path!',
  ClusterTrustBundleProjection: 'name? signerName? labelSelector?:LabelSelector optional?:bool path!',
  PortworxVolumeSource: 'volumeID! fsType readOnly:bool',
  ScaleIOVolumeSource: `
    gateway! system! secretRef!?:LocalObjectReference sslEnabled:bool protectionDomain storagePool
    storageMode volumeName fsType readOnly:bool`,
  StorageOSVolumeSource: 'volumeName volumeNamespace fsType readOnly:bool secretRef?:LocalObjectReference',
  CSIVolumeSource: `
    driver! readOnly?:bool fsType? volumeAttributes:{}string nodePublishSecretRef?:LocalObjectReference`,
  EphemeralVolumeSource: 'volumeClaimTemplate?:PersistentVolumeClaimTemplate',
  PersistentVolumeClaimTemplate: 'metadata!:ObjectMeta spec!:PersistentVolumeClaimSpec',
  PersistentVolumeClaimSpec: `
    accessModes:[]string selector?:LabelSelector resources!:VolumeResourceRequirements volumeName
    storageClassName? volumeMode? dataSource?:TypedLocalObjectReference
    dataSourceRef?:TypedObjectReference volumeAttributesClassName?`,
  VolumeResourceRequirements: 'limits:{}quantity requests:{}quantity',
} as const;
