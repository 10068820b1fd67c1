/*
 * Probe and Lifecycle: what a cluster asks a container, and tells it.
 */
#include "core/ipujob/schema_internal.h"

static const struct schema_field	http_header[] = {
	NEEDED_DETAIL("name", TEXT),
	NEEDED_DETAIL("value", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	exec_action[] = {
	DETAILS("command", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	http_action[] = {
	DETAIL("host", TEXT),
	DETAIL_PARTS("httpHeaders", http_header),
	DETAIL("path", TEXT),
	NEEDED_DETAIL("port", PORT),
	DETAIL("scheme", TEXT),
	END_OF_FIELDS
};

static const struct schema_field	socket_action[] = {
	DETAIL("host", TEXT),
	NEEDED_DETAIL("port", PORT),
	END_OF_FIELDS
};

const struct schema_field	schema_probe_fields[] = {
	DETAIL_PART("exec", exec_action),
	DETAIL("failureThreshold", INTEGER),
	DETAIL_PART("httpGet", http_action),
	DETAIL("initialDelaySeconds", INTEGER),
	DETAIL("periodSeconds", INTEGER),
	DETAIL("successThreshold", INTEGER),
	DETAIL_PART("tcpSocket", socket_action),
	DETAIL("timeoutSeconds", INTEGER),
	END_OF_FIELDS
};

static const struct schema_field	handler[] = {
	DETAIL_PART("exec", exec_action),
	DETAIL_PART("httpGet", http_action),
	DETAIL_PART("tcpSocket", socket_action),
	END_OF_FIELDS
};

const struct schema_field	schema_probe_lifecycle[] = {
	DETAIL_PART("postStart", handler),
	DETAIL_PART("preStop", handler),
	END_OF_FIELDS
};
