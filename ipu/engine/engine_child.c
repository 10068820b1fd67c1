/*
 * Computing a model for a program: its messages and its memory.  Read
 * engine_child_run() at the end first.
 */
#include "ipu/engine/engine_child.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/process/process.h"
#include "ipu/engine/crew.h"
#include "ipu/engine/model_file.h"

enum { ARRAY_ALIGNMENT = 64, ITERATIONS_MAX = 1 << 24 };

struct engine_child {
	int socket;
	struct engine_child_setup setup;
	char *memory;
	struct model_file file;
	struct crew *crew;
	struct program_watch program;
};

/* Read all of it.  Returns 1, or 0 at the end of the messages. */
static int
receive(int socket, void *data, size_t size)
{
	char *to = data;
	ssize_t n;

	while (size > 0) {
		n = read(socket, to, size);
		if (n == 0 || (n == -1 && errno != EINTR))
			return 0;
		if (n > 0) {
			to += n;
			size -= (size_t)n;
		}
	}
	return 1;
}

static int
transmit(int socket, const void *data, size_t size)
{
	const char *from = data;
	ssize_t n;

	while (size > 0) {
		n = write(socket, from, size);
		if (n == -1 && errno != EINTR)
			return 0;
		if (n > 0) {
			from += n;
			size -= (size_t)n;
		}
	}
	return 1;
}

/* Answer; `e` is NULL if all is well. */
static int
answer(const struct engine_child *c, const struct error *e)
{
	struct engine_child_answer a = { 0, 0 };

	if (e != NULL) {
		a.code = (uint32_t)e->code;
		a.text_bytes = (uint32_t)strlen(e->text);
	}
	return transmit(c->socket, &a, sizeof(a)) &&
	    (e == NULL || transmit(c->socket, e->text, a.text_bytes));
}

/* End the process as soon as the program has ended or has closed its socket,
   also while a call runs. */
static void *
watch(void *argument)
{
	const struct engine_child *c = argument;
	struct pollfd fds[2] = {
		{ .fd = c->socket, .events = POLLRDHUP },
		{ .fd = c->program.fd, .events = POLLIN },
	};

	while (!program_watch_has_ended(&c->program) && fds[0].revents == 0)
		(void)poll(fds, 2, program_watch_timeout(&c->program));
	_exit(0);
}

/* Map the memory, which must have the size that the setup says. */
static int
map_memory(struct engine_child *c, int memory, struct error *e)
{
	const uint64_t size = c->setup.memory_bytes;
	struct stat st;
	void *at;

	if (fstat(memory, &st) == -1)
		return error_set_errno(e, "cannot read the memory's size");
	if (size == 0 || size > (uint64_t)st.st_size)
		return error_set_code(e, ERROR_INVALID,
		    "the memory has %lld bytes, but the setup says %llu",
		    (long long)st.st_size, (unsigned long long)size);
	at = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED,
	    memory, 0);
	if (at == MAP_FAILED)
		return error_set_errno(e, "cannot map the memory");
	c->memory = at;
	return 0;
}

/* Find an array of `count` elements of `size` bytes; offset 0 leaves it. */
static int
find_array(const struct engine_child *c, uint64_t offset, uint64_t count,
    size_t size, void *array, struct error *e)
{
	void *at;

	if (offset == 0)
		return 0;
	if (offset % ARRAY_ALIGNMENT != 0 || offset > c->setup.memory_bytes ||
	    count > (c->setup.memory_bytes - offset) / size)
		return error_set_code(e, ERROR_INVALID,
		    "an array at byte %llu with %llu elements does not fit "
		    "into the memory of %llu bytes",
		    (unsigned long long)offset, (unsigned long long)count,
		    (unsigned long long)c->setup.memory_bytes);
	at = c->memory + offset;
	memcpy(array, &at, sizeof(at));
	return 0;
}

/* Find all arrays; each that the crew uses must be there. */
static int
find_arrays(const struct engine_child *c, struct crew_memory *m,
    struct error *e)
{
	const struct engine_child_setup *s = &c->setup;
	const struct model *model = &c->file.model;
	const uint64_t batches = (uint64_t)s->micro_batches * s->iterations;
	const uint64_t samples = batches * s->micro_batch;
	const uint64_t in = (uint64_t)layer_shape_elements(model->in);
	const uint64_t out = (uint64_t)
	    layer_shape_elements(model->layers[model->layer_count - 1].out);
	const uint64_t count = model->parameter_count;
	const bool classes = loss_has_classes(c->file.loss.kind);
	const uint64_t targets = samples *
	    (uint64_t)loss_targets(&c->file.loss,
		model->layers[model->layer_count - 1].out);

