/*
 * The profile of each engine, in a directory of its name.
 *
 * A run ended by a signal leaves its profile: a thread takes the signals that
 * end a program, writes the profile of the completed calls, even if a call
 * hangs, and then lets the signal take effect.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/train/session_internal.h"
#include "core/base/alloc.h"
#include "core/base/text.h"
#include "core/pod/pod.h"
#include "ipu/device/device.h"
#include "ipu/profile/profile.h"

/* Not SIGQUIT, which must end a program at once. */
static const int ending_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGXCPU };

/* Lock the profile; the thread that handles signals takes the lock too. */
static void
lock(struct session *s)
{
	(void)pthread_mutex_lock(&s->lock);
}

static void
unlock(struct session *s)
{
	(void)pthread_mutex_unlock(&s->lock);
}

/* Describe the device in words. */
static char *
device_of(const struct session *s)
{
	const struct attachment *a = s->training.attachment;
	const struct taken_device *d;

	if (a == NULL)
		return xstrdup("IPU model, no device");
	d = &a->taken;
	if (d->count == 0)
		return xstrdup("not attached");
	return xasprintf("device Id %d, %d IPU%s of partition %s", d->device.id,
	    d->count, d->count == 1 ? "" : "s", d->partition);
}

/* Return the clock of the attached machine, else an M2000's. */
static double
clock_of(const struct session *s)
{
	const struct attachment *a = s->training.attachment;

	return sensors_clock_mhz(a != NULL && a->taken.count > 0 ?
		a->taken.model :
		MACHINE_M2000);
}

/* Write the page of all instances, if each has a directory. */
static int
write_index(const struct session *s, struct error *e)
{
	return s->report.parent[0] == '\0' ?
	    0 :
	    profile_index_write(s->report.parent, &s->popdist, e);
}

/* The page of the first profiled engine is named at the end: it is training
   unless nothing was left to train. */
int
profiling_open(struct session *s, const struct engine_config *c,
    const char *engine, long calls, struct error *e)
{
	const char *directory = engine_options_directory(&s->report);
	const struct memory *memory = c->training ?
	    &s->training_memory :
	    &s->inference_memory;
	const struct cycles_target clock = cycles_target_of(clock_of(s));
	bool failed = false;
	char *device;
	struct profile_about about = {
		.program = s->options->applet,
		.command = s->options->command,
		.model = s->file->name,
		.engine = engine,
		.instance = s->popdist.instance_index,
		.run = &s->run,
		.calls = calls,
	};

	if (directory == NULL)
		return 0;
	plan_trials(s);
	about.device = device = device_of(s);
	lock(s);
	cycles_init(&s->cycles, c, &clock);
	s->profile = profile_open(directory, &about, c, memory, &s->cycles, e);
	s->engine = engine;
	/* Drops the results of an earlier run. */
	if (s->profile != NULL && write_index(s, e) != 0)
		failed = true;
	unlock(s);
	free(device);
	if (s->profiled == NULL)
		s->profiled = engine;
	return s->profile == NULL || failed ? -1 : 0;
}

void
profiling_keep_call(struct session *s, const struct engine *engine)
{
	lock(s);
	if (s->profile != NULL)
		profile_call(s->profile, engine);
	unlock(s);
}

/* Reports an error of the calls rather than one of writing the profile. */
int
profiling_close(struct session *s, int status, struct error *e)
{
	const bool open = s->profile != NULL;
	struct error ignored;
	int written;

	lock(s);
	if (status != 0 && open)
		profile_interrupt(s->profile, e->text);
	written = profile_close(s->profile, status == 0 ? e : &ignored);
	if (open &&
	    write_index(s, status == 0 && written == 0 ? e : &ignored) != 0)
		written = -1;
	if (engine_options_directory(&s->report) != NULL)
		cycles_release(&s->cycles);
	s->profile = NULL;
	unlock(s);
	return written != 0 ? -1 : status;
}

