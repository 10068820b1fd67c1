/*
 * Container: what runs in a pod.
 */
#include "core/ipujob/schema_internal.h"

static const struct schema_field	port[] = {
	NEEDED_DETAIL("containerPort", INTEGER),
	DETAIL("hostIP", TEXT),
	DETAIL("hostPort", INTEGER),
	DETAIL("name", TEXT),
	WORD("protocol", "TCP, UDP or SCTP", NOTED, NULL),
	END_OF_FIELDS
};

const struct schema_field	schema_container_resources[] = {
	DETAIL("limits", QUANTITIES),
	DETAIL("requests", QUANTITIES),
	END_OF_FIELDS
};

static const struct schema_field	volume_device[] = {
	NEEDED_DETAIL("devicePath", TEXT),
	NEEDED_DETAIL("name", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	volume_mount[] = {
	NEEDED_FIELD("mountPath", TEXT, HONOURED, "where programs find it"),
	WORD("mountPropagation", "None, HostToContainer or Bidirectional",
	    NOTED, "what is mounted later shows up on neither side"),
	NEEDED_FIELD("name", TEXT, HONOURED, "which of the pod's volumes"),
	FIELD("readOnly", BOOL, HONOURED, "whether programs may only read it"),
	FIELD("subPath", TEXT, HONOURED,
	    "a path in the volume in the place of all of it"),
	FIELD("subPathExpr", TEXT, HONOURED,
	    "the same, where $(NAME) stands for a variable"),
	END_OF_FIELDS
};

/*
 * The fields of a Container, in three parts, between which an
 * EphemeralContainer has one more.
 */
#define FIELDS_TO_STDIN							\
	LIST("args", TEXT, HONOURED,					\
	    "the arguments of the command; $(NAME) stands for a variable"), \
	LIST("command", TEXT, HONOURED,					\
	    "what is run; an image's own entry point is not known here"), \
	PARTS("env", schema_env_fields, HONOURED, "its variables"),	\
	PARTS("envFrom", schema_env_from, HONOURED,			\
	    "variables from whole ConfigMaps and Secrets"),		\
	FIELD("image", TEXT, HONOURED,					\
	    "which directory, of those in ipubox.conf(5), programs see as " \
	    "the root"),						\
	WORD("imagePullPolicy", "Always, IfNotPresent or Never", NOTED,	\
	    "no image is pulled"),					\
	PART("lifecycle", schema_probe_lifecycle, NOTED,		\
	    "nothing is run beside the command"),			\
	PART("livenessProbe", schema_probe_fields, NOTED,		\
	    "only how the command ends counts"),			\
	NEEDED_FIELD("name", TEXT, HONOURED, "what the container is called"), \
	PARTS("ports", port, NOTED,					\
	    "programs listen at this host's own addresses"),		\
	PART("readinessProbe", schema_probe_fields, NOTED,		\
	    "a pod is ready when its container runs"),			\
	PART("resources", schema_container_resources, NOTED,		\
	    "nothing is limited; a resourceFieldRef reads them"),	\
	PART("securityContext", schema_security_container, NOTED,	\
	    "programs run as the user who runs ipubox"),		\
	PART("startupProbe", schema_probe_fields, NOTED,		\
	    "only how the command ends counts")

#define FIELDS_OF_STDIN							\
	FIELD("stdin", BOOL, NOTED, "a pod's standard input is empty"),	\
	FIELD("stdinOnce", BOOL, NOTED, "a pod's standard input is empty")

#define FIELDS_BEHIND_STDIN						\
	FIELD("terminationMessagePath", TEXT, NOTED,			\
	    "the log and the exit code say how it ended"),		\
	WORD("terminationMessagePolicy", "File or FallbackToLogsOnError", \
	    NOTED, "the log and the exit code say how it ended"),	\
	FIELD("tty", BOOL, NOTED, "a pod has no terminal"),		\
	PARTS("volumeDevices", volume_device, REFUSED,			\
	    "block devices are not given to pods; use volumeMounts"),	\
	PARTS("volumeMounts", volume_mount, HONOURED,			\
	    "where the pod's volumes are"),				\
	FIELD("workingDir", TEXT, HONOURED,				\
	    "where the command begins, an empty directory where this host "\
	    "has none; without it the pod's own directory")

const struct schema_field	schema_container_fields[] = {
	FIELDS_TO_STDIN,
	FIELDS_OF_STDIN,
	FIELDS_BEHIND_STDIN,
	END_OF_FIELDS
};

const struct schema_field	schema_container_ephemeral[] = {
	FIELDS_TO_STDIN,
	FIELDS_OF_STDIN,
	DETAIL("targetContainerName", TEXT),
	FIELDS_BEHIND_STDIN,
	END_OF_FIELDS
};
