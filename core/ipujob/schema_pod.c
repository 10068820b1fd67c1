/*
 * PodSpec: what a pod of the workers is.
 */
#include "core/ipujob/schema_internal.h"

static const struct schema_field	dns_option[] = {
	DETAIL("name", TEXT),
	DETAIL("value", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	dns_config[] = {
	DETAILS("nameservers", TEXT),
	DETAIL_PARTS("options", dns_option),
	DETAILS("searches", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	host_alias[] = {
	DETAILS("hostnames", TEXT),
	DETAIL("ip", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	readiness_gate[] = {
	NEEDED_DETAIL("conditionType", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	toleration[] = {
	DETAIL("effect", TEXT),
	DETAIL("key", TEXT),
	DETAIL("operator", TEXT),
	DETAIL("tolerationSeconds", LONG),
	DETAIL("value", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	topology_spread[] = {
	DETAIL_PART("labelSelector", schema_meta_selector),
	NEEDED_DETAIL("maxSkew", INTEGER),
	NEEDED_DETAIL("topologyKey", TEXT),
	NEEDED_DETAIL("whenUnsatisfiable", TEXT),
	END_OF_FIELDS
};

const struct schema_field	schema_pod_fields[] = {
	FIELD("activeDeadlineSeconds", LONG, HONOURED,
	    "the pod is ended, and has failed, when it has run so long"),
	PART("affinity", schema_affinity_fields, NOTED,
	    "all pods run on this host"),
	FIELD("automountServiceAccountToken", BOOL, NOTED,
	    "there is no API server to which a token would speak"),
	NEEDED_PARTS("containers", schema_container_fields, HONOURED,
	    "one container, whose command runs on this host"),
	PART("dnsConfig", dns_config, NOTED,
	    "this host's resolv.conf counts"),
	WORD("dnsPolicy", "ClusterFirst, ClusterFirstWithHostNet, Default or "
	    "None", NOTED, "this host's resolv.conf counts"),
	FIELD("enableServiceLinks", BOOL, NOTED, "there are no services"),
	PARTS("ephemeralContainers", schema_container_ephemeral, REFUSED,
	    "no pod begins with them; kubectl debug adds them to one that "
	    "runs"),
	PARTS("hostAliases", host_alias, NOTED, "this host's hosts(5) counts"),
	FIELD("hostIPC", BOOL, NOTED,
	    "pods share this host's memory segments and semaphores anyway"),
	FIELD("hostNetwork", BOOL, NOTED,
	    "pods use this host's network anyway"),
	FIELD("hostPID", BOOL, NOTED, "pods see this host's processes anyway"),
	FIELD("hostname", TEXT, HONOURED,
	    "the host name that programs see; without it the pod's name"),
	PARTS("imagePullSecrets", schema_volume_reference, NOTED,
	    "no image is pulled"),
	PARTS("initContainers", schema_container_fields, HONOURED,
	    "run before the container, one after another"),
	FIELD("nodeName", TEXT, NOTED, "all pods run on this host"),
	FIELD("nodeSelector", TEXTS, NOTED, "all pods run on this host"),
	FIELD("overhead", QUANTITIES, NOTED, "no resources are counted"),
	FIELD("preemptionPolicy", TEXT, NOTED,
	    "no pod goes to make room for another"),
	FIELD("priority", INTEGER, NOTED,
	    "no pod goes to make room for another"),
	FIELD("priorityClassName", TEXT, NOTED,
	    "no pod goes to make room for another"),
	PARTS("readinessGates", readiness_gate, NOTED,
	    "a pod is ready when its container runs"),
	WORD("restartPolicy", "Always, OnFailure or Never", HONOURED,
	    "overridden by the job's spec.restartPolicy, which is Never where "
	    "there is none"),
	FIELD("runtimeClassName", TEXT, NOTED,
	    "containers run as processes of this host"),
	FIELD("schedulerName", TEXT, NOTED, "all pods run on this host"),
	PART("securityContext", schema_security_pod, NOTED,
	    "programs run as the user who runs ipubox"),
	FIELD("serviceAccount", TEXT, NOTED,
	    "there is no API server to speak to"),
	FIELD("serviceAccountName", TEXT, NOTED,
	    "there is no API server to speak to"),
	FIELD("setHostnameAsFQDN", BOOL, NOTED, "host names have no domain"),
	FIELD("shareProcessNamespace", BOOL, NOTED,
	    "pods see this host's processes anyway"),
	FIELD("subdomain", TEXT, NOTED, "host names have no domain"),
	FIELD("terminationGracePeriodSeconds", LONG, HONOURED,
	    "from SIGTERM to SIGKILL; 30 without it"),
	PARTS("tolerations", toleration, NOTED, "all pods run on this host"),
	PARTS("topologySpreadConstraints", topology_spread, NOTED,
	    "all pods run on this host"),
	PARTS("volumes", schema_volume_fields, HONOURED,
	    "directories that containers mount"),
	END_OF_FIELDS
};
