/*
 * Check-points of a session.
 */
#include "applets/train/session_internal.h"

#include <stdlib.h>

#include "core/base/files/file_link.h"
#include "core/base/formats/element.h"
#include "core/collective/collective.h"
#include "core/process/process.h"

/* Return everything that the result depends on; strategy and stages do not
   matter. */
static struct checkpoint_run
this_run(const struct session *s)
{
	const struct engine_config *c = &s->training;

	return (struct checkpoint_run){ .model = c->model,
		.loss = c->loss,
		.optimiser = c->optimiser,
		.seed = s->options->seed,
		.generated = s->options->generated,
		.samples = s->options->generated ?
		    (uint32_t)s->options->samples :
		    s->train.count,
		.mean = c->mean,
		.deviation = c->deviation,
		.micro_batch = c->micro_batch,
		.gradient_accumulation = c->gradient_accumulation,
		.device_iterations = c->device_iterations,
		.replicas = c->total_replicas };
}

/* The first instance's progress, as sent to the others. */
enum resume_word { RESUME_LOADED, RESUME_EPOCHS, RESUME_UPDATES, RESUME_WORDS };

/*
 * After a restart by poprun, continue from the file that the previous run
 * saved.  An older file of the same training has the same weights to the bit,
 * so it serves as well.  A file of another training, or of a later epoch than
 * this run's last, will be replaced, as in the first run.
 */
static void
resume_after_restart(struct session *s, const struct checkpoint_run *r)
{
	struct checkpoint saved;
	struct error reason = { .text = "" };
	int status;

	status = checkpoint_load(&saved, r, s->options->save, &reason);
	if (status == 0 && saved.epochs <= s->file->epochs &&
	    saved.epochs >= s->place.epochs) {
		checkpoint_release(&s->place);
		s->place = saved;
		s->is_loaded = true;
		if (s->out != NULL)
			fprintf(s->out, "Continuing from %s, epoch %d/%d\n",
			    s->options->save, saved.epochs, s->file->epochs);
		return;
	}
	if (status == 0)
		(void)error_set(&reason, "%s is from epoch %d",
		    s->options->save, saved.epochs);
	checkpoint_release(&saved);
	if (reason.code != ERROR_NOT_FOUND && s->out != NULL)
		notice(s, POPTORCH_WARN,
		    "not continuing from the check-point: %s", reason.text);
}

/* Training begins from the file, or with weights drawn from the seed. */
int
resume_open(struct session *s, struct error *e)
{
	const struct checkpoint_run r = this_run(s);

	if (s->options->load != NULL) {
		if (checkpoint_load(&s->place, &r, s->options->load, e) != 0)
			return -1;
		s->is_loaded = true;
	} else {
		checkpoint_init(&s->place, &r);
		model_initialise(r.model, r.seed, s->place.parameters);
	}
	if (s->options->save != NULL && s->popdist.restart_count > 0 &&
	    s->out != NULL)
		resume_after_restart(s, &r);
	/* Checks the file before the training rather than after its first
	   epoch. */
	if (s->options->save == NULL ||
	    output_file_check(s->options->save, OUTPUT_KEPT, e) == 0)
		return 0;
	return error_prefix(e, "--save %s", s->options->save);
}

/* Send the whole place from the first instance to the others. */
static int
share_place(struct session *s, struct collective_client *c, struct error *e)
{
	const size_t count = s->file->model.parameter_count;
	int64_t words[RESUME_WORDS] = {
		[RESUME_LOADED] = s->is_loaded,
		[RESUME_EPOCHS] = s->place.epochs,
		[RESUME_UPDATES] = s->place.updates,
	};
	int i, status;

	status = collective_client_broadcast(c, "ipubox check-point",
	    ELEMENT_INT64, words, RESUME_WORDS, 0, e);
	if (status != 0 || words[RESUME_LOADED] == 0)
		return status;
	s->is_loaded = true;
	s->place.epochs = (int)words[RESUME_EPOCHS];
	s->place.updates = (long)words[RESUME_UPDATES];
	status = collective_client_broadcast(c, "ipubox parameters",
	    ELEMENT_FLOAT, s->place.parameters, count, 0, e);
	for (i = 0; i < OPTIMISER_STATES_MAX && status == 0; i++)
		if (s->place.state[i] != NULL)
			status = collective_client_broadcast(c, "ipubox state",
			    ELEMENT_FLOAT, s->place.state[i], count, 0, e);
	return status;
}

/* Only the first instance's host needs the file. */
int
resume_share(struct session *s, struct error *e)
{
	struct collective_member m = { .directory =
					   getenv(JOB_DIRECTORY_VARIABLE),
		.group = "",
		.look = s->training.attachment != NULL ? attach_check_siblings :
							 NULL,
		.context = &s->attachment };
	struct collective_client *c;
	int status;

	if (s->options->save == NULL || s->popdist.restart_count == 0 ||
	    s->popdist.num_total_replicas == s->popdist.num_local_replicas ||
	    m.directory == NULL)
		return 0;
	if (popdist_place(&s->popdist, &m.instance, &m.members, e) != 0)
		return -1;
	m.member = m.instance;
	if ((c = collective_client_open(&m, e)) == NULL)
		return -1;
	status = share_place(s, c, e);
	collective_client_close(c, status != 0);
	return status;
}

/* The weights always; the optimiser's state only if it exists: a new optimiser
   starts with zeroes. */
void
resume_engine(const struct session *s, struct engine *engine)
{
	int i;

	engine_set_parameters(engine, s->place.parameters);
	if (!s->is_loaded)
		return;
	for (i = 0; i < OPTIMISER_STATES_MAX; i++)
		if (s->place.state[i] != NULL)
			engine_set_state(engine, i, s->place.state[i]);
	engine_set_updates(engine, s->place.updates);
}

int
resume_save(struct session *s, const struct engine *engine, int epoch,
    struct error *e)
{
	const struct checkpoint_run r = this_run(s);
	int i;

	/* All replicas have the same; the first instance writes it. */
	if (s->options->save == NULL || s->out == NULL)
		return 0;
	s->place.epochs = epoch;
	s->place.updates = engine_updates(engine);
	engine_parameters(engine, 0, s->place.parameters);
	for (i = 0; i < OPTIMISER_STATES_MAX; i++)
		if (s->place.state[i] != NULL)
			engine_state(engine, 0, i, s->place.state[i]);
	return checkpoint_save(&s->place, &r, s->options->save, e);
}
