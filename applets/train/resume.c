/*
 * Check-points of a session.
 */
#include "applets/train/session_internal.h"
#include "core/base/output_file.h"

/* What the result depends on: not on the strategy, nor on the stages. */
static struct checkpoint_run
this_run(const struct session *s)
{
	const struct engine_config	*c = &s->training;

	return (struct checkpoint_run){
		.model = c->model,
		.optimiser = c->optimiser,
		.seed = s->options->seed,
		.generated = s->options->generated,
		.samples = s->options->generated ?
		    (uint32_t)s->options->samples : s->train.count,
		.mean = c->mean,
		.deviation = c->deviation,
		.micro_batch = c->micro_batch,
		.gradient_accumulation = c->gradient_accumulation,
		.device_iterations = c->device_iterations,
		.replicas = c->total_replicas
	};
}

/* Training begins as the file says, or with weights drawn from the seed. */
/*
 * poprun started the job again: go on from what the run before it saved.  An
 * older file of the same training has the same weights to the bit, so it is as
 * good.  One of another training, or of a later epoch than this one comes to,
 * will be replaced, as it would have been in the first run.
 */
static void
resume_after_restart(struct session *s, const struct checkpoint_run *r)
{
	struct checkpoint	saved;
	struct error		reason = { .text = "" };
	int			status;

	status = checkpoint_load(&saved, r, s->options->save, &reason);
	if (status == 0 && saved.epochs <= s->file->epochs &&
	    saved.epochs >= s->place.epochs) {
		checkpoint_release(&s->place);
		s->place = saved;
		s->is_loaded = true;
		if (s->out != NULL)
			fprintf(s->out, "Going on from %s, epoch %d/%d\n",
			    s->options->save, saved.epochs, s->file->epochs);
		return;
	}
	if (status == 0)
		(void)error_set(&reason, "%s is of epoch %d",
		    s->options->save, saved.epochs);
	checkpoint_release(&saved);
	if (reason.code != ERROR_NOT_FOUND && s->out != NULL)
		notice(s, POPTORCH_WARN, "not going on from the check-point: "
		    "%s", reason.text);
}

int
resume_open(struct session *s, struct error *e)
{
	const struct checkpoint_run	r = this_run(s);

	if (s->options->load != NULL) {
		if (checkpoint_load(&s->place, &r, s->options->load, e) != 0)
			return -1;
		s->is_loaded = true;
	} else {
		checkpoint_init(&s->place, &r);
		model_initialise(r.model, r.seed, s->place.parameters);
	}
	if (s->options->save != NULL && s->popdist.restart_count > 0)
		resume_after_restart(s, &r);
	/* Learnt before the training rather than behind its first epoch. */
	if (s->options->save == NULL ||
	    output_file_check(s->options->save, OUTPUT_KEPT, e) == 0)
		return 0;
	return error_prefix(e, "--save %s", s->options->save);
}

/*
 * Weights always; the optimiser's state only where there is one: an optimiser
 * that begins has all zeroes.
 */
void
resume_engine(const struct session *s, struct engine *engine)
{
	int	i;

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
	const struct checkpoint_run	r = this_run(s);
	int				i;

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
