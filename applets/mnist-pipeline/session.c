#include "applets/mnist-pipeline/session.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>
#include <time.h>

#include "applets/mnist-pipeline/progress.h"
#include "core/base/alloc.h"
#include "core/base/error.h"
#include "core/job/popdist.h"
#include "ipu/attach.h"
#include "ipu/engine/engine.h"
#include "ipu/engine/trace_json.h"
#include "ipu/gcda.h"
#include "ipu/nn/dataset.h"
#include "ipu/nn/rng.h"

enum {
	STAGES = 4,		/* B1 to B4, an IPU each */
	GENERATED_TRAIN = 60000,
	GENERATED_TEST = 10000,
	JOIN_SECONDS = 120	/* for instances that start later */
};

/* Streams of the seed; the layers have 0, 1, ... */
enum { SHUFFLE_STREAM = 1000, TEST_STREAM = 999 };

struct session {
	const struct session_options	*options;
	struct popdist			 popdist;
	FILE				*out;	/* NULL: not the first
						   instance, say nothing */
	bool				 redraw;	/* the bar */
	struct dataset			 train, test;
	struct model			 model;
	const struct kernels		*kernels;
	struct collective		*collective;
	struct attachment		 attachment;
	struct gcda_options		 gcda;
	uint32_t			 calls;	/* of engines, so far */
	uint32_t			*order;
	float				*parameters;
	FILE				*trace_file;
	struct trace_writer		 trace;
};

static int
read_data(struct session *s, struct error *e)
{
	const char	*dir = s->options->data_dir;

	if (dataset_read(&s->train, dir, DATASET_TRAIN, e) == -1)
		return -1;
	return dataset_read(&s->test, dir, DATASET_TEST, e);
}

static void
draw_data(struct session *s)
{
	const uint64_t	seed = s->options->seed;

	if (s->out != NULL) {
		fprintf(s->out, "Dataset: %d + %d generated digits "
		    "(not MNIST)\n", GENERATED_TRAIN, GENERATED_TEST);
		(void)fflush(s->out);
	}
	dataset_draw(&s->train, DATASET_TRAIN, GENERATED_TRAIN, seed);
	dataset_draw(&s->test, DATASET_TEST, GENERATED_TEST, seed);
}

/* Join the other replicas, where there are any. */
static int
join(struct session *s, struct error *e)
{
	const struct popdist	*p = &s->popdist;
	struct collective_config c = {
		.total = p->num_total_replicas,
		.first = p->replica_index_offset,
		.local = p->num_local_replicas,
		.part_count = STAGES,
		.join_seconds = JOIN_SECONDS
	};
	const struct layer	*l;
	int			 b, i;

	if (c.total == 1)
		return 0;
	if (c.total > c.local &&
	    (c.path = getenv(COLLECTIVE_VARIABLE)) == NULL)
		return error_set(e, "%d replicas in several instances, but %s "
		    "is not set: start them with poprun on one host", c.total,
		    COLLECTIVE_VARIABLE);
	for (b = 0; b < STAGES; b++) {
		for (i = 0; i < s->model.blocks[b].layer_count; i++) {
			l = &s->model.layers[s->model.blocks[b].first_layer +
			    i];
			c.floats[b] += l->weights + l->biases;
		}
	}
	s->collective = collective_open(&c, e);
	return s->collective == NULL ? -1 : 0;
}

static int
attach_ipus(struct session *s, struct error *e)
{
	const struct popdist	*p = &s->popdist;
	const int		 ipus = STAGES * p->num_local_replicas;

	if (p->is_set && p->num_ipus_per_replica != STAGES)
		return error_set(e, "the model needs %d IPUs per replica, but "
		    "POPDIST_NUM_IPUS_PER_REPLICA is %d: use poprun "
		    "--ipus-per-replica %d", STAGES, p->num_ipus_per_replica,
		    STAGES);
	if (attach(&s->attachment, ipus, -1, s->options->command, e) == -1)
		return -1;
	if (s->options->debug)
		fprintf(stderr, "mnist-pipeline: debug: Acquired %d IPU(s): "
		    "running on device Id %d. Kernels: %s.\n", ipus,
		    s->attachment.device.id, s->kernels->name);
	return 0;
}

