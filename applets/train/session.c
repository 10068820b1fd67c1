/*
 * A run from its options to its end.  Everything that can be refused is refused
 * before the IPUs are attached, and before other instances wait; fit_plan()
 * computes the needs of the IPUs' memory for that.
 */
#include "applets/train/train.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "applets/train/session_internal.h"
#include "core/base/alloc.h"
#include "core/base/files/file_link.h"
#include "core/base/text.h"
#include "core/process/process.h"
#include "ipu/device/device.h"
#include "ipu/engine/engine.h"
#include "ipu/nn/nn.h"

/* PopTorch's warning, where `overridden` is set. */
#define ENGINE_OPTIONS_OVERRIDDEN \
	"Profiling setting overridden by environment variable. " \
	"Check content of POPLAR_ENGINE_OPTIONS."

/* Report once per job why the cache was not used. */
static void
report_cache(const struct session *s, const struct executable_cache *cache,
    const struct executable_use *use)
{
	if (use->trouble.text[0] != '\0' && s->out != NULL)
		notice(s, POPTORCH_WARN, "%s", use->trouble.text);
	if (use->loaded)
		notice(s, POPTORCH_DEBUG, "Executable loaded from %s/%s",
		    cache->directory, use->name);
	else if (use->kept)
		notice(s, POPTORCH_DEBUG,
		    "Executable compiled, and kept in %s/%s", cache->directory,
		    use->name);
}

/* Plan both engines' use of the IPUs' memory. */
static void
fit_plan(struct session *s)
{
	const struct executable_cache cache = {
		.directory = executable_cache_directory(),
		.wait_ms = EXECUTABLE_CACHE_WAIT_MS,
	};
	const struct memory_plan plan = {
		.training = &s->training,
		.inference = &s->inference,
		.target = memory_target(s->options->ipu_memory),
		.training_memory = &s->training_memory,
		.inference_memory = &s->inference_memory,
	};
	struct executable_use use;

	memory_cache_plan(&plan, cache.directory != NULL ? &cache : NULL, &use);
	report_cache(s, &cache, &use);
}

/* Write both as one object; if the file is stdout, after its buffered text. */
static int
write_json(const struct session *s, const char *path, struct error *e)
{
	struct memstream m;
	char *text;
	size_t size;
	int status;

	(void)memstream_open(&m);
	fputs("{\"training\":", m.file);
	memory_report_json(&s->training_memory, m.file);
	fputs(",\"inference\":", m.file);
	memory_report_json(&s->inference_memory, m.file);
	fputs("}\n", m.file);
	text = memstream_close(&m, &size);
	(void)fflush(s->out);
	status = output_file_write(path, OUTPUT_STREAM, text, size, e);
	free(text);
	return status;
}

/* Refuse a model that does not fit.  If a profile is requested, write one
   without calls to show why, as Poplar does unless debug.allowOutOfMemory is
   false. */
static int
check_memory(struct session *s, const struct engine_config *c,
    const struct memory *m, const char *engine, struct error *e)
{
	const char *directory = engine_options_directory(&s->report);
	struct error ignored;
	char *path;

	if (memory_report_check(m, NULL, e) == 0)
		return 0;
	if (directory == NULL || !s->report.allow_out_of_memory ||
	    profiling_open(s, c, engine, 0, &ignored) == -1)
		return -1;
	/* Signals are not watched yet, so the profile needs no lock. */
	profile_interrupt(s->profile, "the model does not fit into memory");
	if (profiling_close(s, 0, &ignored) == -1)
		return -1;
	path = xasprintf("%s/%s/report.html", directory, engine);
	(void)memory_report_check(m, path, e);
	free(path);
	return -1;
}

/* Print and write the reports of memory that were requested.  -1: an engine
   does not fit, or the file cannot be written. */
static int
fit_report(struct session *s, struct error *e)
{
	const struct train_options *o = s->options;
	struct table_screen screen;

	if (o->memory_report && s->out != NULL) {
		table_screen_init(&screen, STDOUT_FILENO, o->wide,
		    TERMINAL_AUTO);
		memory_report_print(&s->training_memory, s->out, &screen);
		fputc('\n', s->out);
		memory_report_print(&s->inference_memory, s->out, &screen);
		fputc('\n', s->out);
		(void)fflush(s->out);
	}
	if (o->memory_json != NULL && s->out != NULL &&
	    write_json(s, o->memory_json, e) != 0)
		return -1;
	if (check_memory(s, &s->training, &s->training_memory, "training", e) !=
	    0)
		return -1;
	return check_memory(s, &s->inference, &s->inference_memory, "inference",
	    e);
}

