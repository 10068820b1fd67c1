/*
 * The live view on a terminal, by termbox: it writes only the cells that have
 * changed.  The rest is in watch_view.h.
 */
#include "applets/gc-monitor/watch.h"

#include <sys/syscall.h>

#include <bsd/string.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termbox.h>
#include <unistd.h>

#include "applets/gc-monitor/watch_view.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"

struct watch {
	const struct watch_request *request;
	struct source_request looks; /* without a wait: keys do not wait */
	struct source source;
	struct watch_sample sample;
	struct watch_view view;
	struct watch_rows rows;
	bool utf8;
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
	return locale != NULL &&
	    (strcasestr(locale, "utf-8") != NULL ||
		strcasestr(locale, "utf8") != NULL);
}

/* ---- the screen ---- */

/* Make termbox use its own table of terminals, which is the same on each host,
   instead of parsing files.  Terminals that it does not know follow xterm. */
static void
choose_terminal(void)
{
	static const char *const known[] = { "xterm", "rxvt", "linux", "Eterm",
		"screen", "cygwin" };
	const char *term = variable_get("TERM");
	size_t i;

	(void)setenv("TERMINFO", "/dev/null", 1);
	for (i = 0; term != NULL && i < ARRAY_SIZE(known); i++)
		if (strstr(term, known[i]) != NULL)
			return;
	(void)setenv("TERM",
	    term != NULL && strstr(term, "tmux") != NULL ? "screen" : "xterm",
	    1);
}

static int
screen_open(struct error *e)
{
	static const int signals[] = { SIGINT, SIGTERM };
	struct sigaction action;
	size_t i;
	int fd;

	fd = open("/dev/tty", O_RDWR | O_CLOEXEC);
	if (fd == -1)
		return error_set_errno(e, "/dev/tty");
	choose_terminal();
	if (tb_init_fd(fd) != 0)
		return error_set(e,
		    "the terminal cannot show a live view; "
		    "write to a pipe, as with | cat");
	memset(&action, 0, sizeof(action));
	action.sa_handler = end;
	for (i = 0; i < ARRAY_SIZE(signals); i++)
		(void)sigaction(signals[i], &action, NULL);
	/* Without its terminal termbox would read the end of it for ever. */
	(void)signal(SIGHUP, SIG_DFL);
	return 0;
}

/* Translate a style.  Without colour, bold and reversed cells stay. */
static uint16_t
attributes(int style, bool colour)
{
	static const uint16_t tones[] = { [TONE_PLAIN] = TB_DEFAULT,
		[TONE_GOOD] = TB_GREEN,
		[TONE_WARNING] = TB_YELLOW,
		[TONE_BAD] = TB_RED | TB_BOLD,
		[TONE_DIM] = TB_CYAN,
		[TONE_STRONG] = TB_BOLD };
	uint16_t a = tones[style & ~WATCH_REVERSE];

	if (!colour)
		a &= TB_BOLD;
	return (style & WATCH_REVERSE) != 0 ? a | TB_REVERSE : a;
}

static void
show(struct watch *w)
{
	struct watch_grid g;
	const struct watch_cell *cell;
	int x, y;

	tb_clear();
	watch_grid_init(&g, tb_width(), tb_height(), w->utf8);
	watch_rows_release(&w->rows);
	watch_rows_build(&w->rows, &w->view, &w->sample);
	watch_draw(&g, &w->view, &w->rows, &w->sample);
	for (y = 0, cell = g.cells; y < g.rows; y++)
		for (x = 0; x < g.columns; x++, cell++)
			if (cell->character != 0)
				tb_change_cell(x, y, cell->character,
				    attributes(cell->style, w->request->colour),
				    TB_DEFAULT);
	watch_grid_release(&g);
	tb_present();
}

/* ---- keys ---- */

/* Translate termbox's number of a key. */
static uint32_t
translate(const struct tb_event *event)
{
	static const struct {
		uint16_t key;
		uint32_t meaning;
	} keys[] = {
		{ TB_KEY_ARROW_UP, KEY_UP },
		{ TB_KEY_ARROW_DOWN, KEY_DOWN },
		{ TB_KEY_ARROW_LEFT, KEY_LEFT },
		{ TB_KEY_ARROW_RIGHT, KEY_RIGHT },
		{ TB_KEY_PGUP, KEY_PAGE_UP },
		{ TB_KEY_PGDN, KEY_PAGE_DOWN },
		{ TB_KEY_HOME, KEY_HOME },
		{ TB_KEY_END, KEY_END },
	};
	size_t i;

	if (event->ch != 0)
		return event->ch;
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		if (keys[i].key == event->key)
			return keys[i].meaning;
	if (event->key >= TB_KEY_F12)
		return KEY_FUNCTION + 1 + (uint32_t)(TB_KEY_F1 - event->key);
	return event->key;
}

