/*
 * ipubox help: the manuals, which are part of this file.  They were formatted
 * and compressed by config/build/embed-manuals.sh.  Also the licences.
 */
#include <sys/wait.h>

#include <assert.h>
#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/applet.h"
#include "applets/candidates.h"
#include "core/base/alloc.h"
#include "core/base/embedded.h"
#include "core/base/formats/encoding.h"
#include "core/base/parse.h"
#include "core/process/process.h"

enum { LICENSES_MAX = 1 << 20 }; /* bytes */

/* Marks within the text of a manual. */
enum { TEXT_PLAIN = 3, TEXT_BOLD = 1, TEXT_UNDERLINED = 2 };

/* Print a text without its marks; `typed_over`: in the form for pagers, where
   a bold X is "X\bX" and an underlined one "_\bX". */
static void
put_text(FILE *f, const unsigned char *text, size_t size, bool typed_over)
{
	const unsigned char *const end = text + size;
	int style = TEXT_PLAIN;

	for (; text < end; text++) {
		if (*text >= TEXT_BOLD && *text <= TEXT_PLAIN) {
			style = *text;
			continue;
		}
		if (typed_over && style != TEXT_PLAIN)
			fprintf(f, "%c\b", style == TEXT_BOLD ? *text : '_');
		putc(*text, f);
	}
}

/* Return $PAGER or the usual pager, which the caller frees; NULL: none. */
static char *
find_pager(void)
{
	static const char *const usual[] = { "less", "more" };
	const char *pager = getenv("PAGER");
	char *path;
	size_t i;

	if (pager != NULL)
		return *pager == '\0' || strcmp(pager, "cat") == 0 ?
		    NULL :
		    xstrdup(pager);
	for (i = 0; i < sizeof(usual) / sizeof(*usual); i++)
		if (program_find(usual[i], getenv("PATH"), &path, NULL) == 0)
			return path;
	return NULL;
}

/* Execute a pager that reads from `input`.  A host may have no shell. */
static _Noreturn void
become_pager(const char *pager, int input)
{
	if (dup2(input, STDIN_FILENO) != -1) {
		execl("/bin/sh", "sh", "-c", pager, (char *)NULL);
		execlp(pager, pager, (char *)NULL);
	}
	_exit(PROGRAM_NOT_FOUND);
}

/* Show a text in a pager; false: it could not be started. */
static bool
show_in(const char *pager, const unsigned char *text, size_t size)
{
	static const int ignored[] = { SIGPIPE, SIGINT, SIGQUIT };
	enum { IGNORED = sizeof(ignored) / sizeof(*ignored) };
	void (*before[IGNORED])(int);
	int ends[2], status, i;
	pid_t pid;
	FILE *f;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return false;
	if ((pid = fork()) == 0)
		become_pager(pager, ends[0]);
	(void)close(ends[0]);
	if (pid == -1) {
		(void)close(ends[1]);
		return false;
	}
	/* The pager reads the keys, and may end before it has read the text. */
	for (i = 0; i < IGNORED; i++)
		before[i] = signal(ignored[i], SIG_IGN);
	if ((f = fdopen(ends[1], "w")) == NULL)
		(void)close(ends[1]);
	else {
		put_text(f, text, size, true);
		(void)fclose(f);
	}
	while (waitpid(pid, &status, 0) == -1)
		continue;
	for (i = 0; i < IGNORED; i++)
		(void)signal(ignored[i], before[i]);
	return f != NULL &&
	    !(WIFEXITED(status) &&
		WEXITSTATUS(status) >= PROGRAM_CANNOT_EXECUTE);
}

static int
show(const struct embedded_manual *wanted)
{
	const struct embedded_manual *m;
	char *pager = isatty(STDOUT_FILENO) ? find_pager() : NULL;
	size_t all = 0, start = 0, size;
	unsigned char *text;

	for (m = embedded_manuals; m->name != NULL; m++) {
		if (m == wanted)
			start = all;
		all += m->size;
	}
	text = gzip_unpack("the manuals inside this file",
	    embedded_manuals_packed, embedded_manuals_packed_size, all, &size,
	    NULL);
	/* The build has packed them. */
	assert(text != NULL && size == all);
	if (pager == NULL || !show_in(pager, text + start, wanted->size))
		put_text(stdout, text + start, wanted->size, false);
	free(pager);
	free(text);
	return EXIT_DONE;
}

static const char family[] = "ipubox-";

/* Find the manual of a NAME, NAME.SECTION or NAME(SECTION), or return NULL.
   The name may lack "ipubox-", as a command's may. */
static const struct embedded_manual *
find(const char *word)
{
	const struct embedded_manual *m;
	const char *name;
	size_t size = strlen(word);
	int section = 0;

	if (size > 3 && word[size - 3] == '(' && word[size - 1] == ')') {
		section = word[size - 2] - '0';
		size -= 3;
	} else if (size > 2 && word[size - 2] == '.' &&
	    isdigit((unsigned char)word[size - 1])) {
		section = word[size - 1] - '0';
		size -= 2;
	}
	for (m = embedded_manuals; m->name != NULL; m++) {
		name = m->name;
		if (strncmp(name, family, strlen(family)) == 0 &&
		    strncmp(word, family, strlen(family)) != 0)
			name += strlen(family);
		if ((section == 0 || section == m->section) &&
		    strlen(name) == size && strncmp(name, word, size) == 0)
			return m;
	}
	return NULL;
}

static void
list(const char *title, const char *sections)
{
	const struct embedded_manual *m;
	char name[32];

	printf("\n%s:\n\n", title);
	for (m = embedded_manuals; m->name != NULL; m++)
		if (strchr(sections, '0' + m->section) != NULL) {
			(void)snprintf(name, sizeof(name), "%s(%d)", m->name,
			    m->section);
			printf("  %-20s %s\n", name, m->purpose);
		}
}

void
help_offer(const struct candidates *c)
{
	const struct embedded_manual *m;

	for (m = embedded_manuals; m->name != NULL; m++)
		candidates_offer(c, m->name);
}

int
help_main(const char *name)
{
	const struct embedded_manual *m;
	struct suggestion nearest;
	struct error e;

	if (name == NULL || strcmp(name, "-h") == 0 ||
	    strcmp(name, "--help") == 0) {
		printf("usage: ipubox help [NAME]\n\n"
		       "Show one of these manuals, which are part of this file."
		       "  NAME.5 is the one in\n"
		       "section 5.  On a terminal, $PAGER shows it.\n");
		list("Commands", "18");
		list("Files", "5");
		list("Topics", "7");
		list("Libraries", "3");
		return EXIT_DONE;
	}
	if ((m = find(name)) != NULL)
		return show(m);
	suggest_begin(&nearest, name);
	for (m = embedded_manuals; m->name != NULL; m++) {
		suggest_offer(&nearest, m->name);
		if (strncmp(m->name, family, strlen(family)) == 0)
			suggest_offer(&nearest, m->name + strlen(family));
	}
	(void)error_set(&e,
	    "manual '%s' does not exist (\"ipubox help\" lists all)", name);
	(void)suggest_append(&nearest, "", &e);
	fprintf(stderr, "ipubox: %s\n", e.text);
	return EXIT_FAILED;
}

int
help_licenses(void)
{
	size_t size;
	uint8_t *text = gzip_unpack("the licences inside this file",
	    embedded_licenses, embedded_licenses_size, LICENSES_MAX, &size,
	    NULL);

	/* The build has packed them. */
	assert(text != NULL);
	(void)fwrite(text, 1, size, stdout);
	free(text);
	return EXIT_DONE;
}