enum { JOIN_SECONDS = 120 }; /* for instances that start later */

/* Find the images and classes that the model takes. */
static int
form_of_data(const struct session *s, struct dataset_form *form,
    struct error *e)
{
	const struct model *m = &s->file->model;

	*form = (struct dataset_form){ m->in.height, m->in.width,
		layer_shape_elements(m->layers[m->layer_count - 1].out) };
	if (m->in.channels != 1)
		return error_set(e,
		    "the model takes images with %d channels, but the data "
		    "have 1",
		    m->in.channels);
	if (s->options->generated &&
	    (form->height != DATASET_SIDE || form->width != DATASET_SIDE ||
		form->classes < DATASET_CLASSES))
		return error_set(e,
		    "generated digits are %d x %d in %d classes, but the model "
		    "takes %d x %d in %d",
		    DATASET_SIDE, DATASET_SIDE, DATASET_CLASSES, form->height,
		    form->width, form->classes);
	return 0;
}

/* Read the data; digits are drawn later, which cannot fail. */
static int
read_data(struct session *s, struct error *e)
{
	const char *dir = s->file->data_directory;
	struct dataset_form form;

	if (form_of_data(s, &form, e) != 0)
		return -1;
	if (s->options->generated)
		return 0;
	if (dataset_read(&s->train, dir, DATASET_TRAIN, &form, e) != 0)
		return -1;
	return dataset_read(&s->test, dir, DATASET_TEST, &form, e);
}

/* Say each time that they are digits, so that the accuracy is not taken for
   MNIST's. */
static void
draw_data(struct session *s)
{
	const uint64_t seed = s->options->seed;
	const uint32_t count = (uint32_t)s->options->samples;

	if (s->out != NULL) {
		fprintf(s->out,
		    "Dataset: %u + %u generated digits (not MNIST)\n", count,
		    count / TRAIN_TO_TEST);
		(void)fflush(s->out);
	}
	digits_draw(&s->train, DATASET_TRAIN, count, seed);
	digits_draw(&s->test, DATASET_TEST, count / TRAIN_TO_TEST, seed);
}

/* Hash the initial weights and the epoch with FNV's prime. */
static uint64_t
session_begin(const struct session *s)
{
	const unsigned char *bytes = (const unsigned char *)s->place.parameters;
	const size_t count = s->file->model.parameter_count * sizeof(float);
	uint64_t h = (uint64_t)s->place.epochs;
	size_t i;

	for (i = 0; i < count; i++)
		h = (h ^ bytes[i]) * 0x100000001b3u;
	return h;
}

/* Join the other replicas, if any. */
static int
session_join(struct session *s, struct error *e)
{
	const struct popdist *p = &s->popdist;
	struct collective_config c = {
		.total = p->num_total_replicas,
		.first = p->replica_index_offset,
		.local = p->num_local_replicas,
		.part_count = s->training.stages,
		.join_seconds = JOIN_SECONDS,
		.trouble = s->training.attachment != NULL ?
		    attach_check_siblings :
		    NULL,
		.context = &s->attachment,
	};
	const struct block *b = s->file->model.blocks;
	const struct layer *l;
	int stage, n, i;

	c.begin = session_begin(s);
	if (collective_choose(getenv(COLLECTIVE_VARIABLE), &c.by, e) != 0)
		return -1;
	if (c.total == 1)
		return 0;
	if (c.total > c.local &&
	    (c.directory = getenv(JOB_DIRECTORY_VARIABLE)) == NULL)
		return error_set(e,
		    "the job's %d replicas are in several instances, but %s is "
		    "not set; start it with poprun on one host",
		    c.total, JOB_DIRECTORY_VARIABLE);
	for (stage = 0; stage < c.part_count; stage++) {
		for (n = s->training.stage_blocks[stage]; n > 0; n--, b++) {
			l = &s->file->model.layers[b->first_layer];
			for (i = 0; i < b->layer_count; i++)
				c.floats[stage] += model_layer_floats(&l[i]);
		}
	}
	s->collective = collective_open(&c, e);
	s->training.collective = s->collective;
	return s->collective == NULL ? -1 : 0;
}

