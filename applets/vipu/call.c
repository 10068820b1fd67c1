/*
 * Answers of the commands of vipu and vipu-admin: success, failure, misuse,
 * each in the words of V-IPU.  Also their options as names and numbers.
 */
#include "applets/vipu/call.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/control/control.h"
#include "core/server/server.h"

/*
 * Missing options are NULL here; the environment and the files then decide.
 */
void
call_config_options(const struct call *call, struct config_options *options)
{
	*options = (struct config_options){ .file = call->values[KEY_CONFIG],
		.values = {
		    [CONFIG_API_HOST] = call->values['H'],
		    [CONFIG_API_PORT] = call->values[KEY_API_PORT],
		    [CONFIG_USER_ID] = call->values[KEY_USER_ID],
		    [CONFIG_ACCESS_KEY] = call->values[KEY_ACCESS_KEY],
		    [CONFIG_IPUOF_LOCATION] = call->values[KEY_IPUOF_LOCATION],
		} };
}

/* Print a hint on a separate line below the sentence. */
static void
call_print_hint(const char *hint)
{
	if (*hint != '\n')
		return;
	fprintf(stderr, "%s\n", hint + 1);
}

/* Whether the error says that no server answers; V-IPU prints that without the
   name of the program in front. */
static bool
is_about_connection(const struct error *e)
{
	static const char connect[] = "unable to connect to ";

	return strncmp(e->text, connect, sizeof(connect) - 1) == 0;
}

int
call_error(const struct call *call, const struct error *e)
{
	struct error first = *e;
	size_t len = strcspn(first.text, "\n");

	first.text[len] = '\0';
	if (!is_about_connection(e))
		fprintf(stderr, "%s: ", call->applet->name);
	fprintf(stderr, "%s\n", first.text);
	call_print_hint(e->text + len);
	return EXIT_FAILED;
}

int
call_misuse(const struct call *call, const char *fmt, ...)
{
	struct error text;
	char *words;
	va_list ap;

	va_start(ap, fmt);
	(void)error_set_list(&text, fmt, ap);
	va_end(ap);
	(void)applet_failed(call->applet, &text);
	words = call->command != NULL ?
	    command_usage(call->command) :
	    xstrdup(
		"VERB ENTITY [NAME] [option ...] (--help lists the commands)");
	applet_usage_line(stderr, call->applet, words);
	free(words);
	return EXIT_USAGE;
}

/*
 * Print "create partition (mypt)", or "list partitions" for a command without a
 * name.
 */
static void
call_print_subject(FILE *out, const struct call *call)
{
	const char *verb = call->command->verb;
	char text[COMMAND_TITLE_SIZE], name[2 * NAME_LENGTH_MAX];

	text_printable(call->name != NULL ? call->name : "", name,
	    sizeof(name));
	/* The guide prints the original name, also for an alias. */
	fprintf(out, "%s",
	    command_title(command_original(call->command), text));
	if (call->name != NULL)
		fprintf(out, " (%s)", name);
	else if (call->command->entity != NULL && strcmp(verb, "list") != 0)
		fprintf(out, "s");
}

/* Print on stdout like the original, because scripts read it there. */
int
call_success(const struct call *call)
{
	const char *entity = call->command->entity;

	call_print_subject(stdout, call);
	printf(": success%s\n",
	    entity != NULL && strcmp(entity, "partition") == 0 ? "" : ".");
	return EXIT_DONE;
}

int
call_failed(const struct call *call, const struct error *e)
{
	const bool colour = terminal_has_colour(STDERR_FILENO, call->colour);
	struct error first = *e;
	size_t len = strcspn(first.text, "\n");

	if (is_about_connection(e))
		return call_error(call, e);
	/* The full stop ends the sentence; a hint has a separate line. */
	first.text[len] = '\0';
	call_print_subject(stderr, call);
	fprintf(stderr, ": %sfailed%s: %s.\n", terminal_begin(TONE_BAD, colour),
	    terminal_end(TONE_BAD, colour), first.text);
	call_print_hint(e->text + len);
	return EXIT_FAILED;
}