/* Take a new sample.  The signals of a recording's programs would reach others.
   Returns like source_look(). */
static int
take_sample(struct watch *w, struct error *e)
{
	struct sample sample;
	int i, status;

	memset(&sample, 0, sizeof(sample));
	status = source_look(&w->source, &sample.look, e);
	if (status <= 0)
		return status;
	sample_read(&sample);
	watch_sample_release(&w->sample);
	watch_sample_init(&w->sample, &sample, w->request->verbose);
	sample_release(&sample);
	for (i = 0; w->looks.replay != NULL && i < w->sample.process_count; i++)
		w->sample.processes[i].here = false;
	return 1;
}

/* Take a new sample.  If there is none the old one stays, with the reason. */
static void
refresh(struct watch *w)
{
	struct error e;
	const int status = take_sample(w, &e);

	(void)strlcpy(w->view.trouble,
	    status > 0	    ? "" :
		status == 0 ? "end of the recording" :
			      e.text,
	    sizeof(w->view.trouble));
}

/* Return true if the program that the user chose still holds its IPUs. */
static bool
is_still_there(const struct watch_sample *s, const struct watch_process *victim)
{
	int i;

	for (i = 0; i < s->process_count; i++)
		if (s->processes[i].here &&
		    s->processes[i].pid == victim->pid &&
		    s->processes[i].attached_ns == victim->attached_ns)
			return true;
	return false;
}

/* Send the signal.  The descriptor is opened before the program is looked up
   again, so a new process with the old number never gets it. */
static void
send_signal(struct watch *w)
{
	struct watch_view *v = &w->view;
	const char *name = watch_view_signal_name(v->signal);
	const int pid = v->victim.pid;
	const int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	v->message[0] = '\0';
	refresh(w);
	if (fd == -1 || !is_still_there(&w->sample, &v->victim))
		(void)snprintf(v->message, sizeof(v->message),
		    "pid %d holds no IPU any more", pid);
	else if (syscall(SYS_pidfd_send_signal, fd, v->signal, NULL, 0) == 0)
		(void)snprintf(v->message, sizeof(v->message),
		    "sent %s to pid %d", name, pid);
	else
		(void)snprintf(v->message, sizeof(v->message),
		    "cannot send %s to pid %d: %s", name, pid, strerror(errno));
	v->failed = strncmp(v->message, "sent", 4) != 0;
	if (fd != -1)
		(void)close(fd);
}

/* Give the terminal back to the shell until it continues this program. */
static int
suspend(struct error *e)
{
	tb_shutdown();
	(void)raise(SIGTSTP);
	return screen_open(e);
}

/* Take an event.  Returns 1 to go on, 0 to quit, -1 after a failure. */
static int
take_event(struct watch *w, const struct tb_event *event, struct error *e)
{
	if (event->type != TB_EVENT_KEY)
		return 1;
	switch (watch_keys_type(&w->view, &w->rows, &w->sample,
	    translate(event))) {
	case WATCH_QUIT:
		return 0;
	case WATCH_SUSPEND:
		return suspend(e) == 0 ? 1 : -1;
	case WATCH_KILL:
		send_signal(w);
		return 1;
	case WATCH_GO_ON:
	default:
		return 1;
	}
}

/* Show the view, and take events until the next sample is due.  Returns like
   take_event(). */
static int
serve(struct watch *w, struct error *e)
{
	struct tb_event event;
	int64_t left;
	int type, status;

	for (;;) {
		show(w);
		left = w->due_ms - clock_monotonic_ms();
		if (left <= 0)
			return 1;
		type = tb_peek_event(&event, (int)left);
		if (type < 0 || ended != 0)
			return 0;
		if (type == 0)
			return 1;
		status = take_event(w, &event, e);
		if (status <= 0)
			return status;
	}
}

/* Show the view until the user quits. */
static int
run(struct watch *w, struct error *e)
{
	int status;

	if (take_sample(w, e) < 0)
		return -1;
	watch_view_init(&w->view, &w->sample,
	    w->request->source.all_partitions);
	if (screen_open(e) != 0)
		return -1;
	w->due_ms = clock_monotonic_ms() + w->interval_ms;
	while ((status = serve(w, e)) > 0) {
		refresh(w);
		w->due_ms = clock_monotonic_ms() + w->interval_ms;
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
		.utf8 = has_utf8(),
		.interval_ms =
		    interval_s >= 0 ? (int64_t)(interval_s * 1000.0) : 1000 };
	int status;

	w.looks.all_partitions = true;
	w.looks.interval_s = 0.0;
	if (source_open(&w.source, &w.looks, e) != 0)
		return -1;
	status = run(&w, e);
	source_close(&w.source);
	watch_rows_release(&w.rows);
	watch_sample_release(&w.sample);
	if (ended != 0) {
		(void)signal(ended, SIG_DFL);
		(void)raise(ended);
	}
	return status;
}
