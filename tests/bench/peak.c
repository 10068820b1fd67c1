/*
 * The most this machine's cores multiply and add in single precision, all at
 * once: peak [THREADS].  Prints GFLOP/s of one thread and of all (as many as
 * there are cores, unless told), a fused multiply-add being two operations.
 * Each thread runs chains of vectors that never leave the registers; the best
 * of many short rounds counts, for a machine is never slower than its best.
 */
#include <bsd/stdlib.h>

#include <err.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { THREADS_MAX = 1024, ROUNDS = 200, CHAINS = 12 };

static const long steps = 200000; /* of all chains, in a round */

typedef float vec4 __attribute__((vector_size(16)));
typedef float vec8 __attribute__((vector_size(32)));
typedef float vec16 __attribute__((vector_size(64)));

/*
 * Chains enough for two multipliers of latency 4 to 6.  The Makefile has this
 * file compiled with contraction.
 */
#define LOOP(name, isa, vec) \
	__attribute__((target(isa))) static float name(void) \
	{ \
		vec sum[CHAINS], a = { 0 }, b = { 0 }; \
		long n; \
		int i; \
\
		a += 0.999f; \
		b += 0.001f; \
		for (i = 0; i < CHAINS; i++) \
			sum[i] = a * (float)i; \
		for (n = 0; n < steps; n++) { \
			_Pragma("GCC unroll 16") for (i = 0; i < CHAINS; i++) \
			    sum[i] = sum[i] * a + b; \
		} \
		for (i = 1; i < CHAINS; i++) \
			sum[0] += sum[i]; \
		return sum[0][0]; \
	}

LOOP(loop_sse2, "sse2", vec4)
LOOP(loop_avx2, "avx2,fma", vec8)
LOOP(loop_avx512, "avx512f", vec16)

static float (*loop)(void) = loop_sse2;
static int lanes = 4;
static pthread_barrier_t start;

static void
choose_loop(void)
{
	if (__builtin_cpu_supports("avx512f")) {
		loop = loop_avx512;
		lanes = 16;
	} else if (__builtin_cpu_supports("avx2") &&
	    __builtin_cpu_supports("fma")) {
		loop = loop_avx2;
		lanes = 8;
	}
}

static double
now_s(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The best of the rounds, in GFLOP/s, to *argument. */
static void *
measure(void *argument)
{
	double *best = argument, begin, rate;
	volatile float sink;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		(void)pthread_barrier_wait(&start);
		begin = now_s();
		sink = loop();
		(void)sink;
		rate = 2e-9 * (double)steps * CHAINS * lanes /
		    (now_s() - begin);
		if (rate > *best)
			*best = rate;
	}
	return NULL;
}

static double
measure_threads(int count)
{
	static pthread_t threads[THREADS_MAX];
	static double best[THREADS_MAX];
	double sum = 0;
	int i;

	(void)memset(best, 0, sizeof(best));
	(void)pthread_barrier_init(&start, NULL, (unsigned)count);
	for (i = 0; i < count; i++)
		if (pthread_create(&threads[i], NULL, measure, &best[i]) != 0)
			errx(1, "cannot start %d threads", count);
	for (i = 0; i < count; i++) {
		(void)pthread_join(threads[i], NULL);
		sum += best[i];
	}
	(void)pthread_barrier_destroy(&start);
	return sum;
}

int
main(int argc, char **argv)
{
	const char *bad = NULL;
	long long count = sysconf(_SC_NPROCESSORS_ONLN);

	if (argc > 1)
		count = strtonum(argv[1], 1, THREADS_MAX, &bad);
	if (argc > 2 || bad != NULL)
		errx(2, "usage: peak [THREADS]");
	choose_loop();
	printf("%.1f ", measure_threads(1));
	printf("%.1f\n", measure_threads((int)count));
	return 0;
}
