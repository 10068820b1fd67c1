/*
 * A child that computes a model: its answers to messages, valid and not, its
 * numbers, and its end.
 */
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ipu/engine/engine_child.h"
#include "tests/unit/tap.h"

enum {
	IN = 3,
	CLASSES = 2,
	SAMPLES = 8, /* of a micro-batch */
	BATCHES = 2,
	ITERATIONS = 2,
	ALL = SAMPLES * BATCHES * ITERATIONS,
	PARAMETERS = IN * CLASSES + CLASSES,
	NORM_PARAMETERS = 4 * IN, /* weights, biases, means, variances */
	PARAMETERS_MAX = NORM_PARAMETERS + PARAMETERS,
	ALIGNMENT = 64
};

static const char model[] = "[model]\nname = m\ninput = 3x1x1\n[block b]\n"
			    "ipu = 0\nlayer = linear out_features=2\n"
			    "layer = cross-entropy\n";

struct child {
	pid_t pid;
	int socket;
	struct engine_child_setup setup;
	char *memory;
	struct engine_child_answer answer;
	char text[1024];
};

/* The place of the next array. */
static uint64_t
place(struct child *c, size_t bytes)
{
	const uint64_t at = c->setup.memory_bytes;

	c->setup.memory_bytes += (bytes + ALIGNMENT - 1) / ALIGNMENT *
	    ALIGNMENT;
	return at;
}

static void
start(struct child *c, int threads)
{
	int sockets[2], memory = memfd_create("test", MFD_CLOEXEC);

	*c = (struct child){
		.setup = { .version = ENGINE_CHILD_VERSION,
		    .text_bytes = sizeof(model) - 1,
		    .training = 1,
		    .threads = (uint32_t)threads,
		    .micro_batch = SAMPLES,
		    .micro_batches = BATCHES,
		    .iterations = ITERATIONS,
		    .replicas = 1,
		    .memory_bytes = ALIGNMENT }
	};
	c->setup.inputs = place(c, sizeof(float[ALL][IN]));
	c->setup.targets = place(c, sizeof(int64_t[ALL]));
	c->setup.outputs = place(c, sizeof(float[ALL][CLASSES]));
	c->setup.losses = place(c, sizeof(float[BATCHES * ITERATIONS]));
	c->setup.times = place(c, sizeof(double[ITERATIONS]));
	c->setup.parameters = place(c, sizeof(float[PARAMETERS_MAX]));
	c->setup.gradients = place(c, sizeof(float[PARAMETERS_MAX]));
	c->setup.optimiser = place(c, ALIGNMENT);
	(void)ftruncate(memory, (off_t)c->setup.memory_bytes);
	c->memory = mmap(NULL, (size_t)c->setup.memory_bytes,
	    PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
	(void)socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets);
	(void)fflush(stdout);
	if ((c->pid = fork()) == 0) {
		(void)dup2(sockets[1], STDIN_FILENO);
		(void)dup2(memory, STDOUT_FILENO);
		_exit(engine_child_run(STDIN_FILENO, STDOUT_FILENO, NULL) == 0 ?
			0 :
			1);
	}
	(void)close(sockets[1]);
	(void)close(memory);
	c->socket = sockets[0];
}

/* Read the answer; false: the child has ended. */
static bool
hear(struct child *c)
{
	if (recv(c->socket, &c->answer, sizeof(c->answer), MSG_WAITALL) !=
	    sizeof(c->answer))
		return false;
	memset(c->text, 0, sizeof(c->text));
	return c->answer.text_bytes == 0 ||
	    recv(c->socket, c->text, c->answer.text_bytes, MSG_WAITALL) ==
	    (ssize_t)c->answer.text_bytes;
}

static bool
set_up(struct child *c, const char *text)
{
	c->setup.text_bytes = (uint32_t)strlen(text);
	(void)send(c->socket, &c->setup, sizeof(c->setup), 0);
	(void)send(c->socket, text, strlen(text), 0);
	return hear(c);
}

