/*
 * Volume: the directories that a pod has beside its own.
 */
#include "core/ipujob/schema_internal.h"

/* What becomes of a volume of a service, a cloud or a device. */
#define SERVED	"not mounted; a directory by the volume's name, which the " \
		"jobs of the namespace share, stands for it"

const struct schema_field	schema_volume_reference[] = {
	DETAIL("name", TEXT),
	END_OF_FIELDS
};

/* What has a file system type, as most devices do, and may be read-only. */
#define DETAIL_FS_TYPE		DETAIL("fsType", TEXT)
#define DETAIL_READ_ONLY	DETAIL("readOnly", BOOL)
#define DETAIL_SECRET_REF \
	DETAIL_PART("secretRef", schema_volume_reference)

static const struct schema_field	aws_disk[] = {
	DETAIL_FS_TYPE,
	DETAIL("partition", INTEGER),
	DETAIL_READ_ONLY,
	NEEDED_DETAIL("volumeID", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	azure_disk[] = {
	DETAIL("cachingMode", TEXT),
	NEEDED_DETAIL("diskName", TEXT),
	NEEDED_DETAIL("diskURI", TEXT),
	DETAIL_FS_TYPE,
	DETAIL("kind", TEXT),
	DETAIL_READ_ONLY,
	END_OF_FIELDS
};

static const struct schema_field	azure_file[] = {
	DETAIL_READ_ONLY,
	NEEDED_DETAIL("secretName", TEXT),
	NEEDED_DETAIL("shareName", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	cephfs[] = {
	NEEDED_DETAILS("monitors", TEXT),
	DETAIL("path", TEXT),
	DETAIL_READ_ONLY,
	DETAIL("secretFile", TEXT),
	DETAIL_SECRET_REF,
	DETAIL("user", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	cinder[] = {
	DETAIL_FS_TYPE,
	DETAIL_READ_ONLY,
	DETAIL_SECRET_REF,
	NEEDED_DETAIL("volumeID", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	key_to_path[] = {
	NEEDED_FIELD("key", TEXT, HONOURED, "which of its texts"),
	FIELD("mode", INTEGER, HONOURED, "the permissions of the file"),
	NEEDED_FIELD("path", TEXT, HONOURED, "the file, below the volume"),
	END_OF_FIELDS
};

static const struct schema_field	config_map[] = {
	FIELD("defaultMode", INTEGER, HONOURED,
	    "the permissions of files; 0644 without it"),
	PARTS("items", key_to_path, HONOURED,
	    "these texts only, under these names"),
	FIELD("name", TEXT, HONOURED, "the ConfigMap in the job's namespace"),
	FIELD("optional", BOOL, HONOURED,
	    "whether the pod also starts where it is missing"),
	END_OF_FIELDS
};

static const struct schema_field	csi[] = {
	NEEDED_DETAIL("driver", TEXT),
	DETAIL_FS_TYPE,
	DETAIL_PART("nodePublishSecretRef", schema_volume_reference),
	DETAIL_READ_ONLY,
	DETAIL("volumeAttributes", TEXTS),
	END_OF_FIELDS
};

static const struct schema_field	downward_file[] = {
	PART("fieldRef", schema_env_field_ref, HONOURED, "a field of the pod"),
	FIELD("mode", INTEGER, HONOURED, "the permissions of the file"),
	NEEDED_FIELD("path", TEXT, HONOURED, "the file, below the volume"),
	PART("resourceFieldRef", schema_env_resource_ref, HONOURED,
	    "a limit or a request of a container"),
	END_OF_FIELDS
};

static const struct schema_field	downward_api[] = {
	FIELD("defaultMode", INTEGER, HONOURED,
	    "the permissions of files; 0644 without it"),
	PARTS("items", downward_file, HONOURED, "its files"),
	END_OF_FIELDS
};

static const struct schema_field	empty_dir[] = {
	FIELD("medium", TEXT, HONOURED,
	    "Memory: in memory, else in the pod's own directory"),
	FIELD("sizeLimit", QUANTITY, HONOURED, "how much it may hold"),
	END_OF_FIELDS
};

static const struct schema_field	claim_template[] = {
	DETAIL_PART("metadata", schema_meta_template),
	NEEDED_DETAIL_PART("spec", schema_kinds_claim_spec),
	END_OF_FIELDS
};

static const struct schema_field	ephemeral[] = {
	FIELD("readOnly", BOOL, HONOURED,
	    "whether programs may only read it"),
	PART("volumeClaimTemplate", claim_template, NOTED,
	    "a directory needs no claim"),
	END_OF_FIELDS
};

static const struct schema_field	fibre_channel[] = {
	DETAIL_FS_TYPE,
	DETAIL("lun", INTEGER),
	DETAIL_READ_ONLY,
	DETAILS("targetWWNs", TEXT),
	DETAILS("wwids", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	flex[] = {
	NEEDED_DETAIL("driver", TEXT),
	DETAIL_FS_TYPE,
	DETAIL("options", TEXTS),
	DETAIL_READ_ONLY,
	DETAIL_SECRET_REF,
	END_OF_FIELDS
};

static const struct schema_field	flocker[] = {
	DETAIL("datasetName", TEXT),
	DETAIL("datasetUUID", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	gce_disk[] = {
	DETAIL_FS_TYPE,
	DETAIL("partition", INTEGER),
	NEEDED_DETAIL("pdName", TEXT),
	DETAIL_READ_ONLY,
	END_OF_FIELDS
};

static const struct schema_field	git_repo[] = {
	DETAIL("directory", TEXT),
	NEEDED_DETAIL("repository", TEXT),
	DETAIL("revision", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	glusterfs[] = {
	NEEDED_DETAIL("endpoints", TEXT),
	NEEDED_DETAIL("path", TEXT),
	DETAIL_READ_ONLY,
	END_OF_FIELDS
};

static const struct schema_field	host_path[] = {
	NEEDED_FIELD("path", TEXT, HONOURED,
	    "a path of this host, where ipubox.conf(5) opens it; else a "
	    "directory of the namespace stands for it"),
	FIELD("type", TEXT, HONOURED,
	    "what has to be there: Directory, DirectoryOrCreate, File and "
	    "others"),
	END_OF_FIELDS
};

static const struct schema_field	iscsi[] = {
	DETAIL("chapAuthDiscovery", BOOL),
	DETAIL("chapAuthSession", BOOL),
	DETAIL_FS_TYPE,
	DETAIL("initiatorName", TEXT),
	NEEDED_DETAIL("iqn", TEXT),
	DETAIL("iscsiInterface", TEXT),
	NEEDED_DETAIL("lun", INTEGER),
	DETAILS("portals", TEXT),
	DETAIL_READ_ONLY,
	DETAIL_SECRET_REF,
	NEEDED_DETAIL("targetPortal", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	nfs[] = {
	NEEDED_DETAIL("path", TEXT),
	DETAIL_READ_ONLY,
	NEEDED_DETAIL("server", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	claim[] = {
	NEEDED_FIELD("claimName", TEXT, HONOURED,
	    "the claim in the job's namespace, a directory of this host"),
	FIELD("readOnly", BOOL, HONOURED, "whether programs may only read it"),
	END_OF_FIELDS
};

static const struct schema_field	photon_disk[] = {
	DETAIL_FS_TYPE,
	NEEDED_DETAIL("pdID", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	portworx[] = {
	DETAIL_FS_TYPE,
	DETAIL_READ_ONLY,
	NEEDED_DETAIL("volumeID", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	projected_object[] = {
	PARTS("items", key_to_path, HONOURED,
	    "these texts only, under these names"),
	FIELD("name", TEXT, HONOURED, "the object in the job's namespace"),
	FIELD("optional", BOOL, HONOURED,
	    "whether the pod also starts where it is missing"),
	END_OF_FIELDS
};

static const struct schema_field	projected_downward[] = {
	PARTS("items", downward_file, HONOURED, "its files"),
	END_OF_FIELDS
};

static const struct schema_field	account_token[] = {
	DETAIL("audience", TEXT),
	DETAIL("expirationSeconds", LONG),
	NEEDED_DETAIL("path", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	projected_source[] = {
	PART("configMap", projected_object, HONOURED, "texts of a ConfigMap"),
	PART("downwardAPI", projected_downward, HONOURED, "fields of the pod"),
	PART("secret", projected_object, HONOURED, "texts of a Secret"),
	PART("serviceAccountToken", account_token, NOTED,
	    "no file: there is no API server to which a token would speak"),
	END_OF_FIELDS
};

static const struct schema_field	projected[] = {
	FIELD("defaultMode", INTEGER, HONOURED,
	    "the permissions of files; 0644 without it"),
	PARTS("sources", projected_source, HONOURED, "what it is made of"),
	END_OF_FIELDS
};

static const struct schema_field	quobyte[] = {
	DETAIL("group", TEXT),
	DETAIL_READ_ONLY,
	NEEDED_DETAIL("registry", TEXT),
	DETAIL("tenant", TEXT),
	DETAIL("user", TEXT),
	NEEDED_DETAIL("volume", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	rbd[] = {
	DETAIL_FS_TYPE,
	NEEDED_DETAIL("image", TEXT),
	DETAIL("keyring", TEXT),
	NEEDED_DETAILS("monitors", TEXT),
	DETAIL("pool", TEXT),
	DETAIL_READ_ONLY,
	DETAIL_SECRET_REF,
	DETAIL("user", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	scale_io[] = {
	DETAIL_FS_TYPE,
	NEEDED_DETAIL("gateway", TEXT),
	DETAIL("protectionDomain", TEXT),
	DETAIL_READ_ONLY,
	NEEDED_DETAIL_PART("secretRef", schema_volume_reference),
	DETAIL("sslEnabled", BOOL),
	DETAIL("storageMode", TEXT),
	DETAIL("storagePool", TEXT),
	NEEDED_DETAIL("system", TEXT),
	DETAIL("volumeName", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	secret[] = {
	FIELD("defaultMode", INTEGER, HONOURED,
	    "the permissions of files; 0644 without it"),
	PARTS("items", key_to_path, HONOURED,
	    "these texts only, under these names"),
	FIELD("optional", BOOL, HONOURED,
	    "whether the pod also starts where it is missing"),
	FIELD("secretName", TEXT, HONOURED,
	    "the Secret in the job's namespace"),
	END_OF_FIELDS
};

static const struct schema_field	storage_os[] = {
	DETAIL_FS_TYPE,
	DETAIL_READ_ONLY,
	DETAIL_SECRET_REF,
	DETAIL("volumeName", TEXT),
	DETAIL("volumeNamespace", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	vsphere[] = {
	DETAIL_FS_TYPE,
	DETAIL("storagePolicyID", TEXT),
	DETAIL("storagePolicyName", TEXT),
	NEEDED_DETAIL("volumePath", TEXT),
	END_OF_FIELDS
};

const struct schema_field	schema_volume_fields[] = {
	PART("awsElasticBlockStore", aws_disk, NOTED, SERVED),
	PART("azureDisk", azure_disk, NOTED, SERVED),
	PART("azureFile", azure_file, NOTED, SERVED),
	PART("cephfs", cephfs, NOTED, SERVED),
	PART("cinder", cinder, NOTED, SERVED),
	PART("configMap", config_map, HONOURED,
	    "a file for each text of a ConfigMap"),
	PART("csi", csi, NOTED, SERVED),
	PART("downwardAPI", downward_api, HONOURED,
	    "files with fields of the pod"),
	PART("emptyDir", empty_dir, HONOURED,
	    "a directory that lives as long as the pod"),
	PART("ephemeral", ephemeral, HONOURED,
	    "a directory that lives as long as the pod"),
	PART("fc", fibre_channel, NOTED, SERVED),
	PART("flexVolume", flex, NOTED, SERVED),
	PART("flocker", flocker, NOTED, SERVED),
	PART("gcePersistentDisk", gce_disk, NOTED, SERVED),
	PART("gitRepo", git_repo, REFUSED,
	    "nothing is fetched; clone it in an init container"),
	PART("glusterfs", glusterfs, NOTED, SERVED),
	PART("hostPath", host_path, HONOURED, "a directory of this host"),
	PART("iscsi", iscsi, NOTED, SERVED),
	NEEDED_FIELD("name", TEXT, HONOURED, "what volumeMounts call it"),
	PART("nfs", nfs, NOTED, SERVED),
	PART("persistentVolumeClaim", claim, HONOURED,
	    "a directory that outlives the job"),
	PART("photonPersistentDisk", photon_disk, NOTED, SERVED),
	PART("portworxVolume", portworx, NOTED, SERVED),
	PART("projected", projected, HONOURED,
	    "several of these in one directory"),
	PART("quobyte", quobyte, NOTED, SERVED),
	PART("rbd", rbd, NOTED, SERVED),
	PART("scaleIO", scale_io, NOTED, SERVED),
	PART("secret", secret, HONOURED, "a file for each text of a Secret"),
	PART("storageos", storage_os, NOTED, SERVED),
	PART("vsphereVolume", vsphere, NOTED, SERVED),
	END_OF_FIELDS
};
