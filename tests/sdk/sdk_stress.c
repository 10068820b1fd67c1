/*
 * A program of somebody's own that meets its peers, for tests/cli/sdk-stress.t:
 *
 *	sdk_stress ROUNDS SEED [die INSTANCE ROUND | exit INSTANCE ROUND]
 *
 * Four threads of each instance take part in four collectives a round, which
 * thread takes which one is drawn; vectors have a random length, up to what
 * goes through memory.  All results are checked.  One instance may be killed,
 * or exit, in a round; then the others print the first error that they get.
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config/sdk/include/popdist.h"

enum { THREADS = 4, COUNT_MAX = 20000 };

struct worker {
	pthread_t thread;
	int number;
	int64_t *wide; /* COUNT_MAX of each instance */
};

static int rounds, instance, instances, end_round = -1;
static unsigned seed;
static const char *end_how;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int failures;

/* The tests give numbers only. */
static int
number(const char *text)
{
	int value = -1;

	(void)sscanf(text, "%d", &value);
	return value;
}

/* xorshift: the same numbers for the same words, on each instance. */
static unsigned
draw(unsigned a, unsigned b)
{
	unsigned x = a * 2654435761U ^ (b + 0x9e3779b9U + seed);
	int i;

	for (i = 0; i < 4; i++) {
		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
	}
	return x;
}

/* Which collective that thread has in a round: another order for each
   instance and round. */
static int
choose(int round, int thread)
{
	int order[THREADS] = { 0, 1, 2, 3 }, i, j, kept;

	for (i = THREADS - 1; i > 0; i--) {
		j = (int)(draw((unsigned)(round * 7919 + instance),
			      (unsigned)i) %
		    (unsigned)(i + 1));
		kept = order[i];
		order[i] = order[j];
		order[j] = kept;
	}
	return order[thread];
}

/* Mostly short, sometimes none, sometimes through memory. */
static size_t
length_of(int round, int which)
{
	const unsigned x = draw((unsigned)round, (unsigned)which + 100);

	switch (x % 8) {
	case 0:
		return 0;
	case 1:
		return x / 8 % COUNT_MAX;
	default:
		return x / 8 % 100;
	}
}

static int64_t
value_of(int who, int round, size_t i)
{
	return (int64_t)who * 1000003 + round * 31 + (int64_t)i;
}

static void
wrong(const char *what, int round)
{
	(void)pthread_mutex_lock(&mutex);
	printf("instance %d: wrong %s in round %d\n", instance, what, round);
	failures++;
	(void)pthread_mutex_unlock(&mutex);
}

static int
sum(struct worker *w, int round, const char *id)
{
	const size_t count = length_of(round, 1);
	int64_t expected;
	size_t i;
	int who;

	for (i = 0; i < count; i++)
		w->wide[i] = value_of(instance, round, i);
	if (popdist_all_reduce_sum(w->wide, count, POPDIST_INT64, NULL, id) !=
	    0)
		return -1;
	for (i = 0; i < count; i++) {
		for (expected = 0, who = 0; who < instances; who++)
			expected += value_of(who, round, i);
		if (w->wide[i] != expected) {
			wrong("sum", round);
			break;
		}
	}
	return 0;
}

/* Every other round in place. */
static int
gather(struct worker *w, int round, const char *id)
{
	const size_t count = length_of(round, 2) / 4;
	int64_t *own = w->wide + (size_t)instances * COUNT_MAX / 2;
	size_t i;
	int who;

	if (round % 2 == 0)
		own = w->wide + (size_t)instance * count;
	for (i = 0; i < count; i++)
		own[i] = value_of(instance, round, i);
	if (popdist_all_gather(round % 2 == 0 ? NULL : own, w->wide, count,
		POPDIST_INT64, NULL, id) != 0)
		return -1;
	for (who = 0; who < instances; who++)
		for (i = 0; i < count; i++)
			if (w->wide[(size_t)who * count + i] !=
			    value_of(who, round, i)) {
				wrong("gather", round);
				return 0;
			}
	return 0;
}

static int
broadcast(struct worker *w, int round, const char *id)
{
	const size_t count = length_of(round, 3);
	const int root = round % instances;
	size_t i;

	for (i = 0; i < count; i++)
		w->wide[i] = value_of(instance, round, i);
	if (popdist_broadcast(w->wide, count, POPDIST_INT64, root, NULL, id) !=
	    0)
		return -1;
	for (i = 0; i < count; i++)
		if (w->wide[i] != value_of(root, round, i)) {
			wrong("broadcast", round);
			break;
		}
	return 0;
}

static void *
work(void *argument)
{
	struct worker *w = argument;
	int round, status = 0;
	char id[32];

	for (round = 0; round < rounds && status == 0; round++) {
		const int which = choose(round, w->number);

		if (round == end_round && w->number == 0) {
			if (strcmp(end_how, "die") == 0)
				(void)kill(getpid(), SIGKILL);
			_exit(3);
		}
		(void)snprintf(id, sizeof(id), "%d of %d", which, round);
		if (which == 0)
			status = popdist_synchronize(NULL, id);
		else if (which == 1)
			status = sum(w, round, id);
		else if (which == 2)
			status = gather(w, round, id);
		else
			status = broadcast(w, round, id);
	}
	if (status == 0)
		return NULL;
	(void)pthread_mutex_lock(&mutex);
	if (failures++ == 0)
		printf("instance %d: %s\n", instance, popdist_error_text());
	(void)pthread_mutex_unlock(&mutex);
	return NULL;
}

int
main(int argc, char **argv)
{
	struct worker workers[THREADS];
	int i;

	rounds = number(argv[1]);
	seed = (unsigned)number(argv[2]);
	instance = popdist_instance_index();
	instances = popdist_num_instances();
	if (argc == 6 && number(argv[4]) == instance) {
		end_how = argv[3];
		end_round = number(argv[5]);
	}
	/* So that poprun does not end the others before they speak. */
	if (argc == 6)
		(void)signal(SIGTERM, SIG_IGN);
	if (popdist_initialize_backend() != 0) {
		printf("instance %d: %s\n", instance, popdist_error_text());
		return 1;
	}
	for (i = 0; i < THREADS; i++) {
		workers[i].number = i;
		workers[i].wide = calloc((size_t)(instances + 1) * COUNT_MAX,
		    sizeof(int64_t));
		if (workers[i].wide == NULL)
			return 1;
	}
	for (i = 0; i < THREADS; i++)
		(void)pthread_create(&workers[i].thread, NULL, work,
		    &workers[i]);
	for (i = 0; i < THREADS; i++)
		(void)pthread_join(workers[i].thread, NULL);
	for (i = 0; i < THREADS; i++)
		free(workers[i].wide);
	return failures != 0 || popdist_finalize_backend() != 0;
}