int
call_name(const struct call *call, int key, const char *what, char *name)
{
	const char *text = call->values[key];
	struct error error;

	if (text == NULL || name_parse(what, text, name, &error) == 0)
		return 0;
	(void)call_failed(call, &error);
	return -1;
}

/*
 * The message names the option in the command's spelling, because a key may
 * have several names.
 */
int
call_number(const struct call *call, int key, long long min, long long max,
    int *value)
{
	const struct option_row *row = call->command->options;
	struct error error;
	char what[64];
	long long number;

	if (call->values[key] == NULL)
		return 0;
	while (row->key != key)
		row++;
	(void)snprintf(what, sizeof(what), "--%s", row->name);
	if (parse_number(what, call->values[key], min, max, &number, &error) !=
	    0) {
		(void)call_misuse(call, "%s", error.text);
		return -1;
	}
	*value = (int)number;
	return 0;
}

struct controller *
call_open(const struct call *call, struct error *e)
{
	const struct server_request server = config_server(&call->config);
	struct controller *c = server_open_controller(&server, &call->caller,
	    e);
	char note[SERVER_ADDRESS_NOTE_SIZE];

	if (c == NULL)
		return NULL;
	if (controller_where(c) == NULL &&
	    server_address_note(&server, note)[0] != '\0')
		fprintf(stderr, "%s: %s\n", call->applet->name, note);
	controller_set_files(c, call->config.values[CONFIG_IPUOF_LOCATION]);
	return c;
}

void
call_warn_damage(const struct call *call, const struct snapshot *s)
{
	if (s->damaged > 0)
		fprintf(stderr, "%s: warning: a partition is not shown: %s\n",
		    call->applet->name, s->damage);
}

void
call_close(const struct call *call, struct controller *c)
{
	const char *left = controller_leftover(c);

	if (left != NULL)
		fprintf(stderr, "%s: warning: %s\n", call->applet->name, left);
	controller_close(c);
}

int
call_read_state(const struct call *call, struct snapshot *s)
{
	struct controller *c;
	struct error error;
	int status;

	if ((c = call_open(call, &error)) == NULL)
		return call_failed(call, &error);
	status = transaction_list(c, s, &error);
	call_close(call, c);
	return status == 0 ? EXIT_DONE : call_failed(call, &error);
}

int
call_read_registry(const struct call *call, struct registry *r)
{
	struct controller *c;
	struct error error;
	int status;

	if ((c = call_open(call, &error)) == NULL)
		return call_failed(call, &error);
	status = reader_open_of(c, r, &error);
	call_close(call, c);
	return status == 0 ? EXIT_DONE : call_failed(call, &error);
}

/* Explain why the partition is not ready and what to do, which depends on its
   machines. */
static void
call_explain(struct controller *c, const struct partition *p, const char *tool,
    struct error *e)
{
	struct snapshot s;
	const bool seen = transaction_list(c, &s, NULL) == 0;

	(void)error_set(e, "%s; the partition is in state %s: ", p->last_error,
	    partition_state_name(p->state));
	(void)lifecycle_append_remedy(seen ? &s.pod : NULL, p, tool, e);
	if (seen)
		snapshot_release(&s);
}

/*
 * The wait has three ends: the partition is ready, it is not ready, or the wait
 * failed (the partition is gone, or the state is unreadable).
 */
int
call_wait(const struct call *call, struct controller *c, struct partition *p)
{
	struct error error;

	/* Another user may remove a ready partition at any time. */
	if (p->state == PS_PENDING && wait_configured(c, -1, p, &error) != 0)
		return call_failed(call, &error);
	if (p->state == PS_ACTIVE)
		return call_success(call);
	call_explain(c, p, call->applet->name, &error);
	return call_failed(call, &error);
}