	if (find_array(c, s->inputs, samples * in, sizeof(float), &m->inputs,
		e) != 0 ||
	    find_array(c, s->targets, targets,
		classes ? sizeof(int64_t) : sizeof(float),
		classes ? (void *)&m->targets.integers :
			  (void *)&m->targets.floats,
		e) != 0 ||
	    find_array(c, s->outputs, samples * out, sizeof(float), &m->outputs,
		e) != 0 ||
	    find_array(c, s->losses, batches, sizeof(float), &m->losses, e) !=
		0 ||
	    find_array(c, s->times, s->iterations, sizeof(double), &m->times,
		e) != 0 ||
	    find_array(c, s->parameters, count, sizeof(float), &m->parameters,
		e) != 0 ||
	    find_array(c, s->gradients, count, sizeof(float), &m->gradients,
		e) != 0 ||
	    find_array(c, s->optimiser, s->states * count, sizeof(float),
		&m->states, e) != 0 ||
	    find_array(c, s->generator, s->replicas * (TORCH_RNG_WORDS + 1ULL),
		sizeof(uint32_t), &m->generator, e) != 0)
		return -1;
	if (m->inputs == NULL || m->outputs == NULL || m->times == NULL ||
	    m->parameters == NULL || (s->targets != 0 && m->losses == NULL))
		return error_set_code(e, ERROR_INVALID,
		    "an array is missing in the setup");
	if (s->training != 0 &&
	    (model_dropout_words(model, 0, model->layer_count, 1) > 0) !=
		(m->generator != NULL))
		return error_set_code(e, ERROR_INVALID,
		    "a model in training needs a generator exactly for "
		    "dropouts");
	if (s->training != 0 &&
	    (s->targets == 0 || m->gradients == NULL || m->states == NULL))
		return error_set_code(e, ERROR_INVALID,
		    "an array for training is missing in the setup");
	return 0;
}

static bool
is_between(uint64_t value, uint64_t most)
{
	return value >= 1 && value <= most;
}

static int
check_setup(const struct engine_child_setup *s, struct error *e)
{
	if (s->version != ENGINE_CHILD_VERSION)
		return error_set_code(e, ERROR_UNSUPPORTED,
		    "the program speaks version %u of the engine's messages, "
		    "but this ipubox version %d",
		    s->version, ENGINE_CHILD_VERSION);
	if (!is_between(s->threads, CREW_THREADS_MAX) ||
	    !is_between(s->micro_batch, ENGINE_CHILD_SAMPLES_MAX) ||
	    !is_between(s->micro_batches, ITERATIONS_MAX) ||
	    !is_between(s->iterations, ITERATIONS_MAX) ||
	    !is_between(s->replicas, s->micro_batches) ||
	    s->micro_batches % s->replicas != 0 ||
	    s->states > OPTIMISER_STATES_MAX ||
	    !is_between((uint64_t)s->micro_batches * s->iterations,
		ITERATIONS_MAX) ||
	    !is_between((uint64_t)s->micro_batches * s->iterations *
		    s->micro_batch,
		ENGINE_CHILD_SAMPLES_MAX))
		return error_set_code(e, ERROR_INVALID,
		    "a number of the setup is out of bounds");
	return 0;
}

/* Read the model and start the crew. */
static int
set_up(struct engine_child *c, const char *text, int memory, struct error *e)
{
	const struct engine_child_setup *s = &c->setup;
	struct crew_config config = { .model = &c->file.model,
		.threads = (int)s->threads,
		.training = s->training != 0,
		.micro_batch = (int)s->micro_batch,
		.micro_batches = (int)s->micro_batches,
		.replicas = (int)s->replicas,
		.iterations = (int)s->iterations };

	if (check_setup(s, e) != 0 ||
	    model_file_parse_free(&c->file, "model", text, s->text_bytes, e) !=
		0 ||
	    map_memory(c, memory, e) != 0 ||
	    find_arrays(c, &config.memory, e) != 0 ||
	    (config.kernels = kernels_choose(e)) == NULL)
		return -1;
	config.loss = c->file.loss;
	c->crew = crew_new(&config, e);
	return c->crew == NULL ? -1 : 0;
}

/* Translate the ranges of a call, which must lie in the model. */
static int
take_ranges(const struct engine_child *c, const struct engine_child_range *from,
    struct crew_range *to, uint32_t count, struct error *e)
{
	const uint64_t parameters = c->file.model.parameter_count;
	uint32_t i;

