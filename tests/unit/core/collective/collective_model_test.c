/*
 * core/collective/collective_table: random calls of 64 members in random
 * orders, beside a model that counts instead.
 */
#include <stdlib.h>

#include "core/base/formats/element.h"
#include "core/collective/collective_table.h"
#include "tests/unit/table_util.h"
#include "tests/unit/tap.h"

enum { MODEL_ROUNDS = 40000, MODEL_MEMBERS = 64, MODEL_IDS = 4 };

/*
 * The k-th call of an id that a member makes meets the k-th calls of the
 * others: so the model numbers the calls, and needs no meeting.
 */
struct model {
	struct collective_table *t;
	struct collective_guest *guests[MODEL_MEMBERS];
	struct collective_request requests[MODEL_MEMBERS][MODEL_IDS];
	bool waits[MODEL_MEMBERS][MODEL_IDS];
	int calls[MODEL_MEMBERS][MODEL_IDS];
	int *come[MODEL_IDS];
	enum collective_code *codes[MODEL_IDS];
	uint32_t seed;
	int faults, done, failures;
};

static uint32_t
draw(struct model *m, uint32_t below)
{
	m->seed = m->seed * 1664525 + 1013904223;
	return (m->seed >> 8) % below;
}

/* The k-th meeting of an id is over: its members wait no more. */
static void
model_end(struct model *m, int id, int k, enum collective_code code)
{
	struct collective_request *r;
	int i;

	m->codes[id][k] = code;
	for (i = 0; i < MODEL_MEMBERS; i++) {
		r = &m->requests[i][id];
		if (!m->waits[i][id] || m->calls[i][id] != k + 1)
			continue;
		m->waits[i][id] = false;
		m->faults += r->outcome != (code == 0 ? DONE : FAILED) ||
		    r->code != code || r->answers != 1;
	}
	*(code == 0 ? &m->done : &m->failures) += 1;
}

static void
model_call(struct model *m, int member, int id)
{
	struct collective_request *r = &m->requests[member][id];
	struct collective_request second;
	char name[] = { (char)('a' + id), '\0' };
	struct collective_call c = call_of(COLLECTIVE_SUM, name);
	const int k = m->calls[member][id];
	const bool odd = draw(m, 3000) == 0;

	if (m->waits[member][id]) {
		table_call(m->t, m->guests[member], &c, &second);
		m->faults += second.outcome != FAILED ||
		    second.code != COLLECTIVE_TWICE || r->outcome != WAITS;
		return;
	}
	c.timeout_ms = draw(m, 50) == 0 ? 10 : 0;
	c.type = odd ? ELEMENT_BOOL : ELEMENT_FLOAT;
	table_call(m->t, m->guests[member], &c, r);
	m->calls[member][id]++;
	m->waits[member][id] = true;
	if (m->codes[id][k] != 0) {
		m->waits[member][id] = false;
		m->faults += r->code != m->codes[id][k] || r->outcome != FAILED;
	} else if (odd)
		model_end(m, id, k, COLLECTIVE_MISMATCH);
	else if (++m->come[id][k] == MODEL_MEMBERS)
		model_end(m, id, k, 0);
	else
		m->faults += r->outcome != WAITS;
}

/* A limit has passed: the last meeting of each id may be over. */
static void
model_expire(struct model *m)
{
	int id, i, last;

	if (collective_table_deadline(m->t) == -1)
		return;
	collective_table_expire(m->t, NOW + 10);
	for (id = 0; id < MODEL_IDS; id++)
		for (i = 0, last = -1; i < MODEL_MEMBERS; i++)
			if (m->waits[i][id] &&
			    m->requests[i][id].outcome == FAILED &&
			    m->calls[i][id] - 1 > last) {
				last = m->calls[i][id] - 1;
				model_end(m, id, last, COLLECTIVE_TIMED_OUT);
			}
}

static void
test_model(void)
{
	static struct model m;
	int i, round;

	m.seed = 1;
	m.t = table_job(m.guests, MODEL_MEMBERS);
	for (i = 0; i < MODEL_IDS; i++) {
		m.come[i] = calloc(MODEL_ROUNDS, sizeof(*m.come[i]));
		m.codes[i] = calloc(MODEL_ROUNDS, sizeof(*m.codes[i]));
	}
	for (round = 0; round < MODEL_ROUNDS; round++) {
		model_call(&m, (int)draw(&m, MODEL_MEMBERS),
		    (int)draw(&m, MODEL_IDS));
		if (draw(&m, 5000) == 0)
			model_expire(&m);
	}
	is_int(m.faults, 0, "random calls end as in the model");
	ok(m.done > 20, "many meetings were complete");
	ok(m.failures > 5, "and some failed");
	for (i = 0; i < MODEL_IDS; i++) {
		free(m.come[i]);
		free(m.codes[i]);
	}
	collective_table_free(m.t);
}

int
main(void)
{
	test_model();
	return tap_done();
}
