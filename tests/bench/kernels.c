/*
 * How fast each kernel runs: kernels [PEAK [SET [WORD]]], with PEAK the
 * GFLOP/s of one core (peak prints it) for its share, SET one instruction
 * set, WORD a part of the kernel's name.  The tutorial's shapes, a
 * micro-batch of 48 samples that fills every lane.
 *
 * What is counted is what plain loops would compute: where a kernel leaves
 * out the zeroes behind a maximum and a relu it comes out faster than the
 * peak.  The best of many short rounds, for the machine may do other things.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/base/alloc.h"
#include "ipu/nn/kernels/kernels.h"
#include "ipu/nn/nn.h"

enum { SAMPLES = 48, ROUNDS = 120, FLOATS = 1 << 20 };

static const double round_s = 0.001;

/* Operands, large enough for any of the shapes, lanes together. */
struct operands {
	int blocks;
	float *in, *out, *gradient_in, *gradient_out;
	float *weights, *gradient;
	float *scratch;
	signed char *marks;
};

struct subject {
	const char *name;
	double mflop; /* of a sample; 0: moves, mostly */
	void (*run)(const struct kernels *, const struct operands *);
};

static const struct conv_shape conv1 = { 1, 10, 28, 28, 5, 24, 24, 1, 0, 1,
	{ 0 } };
static const struct conv_shape conv2 = { 10, 20, 12, 12, 5, 8, 8, 1, 0, 1,
	{ 0 } };
static const struct pool_shape pool1 = { 10, 24, 24, 2, 12, 12, 2, 0, { 0 } };

static void
conv_forward(const struct kernels *k, const struct operands *o,
    const struct conv_shape *s)
{
	const int in = s->in_channels * s->in_height * s->in_width;
	const int out = s->out_channels * s->out_height * s->out_width;
	int b;

	for (b = 0; b < o->blocks; b++)
		k->conv_forward(s, o->in + b * in * k->lanes, o->weights,
		    o->weights, o->out + b * out * k->lanes);
}

static void
conv1_forward(const struct kernels *k, const struct operands *o)
{
	conv_forward(k, o, &conv1);
}

static void
conv2_forward(const struct kernels *k, const struct operands *o)
{
	conv_forward(k, o, &conv2);
}

static void
conv_weights(const struct kernels *k, const struct operands *o,
    const struct conv_shape *s)
{
	const int in = s->in_channels * s->in_height * s->in_width;
	const int out = s->out_channels * s->out_height * s->out_width;
	int b;

	for (b = 0; b < o->blocks; b++)
		k->conv_backward_weights(s, o->in + b * in * k->lanes,
		    o->gradient_out + b * out * k->lanes, o->gradient,
		    o->gradient + FLOATS / 2);
}

static void
conv1_weights(const struct kernels *k, const struct operands *o)
{
	conv_weights(k, o, &conv1);
}

static void
conv2_weights(const struct kernels *k, const struct operands *o)
{
	conv_weights(k, o, &conv2);
}

static void
conv2_data(const struct kernels *k, const struct operands *o)
{
	const struct conv_shape *s = &conv2;
	const int in = s->in_channels * s->in_height * s->in_width;
	const int out = s->out_channels * s->out_height * s->out_width;
	int b;

	for (b = 0; b < o->blocks; b++)
		k->conv_backward_data(s, o->gradient_out + b * out * k->lanes,
		    o->weights, o->gradient_in + b * in * k->lanes, o->scratch);
}

static void
conv_pool_forward(const struct kernels *k, const struct operands *o,
    const struct conv_shape *s)
{
	const int in = s->in_channels * s->in_height * s->in_width;
	const int out = s->out_channels * s->out_height * s->out_width / 4;
	int b;

	for (b = 0; b < o->blocks; b++)
		k->conv_pool_forward(s, o->in + b * in * k->lanes, o->weights,
		    o->weights, o->out + b * out * k->lanes,
		    o->marks + b * out * k->lanes);
}

static void
conv1_pool_forward(const struct kernels *k, const struct operands *o)
{
	conv_pool_forward(k, o, &conv1);
}

static void
conv2_pool_forward(const struct kernels *k, const struct operands *o)
{
	conv_pool_forward(k, o, &conv2);
}

/* With the marks that forward left: those of random inputs. */
static void
conv1_pool_backward(const struct kernels *k, const struct operands *o)
{
	k->conv_pool_backward(&conv1, o->blocks, o->in, o->gradient_out,
	    o->marks, o->weights, o->gradient, o->gradient + FLOATS / 2, NULL,
	    o->scratch);
}

