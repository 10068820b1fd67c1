/*
 * Answers that all applets share: help, misuse, version, failures.  main.c
 * registers the table of applets before it calls one, so that an applet can
 * start another applet, or ipubox, without a link of that name.
 */
#include "applets/applet.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/strvec.h"
#include "core/base/text.h"
#include "core/process/process.h"
#include "core/state/state.h"

enum { APPLETS_MAX = 32 };

/* Empty until main.c registers the applets, as in a unit test. */
static const struct applet *const no_applets[] = { NULL };
static const struct applet *const *applet_table = no_applets;

void
applet_register(const struct applet *const *table, const char *called)
{
	static const char *names[APPLETS_MAX + 1];
	int i;

	applet_table = table;
	for (i = 0; i < APPLETS_MAX && table[i] != NULL; i++)
		names[i] = table[i]->name;
	own_program_register(names, called);
}

/* Wrap the synopsis with a hanging indent: further lines begin below its first
   word. */
void
applet_usage(FILE *out, const struct applet *applet, const char *synopsis)
{
	const int column = fprintf(out, "usage: %s ", applet->name);

	text_wrap(out, synopsis, column, column);
	fputc('\n', out);
}

/*
 * Print one line, so that the message stays on the screen.  A synopsis that is
 * too long is cut to the operands before its first option.
 */
void
applet_usage_line(FILE *out, const struct applet *applet, const char *synopsis)
{
	const size_t line = strcspn(synopsis, "\n");
	const size_t operands = strcspn(synopsis, "[-\n");

	fprintf(out, "usage: %s ", applet->name);
	if (strlen("usage:  ") + strlen(applet->name) + line <= TEXT_COLUMNS)
		fprintf(out, "%.*s\n", (int)line, synopsis);
	else
		fprintf(out, "%.*s[option ...] (--help lists them)\n",
		    (int)operands, synopsis);
}

int
applet_help(const struct applet *applet)
{
	applet_usage(stdout, applet, applet->synopsis);
	printf("\n%s\n\n", applet->purpose);
	options_print(stdout, applet->options);
	applet_examples(stdout, applet->examples);
	return EXIT_DONE;
}

void
applet_examples(FILE *out, const char *examples)
{
	if (examples != NULL)
		fprintf(out, "\nExamples:\n\n%s\n", examples);
}

int
applet_misuse(const struct applet *applet, const char *fmt, ...)
{
	struct error text;
	va_list ap;

	va_start(ap, fmt);
	(void)error_set_list(&text, fmt, ap);
	va_end(ap);
	(void)applet_failed(applet, &text);
	applet_usage_line(stderr, applet, applet->synopsis);
	return EXIT_USAGE;
}

int
applet_failed(const struct applet *applet, const struct error *e)
{
	fprintf(stderr, "%s: %s\n", applet->name, e->text);
	return EXIT_FAILED;
}

int
applet_version(const struct applet *applet)
{
	printf("ipubox %s (%s)\n", IPUBOX_VERSION, applet->name);
	return EXIT_DONE;
}

const struct applet *
applet_find(const char *name)
{
	const struct applet *const *a;

	for (a = applet_table; *a != NULL; a++)
		if (strcmp((*a)->name, name) == 0)
			break;
	return *a;
}

void
applet_put_names(FILE *out)
{
	const struct applet *const *a;

	for (a = applet_table; *a != NULL; a++)
		fprintf(out, " %s", (*a)->name);
}

int
applet_become(const struct applet *applet, char *const *program)
{
	struct strvec command;
	struct error error;
	char *path;
	int status;

	strvec_init(&command);
	status = own_program_find(program, &path, &command, &error);
	if (status == 0) {
		(void)execv(path, command.items);
		(void)error_set_errno(&error, "cannot execute %s", path);
		free(path);
		status = PROGRAM_CANNOT_EXECUTE;
	}
	strvec_release(&command);
	(void)applet_failed(applet, &error);
	return status;
}

int
applet_versions(const struct applet *applet, struct versions *v)
{
	struct error error;

	if (settings_emulate_sdk(NULL, v, NULL, &error) == 0 ||
	    error.code != ERROR_INVALID)
		return EXIT_DONE;
	return applet_failed(applet, &error);
}

void
applet_check_gcda(const struct applet *applet)
{
	struct gcda_problems problems = { .count = 0 };
	struct gcda_options options;
	int i;

	gcda_options_read(&options, &problems);
	for (i = 0; i < problems.count; i++)
		fprintf(stderr, "%s: %s\n", applet->name,
		    problems.rows[i].what);
}
