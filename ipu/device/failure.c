/*
 * The literal errors of PopTorch and Poplar.  Pure functions.
 *
 * Sources: for the fabric's error, complete logs of programs; for an SoC error,
 * the test of a soft error in Graphcore's TensorFlow, which has its beginning
 * and end, with PopTorch's class and frame as in the first.
 */
#include "ipu/device/poptorch.h"

#include <bsd/string.h>

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/control/control.h"
#include "core/pod/pod.h"
#include "ipu/device/listing.h"

#define RAISED "\nError raised in:\n  [0] execute"

void
failure_describe(struct failed_ipu *f, const struct pod *pod,
    const char *partition, int ipu)
{
	const struct agent *agent = &pod->agents[listing_ipu_machine(ipu)];

	memset(f, 0, sizeof(*f));
	f->number = listing_ipu_number(ipu);
	pod_ipu_name(pod, ipu, f->name, sizeof(f->name));
	(void)strlcpy(f->agent, agent->name, sizeof(f->agent));
	(void)strlcpy(f->address, agent->address, sizeof(f->address));
	(void)strlcpy(f->partition, partition, sizeof(f->partition));
}

/* "2023-02-03T15:32:48.181819Z" */
static void
time_text(int64_t ns, char *text, size_t size)
{
	const time_t seconds = (time_t)(ns / 1000000000);
	struct tm tm;
	size_t len = 0;

	if (gmtime_r(&seconds, &tm) != NULL)
		len = strftime(text, size, "%Y-%m-%dT%H:%M:%S", &tm);
	(void)snprintf(text + len, size - len, ".%06dZ",
	    (int)(ns % 1000000000 / 1000));
}

int
failure_of_fabric(const struct failed_ipu *ipu, int64_t now_ns, struct error *e)
{
	char now[48];

	time_text(now_ns, now, sizeof(now));
	return error_set(e,
	    "poptorch.poptorch_core.UnrecoverableError: In unknown:0: "
	    "'poplar_unrecoverable_runtime_error': "
	    "read_config_space(offset=0x3030): Could not complete operation. "
	    "Fabric error: QP is not operational, device %d, IP %s:%d. IPUoF "
	    "Server unreachable at %s" RAISED,
	    ipu->id, ipu->address, IPUOF_SERVER_PORT + ipu->number, now);
}

/* Write the remedy for a set of errors, with its command. */
static void
failure_remedy(const struct failed_ipu *ipu, uint32_t set, char *text,
    size_t size)
{
	switch (soc_error_remedy(set)) {
	case REMEDY_IPU_RESET:
		(void)strlcpy(text,
		    "IPU will be reset the next time a program is executed.",
		    size);
		return;
	case REMEDY_PARTITION_RESET:
		(void)snprintf(text, size,
		    "The partition must be reset: vipu reset partition %s",
		    ipu->partition);
		return;
	case REMEDY_FULL_RESET:
		(void)snprintf(text, size,
		    "The machine must be power cycled: vipu-admin inject %s "
		    "reboot",
		    ipu->agent);
		return;
	}
}

/* Recoverable errors: PopTorch's RecoverableError and the action that helps. */
int
failure_of_soc(const struct failed_ipu *ipu, uint32_t set, struct error *e)
{
	const bool recoverable = soc_error_recoverable(set);
	char names[2 * SOC_TEXT_SIZE], remedy[NAME_SIZE + 64];
	char action[48] = "";

	if (recoverable)
		(void)snprintf(action, sizeof(action), "[Recovery action: %s] ",
		    soc_error_remedy_name(soc_error_remedy(set)));
	soc_error_text(set, "CIUERRVR.", names, sizeof(names));
	failure_remedy(ipu, set, remedy, sizeof(remedy));
	return error_set(e,
	    "poptorch.poptorch_core.%s: In unknown:0: "
	    "'poplar_%s_runtime_error': %s%s error on IPU %d (%s of partition "
	    "%s). %s" RAISED,
	    recoverable ? "RecoverableError" : "Error",
	    recoverable ? "recoverable" : "application", action, names,
	    ipu->index, ipu->name, ipu->partition, remedy);
}

int
failure_to_attach(const struct failed_ipu *ipu, uint32_t set, struct error *e)
{
	char names[SOC_TEXT_SIZE], remedy[NAME_SIZE + 64];

	soc_error_text(set, "", names, sizeof(names));
	failure_remedy(ipu, set, remedy, sizeof(remedy));
	return error_set(e, "IPU %d of partition %s (%s) has the error %s. %s",
	    ipu->id, ipu->partition, ipu->name, names, remedy);
}

int
failure_uncaught(struct error *e)
{
	(void)error_prefix(e,
	    "poptorch.poptorch_core.Error: In unknown:0: 'poptorch_cpp_error'");
	return error_append(e,
	    "\nError raised in:\n"
	    "  [0] Compiler::initSession\n  [1] LowerToPopart::compile\n"
	    "  [2] compileWithManualTracing");
}