/* Save the profile and report on stderr with write(2): the main thread may be
   in stdio, and its buffer must not come out now.  Only the first instance
   reports. */
static void
save(struct session *s, int signal)
{
	/* The progress bar has no line end. */
	const char *line = isatty(STDERR_FILENO) == 1 ? "\n" : "";
	struct error error;
	char *text, *place, *shown;
	long calls;
	size_t size;
	int status;

	if (s->profile == NULL)
		return;
	calls = profile_calls(s->profile);
	profile_interrupt(s->profile, strsignal(signal));
	status = profile_close(s->profile, &error);
	s->profile = NULL;
	if (status == 0)
		status = write_index(s, &error);
	if (s->out == NULL && status == 0)
		return;
	place = xasprintf("%s/%s/report.html",
	    engine_options_directory(&s->report), s->engine);
	size = 4 * strlen(place) + 1;
	shown = xmalloc(size);
	text_printable(place, shown, size);
	text = status != 0 ?
	    xasprintf("%s%s: %s\n", line, s->options->applet, error.text) :
	    xasprintf("%s%s: interrupted after call %ld; the profile is %s\n",
		line, s->options->applet, calls, shown);
	(void)!write(STDERR_FILENO, text, strlen(text));
	free(text);
	free(shown);
	free(place);
}

/* Wait for a signal.  Further signals wait until everything is written: a
   terminal's SIGINT and poprun's SIGTERM come together.  The lock is never
   released, so that no other profile is written after this one. */
static void *
wait_for_signal(void *argument)
{
	struct session *s = argument;
	int signal, code;

	do
		code = sigwait(&s->signals, &signal);
	while (code == EINTR);
	if (code != 0)
		return NULL;
	(void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	lock(s);
	save(s, signal);
	(void)pthread_sigmask(SIG_UNBLOCK, &s->signals, NULL);
	(void)raise(signal);
	return NULL;
}

/* Find the signals of the list that would end the program. */
static void
choose_signals(sigset_t *set)
{
	struct sigaction action;
	sigset_t blocked;
	size_t i;

	(void)sigemptyset(set);
	(void)pthread_sigmask(SIG_SETMASK, NULL, &blocked);
	for (i = 0; i < ARRAY_SIZE(ending_signals); i++)
		if (sigaction(ending_signals[i], NULL, &action) == 0 &&
		    action.sa_handler == SIG_DFL &&
		    sigismember(&blocked, ending_signals[i]) == 0)
			(void)sigaddset(set, ending_signals[i]);
}

int
profiling_start(struct session *s, struct error *e)
{
	int code;

	if (engine_options_directory(&s->report) == NULL)
		return 0;
	choose_signals(&s->signals);
	(void)pthread_sigmask(SIG_BLOCK, &s->signals, NULL);
	code = pthread_create(&s->watcher, NULL, wait_for_signal, s);
	if (code != 0) {
		(void)pthread_sigmask(SIG_UNBLOCK, &s->signals, NULL);
		(void)error_set_reason(e, code);
		return error_prefix(e, "cannot start a thread");
	}
	s->watched = true;
	return 0;
}

void
profiling_stop(struct session *s)
{
	if (!s->watched)
		return;
	s->watched = false;
	(void)pthread_cancel(s->watcher);
	(void)pthread_join(s->watcher, NULL);
	(void)pthread_sigmask(SIG_UNBLOCK, &s->signals, NULL);
}

void
profiling_print_pages(const struct session *s)
{
	const char *directory = engine_options_directory(&s->report);

	if (s->out == NULL || directory == NULL || s->profiled == NULL)
		return;
	fputs("Profile: ", s->out);
	text_put(s->out, directory);
	fputs(" (open ", s->out);
	text_put(s->out, directory);
	fprintf(s->out, "/%s/report.html in a browser)\n", s->profiled);
	if (s->report.parent[0] == '\0')
		return;
	fputs("Profiles of all instances: ", s->out);
	text_put(s->out, s->report.parent);
	fputs("/0/index.html\n", s->out);
}