/* Attach, waiting if the environment asks for it. */
static int
acquire(struct session *s, int ipus, struct error *e)
{
	const struct poptorch *p = &s->poptorch;
	const char *command = s->options->command;
	struct error reason;
	int status;

	if (p->wait_is_set)
		notice(s, POPTORCH_INFO,
		    "From POPTORCH_WAIT_FOR_IPU environment variable: If no "
		    "IPU is available: %s",
		    p->wait ? "Wait" : "Fail & exit");
	status = attach(&s->attachment, ipus, -1, command, &reason);
	if (status != 0 && reason.code == ERROR_NO_ROOM && p->wait) {
		notice(s, POPTORCH_INFO, "No IPU available, waiting: %s",
		    reason.text);
		status = attach_wait(&s->attachment, ipus, -1, command,
		    &reason);
	}
	if (status == 0) {
		if (s->attachment.warning.text[0] != '\0')
			notice(s, POPTORCH_WARN, "%s",
			    s->attachment.warning.text);
		return 0;
	}
	(void)error_copy(e, &reason);
	return poptorch_logs(p, POPTORCH_DEBUG) ? failure_uncaught(e) : -1;
}

/* Count the IPUs for all replicas of this process. */
static int
session_count_ipus(const struct session *s, int *ipus, struct error *e)
{
	const struct popdist *p = &s->popdist;

	*ipus = s->ipus * p->num_local_replicas;
	if (p->is_set && p->num_ipus_per_replica != s->ipus)
		return error_set(e,
		    "the model needs %d IPUs per replica, but "
		    "POPDIST_NUM_IPUS_PER_REPLICA is %d: use poprun "
		    "--ipus-per-replica %d",
		    s->ipus, p->num_ipus_per_replica, s->ipus);
	return s->poptorch.ipu_model ?
	    0 :
	    stages_reserve(*ipus, s->options->choices.auto_round, ipus, e);
}

/* Return the bytes that an engine needs on an IPU of a replica. */
static size_t
bytes_on(const struct memory *m, int ipu)
{
	return ipu < m->ipu_count ? m->ipus[ipu].total : 0;
}

/* Tell gc-monitor how much memory the greater of both engines uses.  IPUs that
   no replica uses have none. */
static void
report_memory(struct session *s, int ipus)
{
	size_t training, inference;
	int i;

	for (i = 0; i < ipus; i++) {
		training = bytes_on(&s->training_memory, i % s->ipus);
		inference = bytes_on(&s->inference_memory, i % s->ipus);
		atomic_store(&attach_slot(&s->attachment, i)->memory_bytes,
		    training > inference ? training : inference);
	}
}

/* Attach, unless the IPU model runs, which needs no IPUs and no partition. */
static int
attach_ipus(struct session *s, int ipus, struct error *e)
{
	if (s->poptorch.ipu_model) {
		s->training.attachment = s->inference.attachment = NULL;
		notice(s, POPTORCH_DEBUG,
		    "Instantiated device, running on IPU model. Kernels: %s.",
		    s->kernels->name);
		return 0;
	}
	if (acquire(s, ipus, e) != 0)
		return -1;
	report_memory(s, s->ipus * s->popdist.num_local_replicas);
	notice(s, POPTORCH_DEBUG,
	    "Acquired %d IPU(s): running on device Id %d. Kernels: %s.", ipus,
	    s->attachment.taken.device.id, s->kernels->name);
	return 0;
}

/* Only the first instance tests: all replicas have learnt the same. */
static int
run_attached(struct session *s, struct error *e)
{
	int status = -1;

	if (s->options->generated)
		draw_data(s);
	if (s->options->profile && s->out != NULL &&
	    engine_options_directory(&s->report) != NULL)
		fputs("Profiling is enabled.\n", s->out);
	if (epochs_train(s, e) == 0 &&
	    (s->out == NULL || epochs_test(s, e) == 0))
		status = 0;
	if (status == 0)
		profiling_print_pages(s);
	return status;
}