static int
open_profile(struct session *s, struct error *e)
{
	const char	*dir = s->options->profile_dir;
	const int	 first = s->popdist.replica_index_offset;
	struct timespec	 t;
	char		*path;
	int		 r, i;

	if (mkdir(dir, 0777) == -1 && errno != EEXIST)
		return error_set_errno(e, "cannot make the folder %s", dir);
	path = s->popdist.num_instances > 1 ?
	    xasprintf("%s/trace_%d.json", dir, s->popdist.instance_index) :
	    xasprintf("%s/trace.json", dir);
	if ((s->trace_file = fopen(path, "we")) == NULL)
		(void)error_set_errno(e, "cannot write %s", path);
	free(path);
	if (s->trace_file == NULL)
		return -1;
	if (s->out != NULL)
		fputs("Profiling is enabled.\n", s->out);
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	trace_open(&s->trace, s->trace_file,
	    (int64_t)t.tv_sec * 1000000000 + t.tv_nsec);
	for (r = 0; r < s->popdist.num_local_replicas; r++)
		for (i = 0; i < STAGES; i++)
			trace_name(&s->trace, first + r, i);
	return 0;
}

static int
close_profile(struct session *s, struct error *e)
{
	bool	bad;

	trace_close(&s->trace);
	bad = ferror(s->trace_file) != 0;
	bad = fclose(s->trace_file) != 0 || bad;
	s->trace_file = NULL;
	return bad ? error_set_errno(e, "cannot write the profile in %s",
	    s->options->profile_dir) : 0;
}

static struct engine_config
training_config(const struct session *s)
{
	const struct session_options	*o = s->options;
	struct engine_config		 c = {
		.model = &s->model,
		.kernels = s->kernels,
		.stages = STAGES,
		.stage_blocks = { 1, 1, 1, 1 },
		.stage_ipu = { 0, 1, 2, 3 },
		.strategy = o->strategy,
		.training = true,
		.output_mode = OUTPUT_ALL,
		.micro_batch = o->batch_size,
		.gradient_accumulation = o->gradient_accumulation,
		.device_iterations = o->device_iterations,
		.local_replicas = s->popdist.num_local_replicas,
		.first_replica = s->popdist.replica_index_offset,
		.total_replicas = s->popdist.num_total_replicas,
		.collective = s->collective,
		.optimiser = optimiser_defaults(OPTIMISER_ADAMW,
		    o->learning_rate),
		.offload_optimiser = o->offload_optimiser,
		.mean = 0.1307f,
		.deviation = 0.3081f,
		.trace = o->profile,
		.attachment = &s->attachment
	};

	/* As the tutorial's script: when sharded it does not set gradient
	   accumulation, and the loader's samples make one large batch. */
	if (o->strategy == STRATEGY_SHARDED) {
		c.micro_batch *= c.gradient_accumulation;
		c.gradient_accumulation = 1;
	}
	return c;
}

static struct engine_config
inference_config(const struct session *s)
{
	const struct session_options	*o = s->options;
	struct engine_config		 c = training_config(s);

	c.training = false;
	c.micro_batch = o->test_batch_size;
	c.device_iterations = o->device_iterations * o->gradient_accumulation;
	c.gradient_accumulation = 1;
	c.local_replicas = c.total_replicas = 1;
	c.collective = NULL;
	return c;
}

/* What PopTorch refuses, before any work is done. */
static int
check_schedule(const struct engine_config *c, struct error *e)
{
	struct schedule		s;
	struct schedule_config	config = engine_schedule(c);
	const int		status = schedule_init(&s, &config, e);

	schedule_release(&s);
	return status;
}

static int
check_schedules(const struct session *s, struct error *e)
{
	const struct engine_config	training = training_config(s);
	const struct engine_config	inference = inference_config(s);

	if (check_schedule(&training, e) == -1)
		return -1;
	return check_schedule(&inference, e);
}

static uint32_t *
shuffled(const struct session *s, uint32_t count, uint64_t stream)
{
	uint32_t	*order = xreallocarray(NULL, count, sizeof(*order));
	uint32_t	 i;
	struct rng	 rng;

	for (i = 0; i < count; i++)
		order[i] = i;
	rng_init(&rng, s->options->seed, stream);
	rng_shuffle(&rng, order, count);
	return order;
}

