/* What each kind of layer computes, by hand for a few shapes. */
#include "ipu/engine/model/operation_cost.h"

#include "tests/unit/tap.h"

/* Ten planes of 24 x 24, by which kernel, to what; operations of a sample. */
static const struct row {
	const char *name;
	struct layer_spec spec;
	struct shape out;
	double forward, data, weights;
} rows[] = {
	{ "conv2d", { .kind = LAYER_CONV2D, .kernel = 5 }, { 20, 20, 20 },
	    2. * 8000 * 25 * 10, 2. * 8000 * 25 * 10, 2. * 8000 * 25 * 10 },
	{ "maxpool2d", { .kind = LAYER_MAXPOOL2D, .kernel = 2 }, { 10, 12, 12 },
	    1440 * 4, 5760, 0 },
	{ "relu", { .kind = LAYER_RELU }, { 10, 24, 24 }, 5760, 5760, 0 },
	{ "flatten", { .kind = LAYER_FLATTEN }, { 5760, 1, 1 }, 0, 0, 0 },
	{ "linear", { .kind = LAYER_LINEAR, .out = 128 }, { 128, 1, 1 },
	    2. * 5760 * 128, 2. * 5760 * 128, 2. * 5760 * 128 },
};

static void
check_phase(const struct row *r, const struct layer *l,
    enum operation_phase phase, double flops)
{
	const struct operation_cost one = operation_cost_layer(l, phase, 1);
	const struct operation_cost seven = operation_cost_layer(l, phase, 7);

	is_near(one.flops, flops, 0, r->name);
	is_near(seven.flops, 7 * flops, 0, "seven times for seven samples");
	ok((one.compute_sets > 0) == (flops > 0) &&
		(one.code_bytes > 0) == (flops > 0) &&
		(one.exchange_bytes > 0) == (flops > 0),
	    "what computes has code, compute sets and an exchange");
	ok(one.efficiency > 0 && one.efficiency <= 1, "no division by zero");
}

int
main(void)
{
	const struct row *r;
	struct layer l;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		r = &rows[i];
		l = (struct layer){ .spec = r->spec,
			.input_count = 1,
			.in = { 10, 24, 24 },
			.out = r->out };
		if (l.spec.kind == LAYER_LINEAR)
			l.in = (struct shape){ 5760, 1, 1 };
		check_phase(r, &l, OPERATION_FORWARD, r->forward);
		check_phase(r, &l, OPERATION_BACKWARD_DATA, r->data);
		check_phase(r, &l, OPERATION_BACKWARD_WEIGHTS, r->weights);
	}
	return tap_done();
}