	for (i = 0; i < count; i++, from++) {
		to[i] = (struct crew_range){ .first = (size_t)from->first,
			.count = (size_t)from->count,
			.updates = (long)from->updates,
			.optimiser = {
			    .kind = (enum optimiser_kind)from->kind,
			    .learning_rate = from->learning_rate,
			    .momentum = from->momentum,
			    .beta1 = from->beta1,
			    .beta2 = from->beta2,
			    .epsilon = from->epsilon,
			    .weight_decay = from->weight_decay,
			    .dampening = from->dampening,
			    .alpha = from->alpha,
			    .nesterov = (from->flags & ENGINE_CHILD_NESTEROV) !=
				0,
			    .centered = (from->flags & ENGINE_CHILD_CENTERED) !=
				0,
			    .has_velocity =
				(from->flags & ENGINE_CHILD_VELOCITY) != 0,
			} };
		if (from->first > parameters ||
		    from->count > parameters - from->first ||
		    from->kind > OPTIMISER_RMSPROP ||
		    (uint32_t)optimiser_states(&to[i].optimiser) >
			c->setup.states)
			return error_set_code(e, ERROR_INVALID,
			    "range %u of the parameters is not valid", i);
	}
	return 0;
}

static int
run_message(struct engine_child *c, const struct engine_child_call *message,
    const struct engine_child_range *from, struct error *e)
{
	struct crew_range *ranges = xcalloc((size_t)message->ranges + 1,
	    sizeof(*ranges));
	const struct crew_call call = {
		.first = (int)message->first,
		.count = (int)message->count,
		.load = (message->flags & ENGINE_CHILD_LOAD) != 0,
		.compute = (message->flags & ENGINE_CHILD_COMPUTE) != 0,
		.update = (message->flags & ENGINE_CHILD_UPDATE) != 0,
		.scale = (float)message->scale,
		.range_count = (int)message->ranges,
		.ranges = ranges,
	};
	int status = -1;

	if (message->first > c->setup.iterations ||
	    message->count > c->setup.iterations - message->first ||
	    (c->setup.training == 0 &&
		(message->count != c->setup.iterations || call.update)))
		(void)error_set_code(e, ERROR_INVALID,
		    "the device iterations of a call are not valid");
	else if (take_ranges(c, from, ranges, message->ranges, e) == 0)
		status = crew_run(c->crew, &call, e);
	free(ranges);
	return status;
}

/* Serve calls until the program closes the socket. */
static int
serve_calls(struct engine_child *c, struct error *e)
{
	struct engine_child_call message;
	struct engine_child_range *ranges;
	struct error why;
	int status = 1;

	while (status == 1 &&
	    receive(c->socket, &message, sizeof(message)) == 1) {
		if (message.ranges > ENGINE_CHILD_RANGES_MAX)
			return error_set_code(e, ERROR_INVALID,
			    "a call has %u ranges, but at most %d are possible",
			    message.ranges, ENGINE_CHILD_RANGES_MAX);
		ranges = xcalloc((size_t)message.ranges + 1, sizeof(*ranges));
		status = receive(c->socket, ranges,
		    message.ranges * sizeof(*ranges));
		if (status == 1)
			status = answer(c,
			    run_message(c, &message, ranges, &why) == 0 ? NULL :
									  &why);
		free(ranges);
	}
	return 0;
}

/* A setup that is refused is answered; the program decides what follows. */
int
engine_child_run(int socket, int memory, struct error *e)
{
	struct engine_child *c = xcalloc(1, sizeof(*c));
	struct error why;
	pthread_t watcher;
	char *text = NULL;
	int status = 0;

	program_watch_leave("ipubox-engine");
	c->socket = socket;
	program_watch_parent(&c->program);
	if (receive(socket, &c->setup, sizeof(c->setup)) == 0)
		goto out;
	if (c->setup.text_bytes > ENGINE_CHILD_TEXT_MAX) {
		status = error_set_code(e, ERROR_INVALID,
		    "a model of %u bytes is too long", c->setup.text_bytes);
		goto out;
	}
	text = xcalloc((size_t)c->setup.text_bytes + 1, 1);
	if (receive(socket, text, c->setup.text_bytes) == 0)
		goto out;
	if (set_up(c, text, memory, &why) != 0) {
		(void)answer(c, &why);
		goto out;
	}
	if (pthread_create(&watcher, NULL, watch, c) != 0)
		status = error_set(e, "cannot start a thread");
	else if (answer(c, NULL) == 1)
		status = serve_calls(c, e);
	/* The watcher has the rest until the process ends. */
	free(text);
	return status;
out:
	crew_free(c->crew);
	program_watch_release(&c->program);
	free(text);
	free(c);
	return status;
}