/* Means over all samples of the engine's last call. */
static void
summarise(const struct engine *engine, double *loss, double *accuracy)
{
	const struct outcome	*o;
	long			 samples = 0, correct = 0;
	int			 i, count;

	o = engine_outcomes(engine, &count);
	*loss = 0;
	for (i = 0; i < count; i++) {
		*loss += o[i].loss;
		correct += o[i].correct;
		samples += o[i].samples;
	}
	*loss /= (double)samples;
	*accuracy = 100 * (double)correct / (double)samples;
}

/*
 * One call.  A simulated error comes to the device's first IPU, so that the
 * call finds it there.
 */
static int
call_engine(struct session *s, struct engine *engine,
    const struct engine_input *input, struct error *e)
{
	const uint32_t	errors = gcda_soc_errors(&s->gcda, s->calls++);

	if (errors != 0)
		(void)atomic_fetch_or(&attachment_slot(&s->attachment,
		    0)->soc_error, errors);
	return engine_call(engine, input, e);
}

static void
keep_trace(struct session *s, const struct engine *engine)
{
	int	r, i;

	for (r = 0; s->trace_file != NULL &&
	    r < s->popdist.num_local_replicas; r++)
		for (i = 0; i < STAGES; i++)
			trace_write(&s->trace, engine_trace(engine, r, i));
}

static void
print_checksums(const struct session *s, const struct engine *engine, int epoch)
{
	int	r;

	for (r = 0; r < s->popdist.num_local_replicas; r++)
		fprintf(stderr, "mnist-pipeline: debug: Epoch %d: replica %d: "
		    "weights %016" PRIx64 "\n", epoch,
		    s->popdist.replica_index_offset + r,
		    engine_checksum(engine, r));
}

/*
 * An epoch: every replica of the job shuffles alike and takes its own part of
 * each call's samples; what does not fill a call is left out.
 */
static int
train_epoch(struct session *s, struct engine *engine, int epoch,
    struct error *e)
{
	const struct popdist	*p = &s->popdist;
	const int		 mine = engine_samples(engine);
	const int		 all = mine / p->num_local_replicas *
	    p->num_total_replicas;
	const int		 first = mine / p->num_local_replicas *
	    p->replica_index_offset;
	const int		 calls = (int)(s->train.count / (uint32_t)all);
	uint32_t		*order = shuffled(s, s->train.count,
	    (uint64_t)(SHUFFLE_STREAM + epoch));
	struct engine_input	 input = { s->train.pixels, s->train.labels,
	    NULL };
	struct progress		 bar;
	double			 loss, accuracy;
	char			 text[64];
	int			 call, status = 0;

	progress_start(&bar, s->out, s->redraw, calls);
	for (call = 0; call < calls && status == 0; call++) {
		input.order = order + (ptrdiff_t)call * all + first;
		status = call_engine(s, engine, &input, e);
		if (status == -1)
			break;
		summarise(engine, &loss, &accuracy);
		(void)snprintf(text, sizeof(text),
		    "Loss:%0.4f | Accuracy:%0.2f%%", loss, accuracy);
		progress_show(&bar, call + 1, text);
		keep_trace(s, engine);
	}
	free(order);
	if (status == 0 && s->options->debug)
		print_checksums(s, engine, epoch);
	return status;
}

static int
check_size(const char *what, uint32_t have, long long need, struct error *e)
{
	if (have >= need)
		return 0;
	return error_set(e, "%s has %u samples, one call takes %lld: choose a "
	    "smaller batch size, gradient accumulation or number of device "
	    "iterations", what, have, need);
}

