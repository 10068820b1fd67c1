/*
 * SecurityContext of a container and of a pod: accepted, for ipubox gives a
 * program no more and no fewer rights than its user has.
 */
#include "core/ipujob/schema_internal.h"

static const struct schema_field	capabilities[] = {
	DETAILS("add", TEXT),
	DETAILS("drop", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	selinux[] = {
	DETAIL("level", TEXT),
	DETAIL("role", TEXT),
	DETAIL("type", TEXT),
	DETAIL("user", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	seccomp[] = {
	DETAIL("localhostProfile", TEXT),
	NEEDED_DETAIL("type", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	windows[] = {
	DETAIL("gmsaCredentialSpec", TEXT),
	DETAIL("gmsaCredentialSpecName", TEXT),
	DETAIL("runAsUserName", TEXT),
	END_OF_FIELDS
};

const struct schema_field	schema_security_container[] = {
	DETAIL("allowPrivilegeEscalation", BOOL),
	DETAIL_PART("capabilities", capabilities),
	DETAIL("privileged", BOOL),
	DETAIL("procMount", TEXT),
	DETAIL("readOnlyRootFilesystem", BOOL),
	DETAIL("runAsGroup", LONG),
	DETAIL("runAsNonRoot", BOOL),
	DETAIL("runAsUser", LONG),
	DETAIL_PART("seLinuxOptions", selinux),
	DETAIL_PART("seccompProfile", seccomp),
	DETAIL_PART("windowsOptions", windows),
	END_OF_FIELDS
};

static const struct schema_field	sysctl[] = {
	NEEDED_DETAIL("name", TEXT),
	NEEDED_DETAIL("value", TEXT),
	END_OF_FIELDS
};

const struct schema_field	schema_security_pod[] = {
	DETAIL("fsGroup", LONG),
	DETAIL("fsGroupChangePolicy", TEXT),
	DETAIL("runAsGroup", LONG),
	DETAIL("runAsNonRoot", BOOL),
	DETAIL("runAsUser", LONG),
	DETAIL_PART("seLinuxOptions", selinux),
	DETAIL_PART("seccompProfile", seccomp),
	DETAILS("supplementalGroups", LONG),
	DETAIL_PARTS("sysctls", sysctl),
	DETAIL_PART("windowsOptions", windows),
	END_OF_FIELDS
};
