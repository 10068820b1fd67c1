/*
 * Training epoch by epoch, and the test after it.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "applets/train/session_internal.h"
#include "core/base/alloc.h"
#include "ipu/nn/nn.h"

/* Return the order of samples in an epoch, as in a PyTorch script with this
   seed. */
static uint32_t *
shuffled(const struct session *s, uint32_t count, int epoch)
{
	uint32_t *order = xreallocarray(NULL, count, sizeof(*order));
	struct torch_rng rng;

	torch_rng_init(&rng, s->options->seed);
	torch_rng_skip(&rng, s->file->model.parameter_count);
	torch_rng_shuffle(&rng, epoch, order, count);
	return order;
}

/* Compute the means over all samples of the engine's last call. */
static void
summarise(const struct engine *engine, double *loss, double *accuracy)
{
	const struct outcome *o;
	long samples = 0, correct = 0;
	int i, count;

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

/* Make one call.  A simulated error is put on the device's first IPU before it,
   so that the call finds it. */
static int
call_engine(struct session *s, struct engine *engine,
    const struct engine_input *input, struct error *e)
{
	const uint32_t errors = gcda_soc_errors(&s->gcda, s->calls++);

	if (errors != 0 && s->training.attachment != NULL)
		(void)atomic_fetch_or(
		    &attach_slot(&s->attachment, 0)->soc_error, errors);
	return engine_call(engine, input, e);
}

/* Print the checksum of each local replica: equal lines show that replicas have
   stayed equal. */
static void
print_checksums(const struct session *s, const struct engine *engine, int epoch)
{
	int r;

	for (r = 0; r < s->popdist.num_local_replicas; r++)
		notice(s, POPTORCH_DEBUG,
		    "Epoch %d: replica %d: weights %016" PRIx64, epoch,
		    s->popdist.replica_index_offset + r,
		    engine_checksum(engine, r));
}

/* Return the samples of one call in all replicas of the job. */
static int
samples_of_all(const struct session *s, const struct engine *engine)
{
	return engine_samples(engine) / s->popdist.num_local_replicas *
	    s->popdist.num_total_replicas;
}

/* Train an epoch: every replica of the job shuffles alike and takes its part of
   each call's samples.  Samples that do not fill a call are left out. */
static int
train_epoch(struct session *s, struct engine *engine, int epoch,
    struct error *e)
{
	const struct popdist *p = &s->popdist;
	const int all = samples_of_all(s, engine);
	const int first = engine_samples(engine) / p->num_local_replicas *
	    p->replica_index_offset;
	const int calls = (int)(s->train.count / (uint32_t)all);
	uint32_t *order = shuffled(s, s->train.count, epoch);
	struct engine_input input = { s->train.pixels, s->train.labels, NULL };
	struct progress bar;
	double loss, accuracy;
	char text[64];
	int call, status = 0;

	progress_start(&bar, s->out, s->redraw, calls);
	for (call = 0; call < calls && status == 0; call++) {
		input.order = order + (ptrdiff_t)call * all + first;
		status = call_engine(s, engine, &input, e);
		if (status != 0) {
			progress_stop(&bar);
			break;
		}
		summarise(engine, &loss, &accuracy);
		(void)snprintf(text, sizeof(text),
		    "Loss:%0.4f | Accuracy:%0.2f%%", loss, accuracy);
		progress_show(&bar, call + 1, text);
		profiling_keep_call(s, engine);
	}
	free(order);
	if (status == 0 && poptorch_logs(&s->poptorch, POPTORCH_DEBUG))
		print_checksums(s, engine, epoch);
	return status;
}

/* Check the size of a set: one that does not fill a call would silently train
   nothing. */
static int
epochs_check_size(const char *what, uint32_t have, long long need,
    const char *mend, struct error *e)
{
	if (have >= need)
		return 0;
	return error_set(e,
	    "%s has %u samples, but one call takes %lld; choose a smaller %s",
	    what, have, need, mend);
}

int
epochs_check_data(const struct session *s, struct error *e)
{
	const struct engine_config *c = &s->training;
	const uint32_t samples = (uint32_t)s->options->samples;
	const bool drawn = s->options->generated;

	/* After a check-point of the last epoch only the test remains. */
	if (s->place.epochs < s->file->epochs &&
	    epochs_check_size("the training set",
		drawn ? samples : s->train.count,
		(long long)c->micro_batch * c->gradient_accumulation *
		    c->device_iterations * c->total_replicas,
		"batch size, gradient accumulation or number of device "
		"iterations",
		e) == -1)
		return -1;
	c = &s->inference;
	return epochs_check_size("the test set",
	    drawn ? samples / TRAIN_TO_TEST : s->test.count,
	    (long long)c->micro_batch * c->device_iterations,
	    "--test-batch-size or --test-device-iterations", e);
}

/* Copies the trained weights into the check-point, from which the test takes
   them. */
int
epochs_train(struct session *s, struct error *e)
{
	const struct engine_config *c = &s->training;
	const int epochs = s->file->epochs;
	int epoch = s->place.epochs + 1, status = 0;
	struct engine *engine;

	if (epoch > epochs)
		return 0; /* only the test remains */
	if ((engine = engine_start(c, e)) == NULL)
		return -1;
	resume_engine(s, engine);
	status = profiling_open(s, c, "training",
	    (long)(epochs - epoch + 1) *
		(s->train.count / (uint32_t)samples_of_all(s, engine)),
	    e);
	if (s->out != NULL && status == 0)
		fputs("Training...\n", s->out);
	for (; epoch <= epochs && status == 0; epoch++) {
		if (s->out != NULL)
			fprintf(s->out, "Epoch %d/%d\n", epoch, epochs);
		status = train_epoch(s, engine, epoch, e);
		if (status == 0)
			status = resume_save(s, engine, epoch, e);
	}
	engine_parameters(engine, 0, s->place.parameters);
	engine_stop(engine);
	return profiling_close(s, status, e);
}

/* The mean over all calls of equal size; samples that do not fill a call are
   left out. */
int
epochs_test(struct session *s, struct error *e)
{
	const struct engine_config *c = &s->inference;
	/* The test's loader follows those of the epochs. */
	const int epochs = s->place.epochs > s->file->epochs ?
	    s->place.epochs :
	    s->file->epochs;
	struct engine *engine = NULL;
	struct engine_input input = { s->test.pixels, s->test.labels, NULL };
	struct progress bar;
	uint32_t *order;
	double loss, accuracy, sum = 0;
	int call, calls, status = 0;

	if ((engine = engine_start(c, e)) == NULL)
		return -1;
	engine_set_parameters(engine, s->place.parameters);
	calls = (int)(s->test.count / (uint32_t)engine_samples(engine));
	order = shuffled(s, s->test.count, epochs + 1);
	status = profiling_open(s, c, "inference", calls, e);
	if (status == 0)
		fputs("Testing...\n", s->out);
	progress_start(&bar, s->out, s->redraw, calls);
	for (call = 0; call < calls && status == 0; call++) {
		input.order = order + (ptrdiff_t)call * engine_samples(engine);
		if ((status = call_engine(s, engine, &input, e)) != 0) {
			progress_stop(&bar);
			break;
		}
		summarise(engine, &loss, &accuracy);
		sum += accuracy;
		progress_show(&bar, call + 1, "");
		profiling_keep_call(s, engine);
	}
	if (status == 0)
		fprintf(s->out, "Accuracy on test set: %0.2f%%\n", sum / calls);
	free(order);
	engine_stop(engine);
	return profiling_close(s, status, e);
}
