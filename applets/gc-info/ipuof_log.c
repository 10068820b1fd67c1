/*
 * Log lines about how the IPUs were found, one per fact.
 */
#include "applets/gc-info/gc-info_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/pod/pod.h"
#include "core/state/state.h"
#include "ipu/device/device.h"

static const char *const level_words[] = { "trace", "debug", "info", "warn",
	"err", "off" };

static void ipuof_log_line(enum ipuof_level, enum ipuof_level, const char *,
    ...) __attribute__((format(printf, 3, 4)));

static void
ipuof_log_line(enum ipuof_level wanted, enum ipuof_level level, const char *fmt,
    ...)
{
	char text[1024];
	va_list ap;

	if (level < wanted)
		return;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fprintf(stderr, "[ipuof] %s: ", level_words[level]);
	text_put(stderr, text);
	fputc('\n', stderr);
}

/* Accepts Poplar's words in any case, and the longer ones of other
   libraries. */
enum ipuof_level
ipuof_log_level(void)
{
	const char *text = variable_get("IPUOF_LOG_LEVEL");
	int i;

	if (text == NULL || strcasecmp(text, "warning") == 0)
		return IPUOF_WARN;
	if (strcasecmp(text, "error") == 0)
		return IPUOF_ERR;
	for (i = IPUOF_TRACE; i <= IPUOF_OFF; i++)
		if (strcasecmp(text, level_words[i]) == 0)
			return (enum ipuof_level)i;
	fputs("gc-info: IPUOF_LOG_LEVEL '", stderr);
	text_put(stderr, text);
	fputs("': must be TRACE, DEBUG, INFO, WARN, ERR or OFF; using WARN\n",
	    stderr);
	return IPUOF_WARN;
}

/* Log the place of the state, and the server that IPUOF_VIPU_API_HOST names. */
static void
log_places(enum ipuof_level wanted, const struct registry *r)
{
	struct state_paths paths;
	const char *host = variable_get("IPUOF_VIPU_API_HOST");
	const char *port = variable_get("IPUOF_VIPU_API_PORT");

	if (paths_find(&paths, NULL) == 0)
		ipuof_log_line(wanted, IPUOF_DEBUG, "state directory %s (%s)",
		    paths.directory, paths.origin);
	ipuof_log_line(wanted, IPUOF_DEBUG, "registry %s%s", r->path,
	    r->is_private ? " (a copy in this process)" : "");
	if (host == NULL)
		ipuof_log_line(wanted, IPUOF_DEBUG,
		    "server: the one of this host");
	else
		ipuof_log_line(wanted, IPUOF_DEBUG,
		    "server %s, port %s (IPUOF_VIPU_API_HOST)", host,
		    port != NULL ? port : "8090");
}

static void
log_ipus(enum ipuof_level wanted, const struct visible_devices *v, int first,
    int count)
{
	const struct pod *pod = &v->snapshot.pod;
	char name[NAME_SIZE + 16];
	int i, ipu;

	for (i = 0; i < count; i++) {
		ipu = placement_ipu(pod, &v->partition->placement, first + i);
		pod_ipu_name(pod, ipu, name, sizeof(name));
		ipuof_log_line(wanted, IPUOF_TRACE,
		    "IPU %d: %s, IPU-M host %s, IPU# %d", i, name,
		    pod->agents[listing_ipu_machine(ipu)].address,
		    listing_ipu_number(ipu));
	}
}

void
ipuof_log_view(enum ipuof_level wanted, const struct registry *r,
    const struct visible_devices *v)
{
	const struct partition *p = v->partition;
	struct device *devices;
	int count, size;

	if (wanted > IPUOF_INFO)
		return;
	log_places(wanted, r);
	if (p == NULL) {
		ipuof_log_line(wanted, IPUOF_INFO, "no partition is named");
		return;
	}
	ipuof_log_line(wanted, IPUOF_INFO, "partition %s (%s), from %s",
	    p->name, partition_state_name(p->state), v->source);
	if (v->gcd >= 0)
		ipuof_log_line(wanted, IPUOF_DEBUG, "GCD %d of %d", v->gcd,
		    p->num_gcds);
	else
		ipuof_log_line(wanted, IPUOF_DEBUG, "all %d GCD(s)",
		    p->num_gcds);
	count = device_list(p, v->gcd, &devices);
	size = v->gcd >= 0 ? partition_gcd_size(p) : partition_size(p);
	ipuof_log_line(wanted, IPUOF_INFO, "%d device(s) of %d IPU(s)", count,
	    size);
	log_ipus(wanted, v, devices[0].first, size);
	free(devices);
}