static int
train(struct session *s, struct error *e)
{
	struct engine_config	 c = training_config(s);
	struct engine		*engine;
	int			 epoch, status = 0;

	if (check_size("the training set", s->train.count, (long long)
	    c.micro_batch * c.gradient_accumulation * c.device_iterations *
	    c.total_replicas, e) == -1 ||
	    (engine = engine_start(&c, e)) == NULL)
		return -1;
	model_initialise(&s->model, s->options->seed, s->parameters);
	engine_set_parameters(engine, s->parameters);
	if (s->out != NULL)
		fputs("Training...\n", s->out);
	for (epoch = 1; epoch <= s->options->epochs && status == 0; epoch++) {
		if (s->out != NULL)
			fprintf(s->out, "Epoch %d/%d\n", epoch,
			    s->options->epochs);
		status = train_epoch(s, engine, epoch, e);
	}
	engine_parameters(engine, 0, s->parameters);
	engine_stop(engine);
	return status;
}

/* On the first instance, by its first replica. */
static int
test(struct session *s, struct error *e)
{
	struct engine_config	 c = inference_config(s);
	struct engine		*engine = NULL;
	struct engine_input	 input = { s->test.pixels, s->test.labels,
	    NULL };
	struct progress		 bar;
	uint32_t		*order;
	double			 loss, accuracy, sum = 0;
	int			 call, calls, status = 0;

	if (check_size("the test set", s->test.count, (long long)c.micro_batch *
	    c.device_iterations, e) == -1 ||
	    (engine = engine_start(&c, e)) == NULL)
		return -1;
	engine_set_parameters(engine, s->parameters);
	calls = (int)(s->test.count / (uint32_t)engine_samples(engine));
	order = shuffled(s, s->test.count, TEST_STREAM);
	fputs("Testing...\n", s->out);
	progress_start(&bar, s->out, s->redraw, calls);
	for (call = 0; call < calls && status == 0; call++) {
		input.order = order + (ptrdiff_t)call * engine_samples(engine);
		if ((status = call_engine(s, engine, &input, e)) == -1)
			break;
		summarise(engine, &loss, &accuracy);
		sum += accuracy;
		progress_show(&bar, call + 1, "");
		keep_trace(s, engine);
	}
	if (status == 0)
		fprintf(s->out, "Accuracy on test set: %0.2f%%\n",
		    sum / calls);
	free(order);
	engine_stop(engine);
	return status;
}

static int
run_attached(struct session *s, struct error *e)
{
	int	status = -1;

	if (s->options->generated)
		draw_data(s);
	if (s->options->profile && open_profile(s, e) == -1)
		return -1;
	if (train(s, e) == 0 && (s->out == NULL || test(s, e) == 0))
		status = 0;
	if (s->trace_file != NULL) {
		struct error	ignored;

		if (close_profile(s, status == 0 ? e : &ignored) == -1)
			status = -1;
	}
	return status;
}

/* All that can be refused before other instances wait for this one. */
static int
prepare(struct session *s, struct error *e)
{
	model_tutorial(&s->model);
	s->parameters = xcalloc(s->model.parameter_count, sizeof(float));
	if (popdist_read(&s->popdist, e) == -1 ||
	    gcda_read(&s->gcda, e) == -1)
		return -1;
	if (s->popdist.replica_index_offset == 0)
		s->out = stdout;
	/* mpirun gives its programs a terminal; poprun's tags would cut a bar
	   into pieces all the same. */
	s->redraw = !s->popdist.is_set && isatty(STDOUT_FILENO) == 1;
	if ((s->kernels = kernels_choose(e)) == NULL ||
	    check_schedules(s, e) == -1)
		return -1;
	if (!s->options->generated && read_data(s, e) == -1)
		return -1;
	return attach_ipus(s, e);
}

static void
tell(const struct error *e)
{
	(void)fflush(stdout);
	fprintf(stderr, "mnist-pipeline: %s\n", e->text);
}

int
session_run(const struct session_options *options)
{
	struct session	*s = xcalloc(1, sizeof(*s));
	struct error	 error;
	int		 status = -1;

	s->options = options;
	if (prepare(s, &error) == 0) {
		if (join(s, &error) == 0)
			status = run_attached(s, &error);
		/* Before the others learn of it: the first to end may be
		   another one, and then poprun ends this one. */
		if (status == -1)
			tell(&error);
		collective_close(s->collective, status == -1);
		detach(&s->attachment);
	} else {
		tell(&error);
	}
	dataset_release(&s->train);
	dataset_release(&s->test);
	free(s->parameters);
	free(s);
	return status;
}