/* Find the replicas of this process from poprun, else from the option. */
static int
count_replicas(struct session *s, struct error *e)
{
	struct popdist *p = &s->popdist;
	const int replicas = s->options->replicas;

	if (popdist_read(p, e) != 0)
		return -1;
	if (!p->is_set)
		p->num_local_replicas = p->num_total_replicas = replicas;
	else if (replicas != 1)
		return error_set(e,
		    "--replicas %d: cannot be used under poprun; use poprun's "
		    "--num-replicas",
		    replicas);
	return 0;
}

/* Warn of errors in GCDA_OPTIONS that stop no program; the first instance does
   it. */
static void
warn_of_gcda(const struct session *s)
{
	struct gcda_problems problems = { .count = 0 };
	struct gcda_options options;
	int i;

	gcda_options_read(&options, &problems);
	for (i = 0; i < problems.count && s->popdist.replica_index_offset == 0;
	     i++)
		notice(s, POPTORCH_WARN, "%s", problems.rows[i].what);
}

/* Read the other environment variables. */
static int
read_environment(struct session *s, struct error *e)
{
	const struct train_options *o = s->options;

	if (poptorch_read(&s->poptorch, e) != 0 ||
	    gcda_read(&s->gcda, e) != 0 ||
	    engine_options_read(&s->report, o->profile ? o->profile_dir : NULL,
		&s->popdist, e) != 0)
		return -1;
	if (o->debug)
		s->poptorch.level = POPTORCH_DEBUG;
	warn_of_gcda(s);
	if (s->report.overridden)
		notice(s, POPTORCH_WARN, "%s", ENGINE_OPTIONS_OVERRIDDEN);
	return 0;
}

/* Check everything that can be refused before other instances wait for this
   one. */
static int
session_prepare(struct session *s, struct error *e)
{
	int ipus;

	if (count_replicas(s, e) != 0 || read_environment(s, e) != 0)
		return -1;
	if (s->popdist.replica_index_offset == 0)
		s->out = stdout;
	s->redraw = isatty(STDOUT_FILENO) == 1;
	if ((s->kernels = kernels_choose(e)) == NULL || plan_session(s, e) != 0)
		return -1;
	if (s->options->dump_schedule)
		return 0;
	fit_plan(s);
	if (fit_report(s, e) != 0 || read_data(s, e) != 0 ||
	    resume_open(s, e) != 0 || session_count_ipus(s, &ipus, e) != 0 ||
	    epochs_check_data(s, e) != 0)
		return -1;
	return attach_ipus(s, ipus, e);
}

/* Print the error after stdout's text, if both are one terminal. */
static void
session_notify(const struct session *s, const struct error *e)
{
	(void)fflush(stdout);
	fprintf(stderr, "%s: %s\n", s->options->applet, e->text);
}

/* Run attached, together with the other instances. */
static int
session_run_all(struct session *s, struct error *e)
{
	int status = profiling_start(s, e);

	if (status == 0)
		status = resume_share(s, e);
	if (status == 0)
		status = session_join(s, e);
	if (status == 0)
		status = run_attached(s, e);
	/* Before the others learn of it: if another instance ends first, poprun
	   ends this one. */
	if (status != 0)
		session_notify(s, e);
	collective_close(s->collective, status != 0);
	profiling_stop(s);
	if (s->training.attachment != NULL)
		attach_end(&s->attachment);
	return status;
}

/* One exit for all: parts that were not begun are zeroes, and are released
   too. */
int
session_run(const struct train_options *options)
{
	struct session *s = xcalloc(1, sizeof(*s));
	struct error error;
	int status;

	s->options = options;
	s->file = &options->file;
	(void)pthread_mutex_init(&s->lock, NULL);
	status = session_prepare(s, &error);
	if (status != 0)
		session_notify(s, &error);
	else if (options->dump_schedule)
		plan_dump_schedules(s);
	else
		status = session_run_all(s, &error);
	dataset_release(&s->train);
	dataset_release(&s->test);
	checkpoint_release(&s->place);
	memory_release(&s->training_memory);
	memory_release(&s->inference_memory);
	free(s);
	return status;
}
