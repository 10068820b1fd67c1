/*
 * Check-points: what is saved is loaded, to the bit; any damage and any other
 * run is refused; a kill or a full disk at each point leaves the old file or
 * the new one.
 */
#include <sys/wait.h>

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/fault.h"
#include "core/base/files/file.h"
#include "ipu/nn/nn.h"
#include "tests/unit/directory_util.h"
#include "tests/unit/tap.h"

static const char path[] = "./run.ck";
static struct model model;
static struct checkpoint_run run;

/* A small model: each byte of its file is flipped in turn. */
static void
prepare(void)
{
	struct layer_spec conv = { .kind = LAYER_CONV2D,
		.out = 2,
		.kernel = 3,
		.stride = 1 };
	struct layer_spec flatten = { .kind = LAYER_FLATTEN };
	struct layer_spec linear = { .kind = LAYER_LINEAR, .out = 3 };

	model_init(&model, (struct shape){ 1, 4, 4 });
	(void)model_block(&model, "B", -1, NULL);
	(void)model_add(&model, &conv, NULL);
	(void)model_add(&model, &flatten, NULL);
	(void)model_add(&model, &linear, NULL);
	run = (struct checkpoint_run){ .model = &model,
		.optimiser = optimiser_defaults(OPTIMISER_ADAMW, 0.001),
		.seed = 7,
		.samples = 60000,
		.mean = 0.1307f,
		.deviation = 0.3081f,
		.micro_batch = 40,
		.gradient_accumulation = 10,
		.device_iterations = 10,
		.replicas = 2 };
}

/* As after so many epochs: numbers that tell one another apart. */
static struct checkpoint
made(int epochs)
{
	struct checkpoint c;
	size_t i;

	checkpoint_init(&c, &run);
	c.epochs = epochs;
	c.updates = 70L * epochs;
	for (i = 0; i < model.parameter_count; i++) {
		c.parameters[i] = (float)i / 3 + (float)epochs;
		c.state[0][i] = -(float)i / 7;
		c.state[1][i] = (float)i * 1e-30f;
	}
	return c;
}

static bool
same(const struct checkpoint *a, const struct checkpoint *b)
{
	const size_t bytes = model.parameter_count * sizeof(float);

	return a->epochs == b->epochs && a->updates == b->updates &&
	    memcmp(a->parameters, b->parameters, bytes) == 0 &&
	    memcmp(a->state[0], b->state[0], bytes) == 0 &&
	    memcmp(a->state[1], b->state[1], bytes) == 0;
}

static int
save(int epochs, struct error *e)
{
	struct checkpoint c = made(epochs);
	int status = checkpoint_save(&c, &run, path, e);

	checkpoint_release(&c);
	return status;
}

/* The epochs of the file, all of whose numbers are right; -1: it is not. */
static int
loaded(void)
{
	struct checkpoint c, wanted;
	int epochs = -1;

	if (checkpoint_load(&c, &run, path, NULL) == 0) {
		wanted = made(c.epochs);
		if (same(&c, &wanted))
			epochs = c.epochs;
		checkpoint_release(&wanted);
	}
	checkpoint_release(&c);
	return epochs;
}

static void
test_round(void)
{
	struct error e = { .text = "" };
	char *first, *second;
	size_t size, again;

	is_int(save(3, &e), 0, "saved");
	is_int(loaded(), 3, "and loaded, to the bit");
	first = file_read(path, 1 << 20, &size, NULL);
	is_int(save(3, &e), 0, "saved again");
	second = file_read(path, 1 << 20, &again, NULL);
	ok(size == again && memcmp(first, second, size) == 0, "the same bytes");
	free(first);
	free(second);
}

static void
refused(const char *what, const char *wanted)
{
	struct checkpoint c;
	struct error e = { .text = "" };

	is_int(checkpoint_load(&c, &run, path, &e), -1, what);
	if (wanted != NULL)
		is_str(e.text, wanted, "with the reason");
	checkpoint_release(&c);
}

static void
put(const char *bytes, size_t size)
{
	if (file_replace(".", path + 2, bytes, size, NULL) != 0)
		abort();
}

static void
test_damage(void)
{
	char *file;
	size_t size, i, unnoticed = 0, whole = 0;

	(void)save(3, NULL);
	file = file_read(path, 1 << 20, &size, NULL);
	for (i = 0; i < size; i++) {
		file[i] ^= 1 << i % 8;
		put(file, size);
		unnoticed += loaded() != -1;
		file[i] ^= 1 << i % 8;
	}
	is_int((long long)unnoticed, 0, "each byte that differs is noticed");
	for (i = 0; i < size; i++) {
		put(file, i);
		whole += loaded() != -1;
	}
	is_int((long long)whole, 0, "cut off anywhere: refused");
	put(file, size - 1);
	refused("one byte short",
	    "./run.ck is damaged or cut off: its SHA-256 digest does not "
	    "match");
	put("GIF89a, or so", 13);
	refused("another format", "./run.ck is not a check-point");
	put("", 0);
	refused("empty", "./run.ck is not a check-point");
	(void)unlink(path);
	refused("none", "cannot open ./run.ck: No such file or directory");
	free(file);
}