static void
conv2_pool_backward(const struct kernels *k, const struct operands *o)
{
	k->conv_pool_backward(&conv2, o->blocks, o->in, o->gradient_out,
	    o->marks, o->weights, o->gradient, o->gradient + FLOATS / 2,
	    o->gradient_in, o->scratch);
}

static void
pool1_forward(const struct kernels *k, const struct operands *o)
{
	int b;

	for (b = 0; b < o->blocks; b++)
		k->pool_forward(&pool1, o->in + b * 5760 * k->lanes,
		    o->out + b * 1440 * k->lanes,
		    o->marks + b * 1440 * k->lanes);
}

static struct linear_shape
linear_of(const struct operands *o)
{
	return (struct linear_shape){ 320, 256, o->blocks };
}

static void
linear_forward(const struct kernels *k, const struct operands *o)
{
	const struct linear_shape s = linear_of(o);

	k->linear_forward(&s, o->in, o->weights, o->weights, o->out);
}

static void
linear_data(const struct kernels *k, const struct operands *o)
{
	const struct linear_shape s = linear_of(o);

	k->linear_backward_data(&s, o->gradient_out, o->weights,
	    o->gradient_in);
}

static void
linear_weights(const struct kernels *k, const struct operands *o)
{
	const struct linear_shape s = linear_of(o);

	k->linear_backward_weights(&s, o->in, o->gradient_out, o->gradient,
	    o->gradient + FLOATS / 2, o->scratch);
}

static const struct subject subjects[] = {
	{ "conv 1->10 forward", 0.288, conv1_forward },
	{ "conv 1->10 weights", 0.288, conv1_weights },
	{ "conv 10->20 forward", 0.640, conv2_forward },
	{ "conv 10->20 data", 0.640, conv2_data },
	{ "conv 10->20 weights", 0.640, conv2_weights },
	{ "conv-pool 1->10 forward", 0.288, conv1_pool_forward },
	{ "conv-pool 1->10 backward", 0.288, conv1_pool_backward },
	{ "conv-pool 10->20 forward", 0.640, conv2_pool_forward },
	{ "conv-pool 10->20 backward", 1.280, conv2_pool_backward },
	{ "pool 10 of 24x24", 0, pool1_forward },
	{ "linear 320->256 forward", 0.164, linear_forward },
	{ "linear 320->256 data", 0.164, linear_data },
	{ "linear 320->256 weights", 0.164, linear_weights },
	{ NULL, 0, NULL },
};

static double
now_s(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Seconds of one call, at best. */
static double
measure(const struct subject *s, const struct kernels *k,
    const struct operands *o)
{
	double best = 1e9, begin, end;
	long calls;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		begin = now_s();
		calls = 0;
		do {
			s->run(k, o);
			calls++;
			end = now_s();
		} while (end - begin < round_s);
		if ((end - begin) / (double)calls < best)
			best = (end - begin) / (double)calls;
	}
	return best;
}

static float *
random_floats(void)
{
	float *f = xaligned(KERNEL_ALIGNMENT, FLOATS * sizeof(float));
	struct rng rng;
	int i;

	rng_init(&rng, 1, 0);
	for (i = 0; i < FLOATS; i++)
		f[i] = rng_uniform(&rng, -1, 1);
	return f;
}

static void
print(const struct kernels *k, const struct operands *o, double peak,
    const char *word)
{
	const struct subject *s;
	double time_s, rate;

	for (s = subjects; s->name != NULL; s++) {
		if (strstr(s->name, word) == NULL)
			continue;
		time_s = measure(s, k, o);
		printf("%-7s %-26s %8.2f us", k->name, s->name,
		    time_s / SAMPLES * 1e6);
		if (s->mflop > 0) {
			rate = s->mflop * SAMPLES / time_s / 1e3;
			printf(" %8.1f GFLOP/s", rate);
			if (peak > 0)
				printf(" %5.0f %%", rate / peak * 100);
		}
		printf("\n");
	}
}

int
main(int argc, char **argv)
{
	static const char *const names[] = { "sse2", "avx2", "avx512" };
	const double peak = argc > 1 ? strtod(argv[1], NULL) : 0;
	const char *word = argc > 3 ? argv[3] : "";
	struct operands o = { 0 };
	size_t i;

	o.in = random_floats();
	o.out = random_floats();
	o.gradient_in = random_floats();
	o.gradient_out = random_floats();
	o.weights = random_floats();
	o.gradient = random_floats();
	o.scratch = random_floats();
	o.marks = xaligned(KERNEL_ALIGNMENT, FLOATS);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		const struct kernels *k = kernels_by_name(names[i]);

		if (k == NULL || (argc > 2 && strcmp(argv[2], names[i]) != 0))
			continue;
		o.blocks = SAMPLES / k->lanes;
		print(k, &o, peak, word);
	}
	return 0;
}
