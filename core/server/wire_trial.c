/*
 * Cluster tests and faults on the wire.
 */
#include "core/server/wire_trial.h"

#include <string.h>

#include "core/base/alloc.h"
#include "core/server/wire_field.h"

static const struct wire_field result_fields[] = {
	WIRE_NUMBER(struct wiring_result, ipubox_v1_TestResult, passed, 0,
	    INT32_MAX),
	WIRE_NUMBER(struct wiring_result, ipubox_v1_TestResult, total, 0,
	    INT32_MAX),
	WIRE_TEXT(struct wiring_result, ipubox_v1_TestResult, summary),
	WIRE_END
};

static const struct wire_field injection_fields[] = {
	WIRE_NUMBER(struct injection, ipubox_v1_InjectFaultRequest, fault, 0,
	    FAULT_SOC_ERROR),
	WIRE_NUMBER(struct injection, ipubox_v1_InjectFaultRequest, value, 0,
	    INT32_MAX),
	WIRE_NUMBER(struct injection, ipubox_v1_InjectFaultRequest,
	    soc_errors, 0, UINT32_MAX),
	WIRE_END
};

void
wire_trial_put_results(const struct cluster_test *results,
    ipubox_v1_TestClusterReply *m)
{
	int	t;

	m->results_count = WIRING_TESTS;
	m->results = xcalloc(WIRING_TESTS, sizeof(*m->results));
	for (t = 0; t < WIRING_TESTS; t++) {
		wire_field_put(result_fields, &results[t].result,
		    &m->results[t]);
		m->results[t].duration_ns = results[t].duration_ns;
	}
}

int
wire_trial_get_results(const ipubox_v1_TestClusterReply *m,
    struct cluster_test *results, struct error *e)
{
	int	t;

	if (m->results_count != WIRING_TESTS)
		return error_set_code(e, ERROR_INVALID, "%u results, and not "
		    "%d", (unsigned)m->results_count, WIRING_TESTS);
	for (t = 0; t < WIRING_TESTS; t++) {
		if (wire_field_get(result_fields, "result", &m->results[t],
		    &results[t].result, e) != 0)
			return -1;
		if (m->results[t].duration_ns < 0)
			return error_set_code(e, ERROR_INVALID, "result: "
			    "duration_ns is below 0");
		results[t].duration_ns = m->results[t].duration_ns;
	}
	return 0;
}

void
wire_trial_put_injection(const struct injection *in,
    ipubox_v1_InjectFaultRequest *m)
{
	wire_field_put(injection_fields, in, m);
	m->target = wire_field_text(in->target);
}

int
wire_trial_get_injection(const ipubox_v1_InjectFaultRequest *m,
    struct injection *in, struct error *e)
{
	memset(in, 0, sizeof(*in));
	in->target = m->target != NULL ? m->target : "";
	return wire_field_get(injection_fields, "the fault", m, in, e);
}