/* `change` is undone by prepare(). */
#define OTHER(change, reason) \
	do { \
		prepare(); \
		change; \
		refused(#change, "./run.ck is from another run: " reason); \
		prepare(); \
	} while (0)

static void
test_other_runs(void)
{
	(void)save(3, NULL);
	OTHER(model.in.height = 5,
	    "it has \"input 1x4x4\", but this run has \"input 1x5x4\"");
	OTHER(model.layers[0].spec.no_bias = true,
	    "it has \"layer 0 conv2d out=2 kernel=3 stride=1 padding=0 "
	    "bias=1\", but this run has \"layer 0 conv2d out=2 kernel=3 "
	    "stride=1 "
	    "padding=0 bias=0\"");
	OTHER(run.optimiser.kind = OPTIMISER_ADAM,
	    "it has \"optimiser adamw learning_rate=0.001 momentum=0 "
	    "beta1=0.90000000000000002 beta2=0.999 epsilon=1e-08 "
	    "weight_decay=0.01\", but this run has \"optimiser adam "
	    "learning_rate=0.001 momentum=0 beta1=0.90000000000000002 "
	    "beta2=0.999 epsilon=1e-08 weight_decay=0.01\"");
	OTHER(run.seed = 8, "it has \"seed 7\", but this run has \"seed 8\"");
	OTHER(run.samples = 60001,
	    "it has \"data files samples=60000 mean=0.130700007 "
	    "deviation=0.308099985\", but this run has \"data files "
	    "samples=60001 "
	    "mean=0.130700007 deviation=0.308099985\"");
	OTHER(run.replicas = 1,
	    "it has \"order batch_size=40 gradient_accumulation=10 "
	    "device_iterations=10 replicas=2\", but this run has \"order "
	    "batch_size=40 "
	    "gradient_accumulation=10 device_iterations=10 replicas=1\"");
	is_int(loaded(), 3, "and the same run takes it still");
}

/* Numbers that no run saves, with a right digest. */
static void
test_places(void)
{
	static const struct {
		int epochs;
		long updates;
	} rows[] = { { 3, LONG_MAX }, { 3, 209 }, { 0, 70 },
		{ INT_MAX, 70L * INT_MAX }, { 1000001, 70L * 1000001 } };
	struct checkpoint c;
	struct error e = { .text = "" };
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		c = made(3);
		c.epochs = rows[i].epochs;
		c.updates = rows[i].updates;
		(void)checkpoint_save(&c, &run, path, NULL);
		checkpoint_release(&c);
		is_int(checkpoint_load(&c, &run, path, &e), -1, "refused");
		ok(strstr(e.text, " updates, which this run never has") != NULL,
		    "with the reason");
		checkpoint_release(&c);
	}
	(void)save(1000000, NULL);
	is_int(loaded(), 1000000, "the last epoch that a run may have");
}

/*
 * In a child: save epoch 2 over epoch 1 with a fault at point n.  Returns its
 * status, or -1 where it was killed.
 */
static int
attempt(long n, int number)
{
	struct error e;
	int status;
	pid_t pid;

	(void)fflush(stdout);
	pid = fork();
	if (pid == 0) {
		fault_arm(n, number);
		_exit(save(2, &e) == 0		    ? 0 :
			e.code == ERROR_UNCONFIRMED ? 2 :
						      1);
	}
	(void)waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void
test_faults(void)
{
	long n, kills = 0, wrong = 0;
	int status, epochs;

	for (n = 1; n < 50; n++) {
		(void)save(1, NULL);
		if ((status = attempt(n, 0)) == 0)
			break;
		epochs = loaded();
		kills++;
		wrong += status != -1 || (epochs != 1 && epochs != 2);
	}
	printf("# %ld kills\n", kills);
	ok(kills >= 5 && n < 50, "killed at each point");
	is_int(wrong, 0, "each time the old file or the new one is there");
	for (n = 1, wrong = 0; n <= kills; n++) {
		(void)save(1, NULL);
		status = attempt(n, ENOSPC);
		epochs = loaded();
		/* Failed: the old one; but for a flush of the directory. */
		wrong += status == 0 ? epochs != 2 :
		    status == 2	     ? epochs != 2 :
				       epochs != 1;
	}
	is_int(wrong, 0, "no room at each point: what failed changed nothing");
}

int
main(void)
{
	prepare();
	test_round();
	test_damage();
	test_other_runs();
	test_places();
	test_faults();
	directory_clean(directory_at("."));
	return tap_done();
}