static bool
call(struct child *c, uint32_t flags, uint32_t first, uint32_t count)
{
	const struct engine_child_call message = { .flags = flags,
		.first = first,
		.count = count,
		.ranges = 1,
		.scale = 1.0 / BATCHES };
	const struct engine_child_range range = { .count = PARAMETERS,
		.learning_rate = 0.5 };

	(void)send(c->socket, &message, sizeof(message), 0);
	(void)send(c->socket, &range, sizeof(range), 0);
	return hear(c);
}

/* Close the socket; the child's exit status. */
static int
end(struct child *c)
{
	int status;

	(void)close(c->socket);
	(void)waitpid(c->pid, &status, 0);
	(void)munmap(c->memory, (size_t)c->setup.memory_bytes);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static float *
floats(const struct child *c, uint64_t at)
{
	return (float *)(void *)(c->memory + at);
}

static int64_t *
targets(const struct child *c)
{
	return (int64_t *)(void *)(c->memory + c->setup.targets);
}

/* All samples are ones of class 1: each update moves the biases and weights by
   the same. */
static void
fill(struct child *c)
{
	int i;

	for (i = 0; i < ALL * IN; i++)
		floats(c, c->setup.inputs)[i] = 1;
	for (i = 0; i < ALL; i++)
		targets(c)[i] = 1;
}

/*
 * By hand: all weights 0 give a loss of log 2 and gradients of 0.5 and -0.5 at
 * the outputs, so an update by 0.5 moves all by 0.25; the difference of the
 * outputs is then 4 x 0.5 = 2, and the loss log(1 + exp(-2)).
 */
static void
test_numbers(int threads)
{
	struct child c;
	float *losses, *parameters;
	const double *times;

	start(&c, threads);
	fill(&c);
	losses = floats(&c, c.setup.losses);
	parameters = floats(&c, c.setup.parameters);
	times = (double *)(void *)(c.memory + c.setup.times);
	ok(set_up(&c, model) && c.answer.code == 0, "a setup");
	ok(call(&c,
	       ENGINE_CHILD_LOAD | ENGINE_CHILD_COMPUTE | ENGINE_CHILD_UPDATE,
	       0, ITERATIONS) &&
		c.answer.code == 0,
	    "a call");
	is_near(losses[0], log(2), 1e-6, "the first loss");
	is_near(losses[1], log(2), 1e-6, "before the update too");
	is_near(losses[2], log1p(exp(-2)), 1e-6, "after it");
	ok(times[0] > 0 && times[1] >= times[0], "times");
	is_near(floats(&c, c.setup.outputs)[ALL * CLASSES - 1], 1, 1e-6,
	    "the last output");
	parameters[0] = 1;
	ok(call(&c, ENGINE_CHILD_LOAD | ENGINE_CHILD_COMPUTE, 1, 1), "alone");
	is_near(floats(&c, c.setup.gradients)[0],
	    BATCHES /
		(1 +
		    exp((double)(parameters[7] + 3 * parameters[5] -
			parameters[6] - 1 - 2 * parameters[1]))),
	    1e-5, "gradients are sums over micro-batches");
	ok(call(&c, ENGINE_CHILD_UPDATE, 1, 1) && parameters[0] < 1,
	    "an update alone");
	is_int(end(&c), 0, "it ends with the program's socket");
}

/* The running mean of an input, by the rule: those of the first replica's
   micro-batches in turn. */
static double
running_mean(const struct child *c, int input, int replicas)
{
	double mean = 0, sum;
	int batch, i;

	for (batch = 0; batch < BATCHES * ITERATIONS; batch += replicas) {
		for (sum = i = 0; i < SAMPLES; i++)
			sum += (double)floats(c,
			    c->setup
				.inputs)[(batch * SAMPLES + i) * IN + input];
		mean = 0.1 * (sum / SAMPLES) + 0.9 * mean;
	}
	return mean;
}

/* The statistics are those of whole micro-batches, also where threads compute
   parts of them: the same bits. */
static void
test_norm(int replicas)
{
	static const char norm[] =
	    "[model]\nname = m\ninput = 3x1x1\n[block b]\nipu = 0\n"
	    "layer = batch_norm\nlayer = linear out_features=2\n"
	    "layer = cross-entropy\n";
	const size_t all = sizeof(float[2 * IN]);
	float kept[2 * IN], *buffers;
	struct child c;
	int threads, i;

	(void)setenv("IPUBOX_KERNELS", "sse2", 1); /* lanes of 4 samples */
	for (threads = 1; threads <= 3; threads++) {
		start(&c, threads);
		c.setup.replicas = (uint32_t)replicas;
		fill(&c);
		for (i = 0; i < ALL * IN; i++)
			floats(&c, c.setup.inputs)[i] = (float)sin(i * i);
		buffers = floats(&c, c.setup.parameters) + 2 * IN;
		ok(set_up(&c, norm) && c.answer.code == 0, "norm");
		ok(call(&c,
		       ENGINE_CHILD_LOAD | ENGINE_CHILD_COMPUTE |
			   ENGINE_CHILD_UPDATE,
		       0, ITERATIONS) &&
			c.answer.code == 0,
		    "a call");
		for (i = 0; i < IN; i++)
			is_near((double)buffers[i],
			    running_mean(&c, i, replicas), 1e-6, "mean");
		if (threads == 1)
			memcpy(kept, buffers, all);
		ok(memcmp(kept, buffers, all) == 0, "the same bits");
		is_int(end(&c), 0, "it ends");
	}
	(void)unsetenv("IPUBOX_KERNELS");
}

static void
test_targets(void)
{
	struct child c;

	start(&c, 2);
	fill(&c);
	targets(&c)[ALL - 1] = CLASSES;
	ok(set_up(&c, model), "a setup");
	ok(call(&c, ENGINE_CHILD_COMPUTE | ENGINE_CHILD_UPDATE, 0, ITERATIONS),
	    "a call");
	is_int(c.answer.code, ERROR_INVALID, "is refused");
	is_str(c.text, "target 2 is out of bounds; it must be from 0 to 1",
	    "and says why");
	is_near(floats(&c, c.setup.parameters)[0], 0, 0, "nothing was run");
	ok(call(&c, ENGINE_CHILD_COMPUTE, 0, 1) && c.answer.code == 0,
	    "another call");
	ok(call(&c, ENGINE_CHILD_COMPUTE, 1, 2) &&
		c.answer.code == ERROR_INVALID,
	    "too many device iterations");
	is_int(end(&c), 0, "it ends");
}

/* Each member in turn has a value that is not valid. */
static void
test_setups(void)
{
	static const struct {
		const char *name;
		size_t offset, size;
		uint64_t value;
	} rows[] = {
#define ROW(member, value) \
	{ #member, offsetof(struct engine_child_setup, member), \
		sizeof(((struct engine_child_setup *)0)->member), (value) }
		ROW(version, 1),
		ROW(threads, 0),
		ROW(threads, 65),
		ROW(micro_batch, 0),
		ROW(micro_batches, UINT32_MAX),
		ROW(iterations, UINT32_MAX),
		ROW(states, 99),
		ROW(replicas, 0),
		ROW(replicas, BATCHES + 1),
		ROW(memory_bytes, UINT64_MAX),
		ROW(memory_bytes, 0),
		ROW(inputs, 1),
		ROW(inputs, 0),
		ROW(targets, 0),
		ROW(outputs, UINT64_MAX - 63),
		ROW(parameters, 1 << 20),
		ROW(gradients, 0),
		ROW(times, 0),
		ROW(generator, ALIGNMENT),
	};
	struct child c;
	uint32_t half;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		start(&c, 1);
		half = (uint32_t)rows[i].value;
		memcpy((char *)&c.setup + rows[i].offset,
		    rows[i].size == sizeof(half) ? (const void *)&half :
						   &rows[i].value,
		    rows[i].size);
		ok(set_up(&c, model) && c.answer.code != 0 && c.text[0] != '\0',
		    rows[i].name);
		is_int(end(&c), 0, "and ends");
	}
	start(&c, 1);
	ok(set_up(&c, "[model]\n") && c.answer.code != 0, "another text");
	is_int(end(&c), 0, "and ends");
}

int
main(void)
{
	(void)signal(SIGPIPE, SIG_IGN);
	test_numbers(1);
	test_numbers(2);
	test_numbers(3);
	test_norm(1);
	test_norm(2);
	test_targets();
	test_setups();
	return tap_done();
}
