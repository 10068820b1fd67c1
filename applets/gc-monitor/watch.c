/*
 * The live view on a terminal, by termbox: it writes only the cells that have
 * changed.
 */
#include "applets/gc-monitor/watch.h"

#include <sys/syscall.h>

#include <bsd/string.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/clock.h"

struct watch {
	const struct watch_request *request;
	struct source_request looks; /* without a wait: keys do not wait */
	struct source source;
	struct watch_view view;
	int64_t interval_ms;
	int64_t due_ms; /* CLOCK_MONOTONIC: of the next sample */
};

static volatile sig_atomic_t ended; /* the signal that ends the program */

/* Termbox waits for SIGWINCH by a pipe, so this one is not lost either. */
static void
end(int signal_number)
{
	ended = signal_number;
	(void)raise(SIGWINCH);
}

bool
watch_can_run(void)
{
	const char *term = variable_get("TERM");

	return isatty(STDOUT_FILENO) && term != NULL &&
	    strcmp(term, "dumb") != 0;
}

/* Return true if the locale's characters are UTF-8. */
static bool
has_utf8(void)
{
	const char *locale = variable_get("LC_ALL");

	if (locale == NULL)
		locale = variable_get("LC_CTYPE");
	if (locale == NULL)
		locale = variable_get("LANG");
	return locale != NULL && strcasestr(locale, "utf") != NULL;
}

/* ---- the screen ---- */

/* Termbox uses its own table of terminals, which is the same on each host,
   instead of parsing files.  Terminals that it does not know follow xterm. */
static int
screen_open(struct error *e)
{
	const struct sigaction action = { .sa_handler = end };
	const char *term = variable_get("TERM");
	int status;

	(void)setenv("TERMINFO", "/dev/null", 1);
	if (term != NULL && strstr(term, "tmux") != NULL)
		(void)setenv("TERM", "screen", 1);
	status = tb_init();
	if (status == TB_EUNSUPPORTED_TERMINAL) {
		(void)setenv("TERM", "xterm", 1);
		status = tb_init();
	}
	if (status == TB_EFAILED_TO_OPEN_TTY)
		return error_set_errno(e, "/dev/tty");
	if (status != 0)
		return error_set(e,
		    "the terminal cannot show a live view; "
		    "write to a pipe, as with | cat");
	(void)sigaction(SIGINT, &action, NULL);
	(void)sigaction(SIGTERM, &action, NULL);
	/* Without its terminal termbox would read the end of it for ever. */
	(void)signal(SIGHUP, SIG_DFL);
	return 0;
}

static void
show(struct watch *w)
{
	struct watch_grid g = { .utf8 = has_utf8(),
		.colour = w->request->colour };

	tb_clear();
	g.cells = tb_cell_buffer();
	g.columns = tb_width();
	g.rows = tb_height();
	watch_rows_build(&w->view);
	watch_draw(&g, &w->view);
	tb_present();
}

/* ---- samples and keys ---- */

/* Take a new sample.  If there is none the old one stays, with the reason.  The
   signals of a recording's programs would reach others.  Returns like
   source_look(). */
static int
take_sample(struct watch *w, struct error *e)
{
	struct sample *s = &w->view.sample.from;
	struct device_look look;
	const int status = source_look(&w->source, &look, e);
	int i;

	w->due_ms = clock_monotonic_ms() + w->interval_ms;
	(void)strlcpy(w->view.trouble,
	    status > 0	    ? "" :
		status == 0 ? "end of the recording" :
			      e->text,
	    sizeof(w->view.trouble));
	if (status <= 0)
		return status;
	watch_rows_take(&w->view, &look, w->request->verbose);
	for (i = 0; w->looks.replay != NULL && i < s->holder_count; i++)
		s->holders[i].is_here = false;
	return 1;
}

/* Send the signal, if the program still holds its IPUs.  The descriptor is
   opened before the program is looked up again, so a new process with the old
   number never gets it. */
static void
send_signal(struct watch *w)
{
	struct watch_view *v = &w->view;
	const struct sample *s = &v->sample.from;
	const int pid = v->victim.pid;
	const int fd = (int)syscall(SYS_pidfd_open, pid, 0);
	struct error ignored;
	int i;

	(void)take_sample(w, &ignored);
	for (i = 0; i < s->holder_count; i++)
		if (s->holders[i].is_here && s->holders[i].pid == pid &&
		    s->now_ns - s->holders[i].attached_ns == v->victim_ns)
			break;
	v->failed = true;
	if (fd == -1 || i == s->holder_count) {
		(void)snprintf(v->message, sizeof(v->message),
		    "pid %d holds no IPU any more", pid);
	} else if (syscall(SYS_pidfd_send_signal, fd, v->signal, NULL, 0) ==
	    0) {
		(void)snprintf(v->message, sizeof(v->message),
		    "sent %s to pid %d", v->signal_name, pid);
		v->failed = false;
	} else {
		(void)snprintf(v->message, sizeof(v->message),
		    "cannot send %s to pid %d: %s", v->signal_name, pid,
		    strerror(errno));
	}
	if (fd != -1)
		(void)close(fd);
}

/* Take a key.  Returns 1 to go on, 0 to quit, -1 after a failure. */
static int
take_key(struct watch *w, const struct tb_event *event, struct error *e)
{
	/* Other characters than ASCII have no meaning. */
	const uint32_t key = event->ch == 0 ? event->key :
	    event->ch < 0x80		    ? event->ch :
					      0;
	const enum watch_action action = watch_keys_type(&w->view,
	    (uint16_t)key);

	if (action == WATCH_KILL)
		send_signal(w);
	if (action != WATCH_SUSPEND)
		return action != WATCH_QUIT;
	/* Until the shell continues this program. */
	tb_shutdown();
	(void)raise(SIGTSTP);
	return screen_open(e) == 0 ? 1 : -1;
}

/* Show the view until the user quits. */
static int
run(struct watch *w, struct error *e)
{
	struct tb_event event;
	struct error ignored;
	int64_t left;
	int type, status = 1;

	if (take_sample(w, e) < 0)
		return -1;
	watch_rows_begin(&w->view, w->request->source.all_partitions);
	if (screen_open(e) != 0)
		return -1;
	while (status > 0) {
		show(w);
		left = w->due_ms - clock_monotonic_ms();
		type = left > 0 ? tb_peek_event(&event, (int)left) : 0;
		if (type < 0 || ended != 0)
			status = 0;
		else if (type == 0)
			(void)take_sample(w, &ignored);
		else if (type == TB_EVENT_KEY)
			status = take_key(w, &event, e);
	}
	if (tb_width() >= 0)
		tb_shutdown();
	return status;
}

int
watch_run(const struct watch_request *request, struct error *e)
{
	const double interval_s = request->source.interval_s;
	struct watch w = { .request = request,
		.looks = request->source,
		.interval_ms =
		    interval_s >= 0 ? (int64_t)(interval_s * 1000.0) : 1000 };
	int status;

	w.looks.all_partitions = true;
	w.looks.interval_s = 0.0;
	if (source_open(&w.source, &w.looks, e) != 0)
		return -1;
	status = run(&w, e);
	source_close(&w.source);
	watch_rows_release(&w.view);
	if (ended != 0) {
		(void)signal(ended, SIG_DFL);
		(void)raise(ended);
	}
	return status;
}
