/*
 * Output of copy-ssh: each change as it is made, each fault with its remedy,
 * and at the end the matrix of hosts and checks, or everything as JSON.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yyjson.h>

#include "applets/applet.h"
#include "applets/copy-ssh/copy-ssh_internal.h"
#include "applets/copy-ssh/outcome.h"
#include "core/base/alloc.h"
#include "core/base/formats/json.h"
#include "core/base/table.h"

const char *const findings_check_names[CHECKS] = { "resolves", "port",
	"host-key", "key", "user", "clock", "ipubox", "orted", "back" };

/* Return the name of a host in messages; NULL is this host. */
static const char *
findings_name_of(const struct host *h)
{
	return h != NULL ? h->name : "this host";
}

/*
 * Keep an action for the JSON, which is printed at the end as one object.
 * Takes the text over.
 */
static void
findings_remember(struct copy_ssh_run *r, const struct host *h, char *text,
    bool good)
{
	r->steps = xreallocarray(r->steps, r->step_count + 1,
	    sizeof(*r->steps));
	r->steps[r->step_count].host = h;
	r->steps[r->step_count].text = text;
	r->steps[r->step_count].good = good;
	r->step_count++;
}

void
findings_note(struct copy_ssh_run *r, const struct host *h, const char *fmt,
    ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	if (!r->settings->json)
		printf("%s: %s\n", findings_name_of(h), text);
	findings_remember(r, h, text, true);
}

/* Print in order of events, even if both streams go to one file. */
static void
print_fault(const struct host *h, const char *text)
{
	(void)fflush(stdout);
	fprintf(stderr, "copy-ssh: %s: %s\n", findings_name_of(h), text);
}

void
findings_complain(struct copy_ssh_run *r, const struct host *h, const char *fmt,
    ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = xvasprintf(fmt, ap);
	va_end(ap);
	print_fault(h, text);
	findings_remember(r, h, text, false);
}

/*
 * Set the verdict of a check, with its finding.  Later steps may check the same
 * thing again, as verify does after the set-up.
 */
void
findings_set(struct host *h, enum host_check check, enum host_verdict verdict,
    const char *fmt, ...)
{
	struct host_finding *f = &h->findings[check];
	va_list ap;

	/* A later success does not replace a failure. */
	if (f->verdict == SKIPPED || (f->verdict == BAD && verdict == GOOD))
		return;
	free(f->text);
	va_start(ap, fmt);
	f->text = xvasprintf(fmt, ap);
	va_end(ap);
	f->verdict = verdict;
}

void
findings_fail_host(struct copy_ssh_run *r, struct host *h,
    enum host_check check, bool failed, const char *text)
{
	int i;

	/* All earlier checks must have been good. */
	for (i = 0; failed && i < (int)check; i++)
		if (h->findings[i].verdict == NOT_TRIED)
			findings_set(h, (enum host_check)i, GOOD, "%s", "");
	if (h->findings[check].verdict == SKIPPED && !failed)
		return;
	h->findings[check].verdict = NOT_TRIED;
	findings_set(h, check, BAD, "%s", text);
	h->failed = h->failed || failed;
	findings_complain(r, h, "%s", text);
}

/* Whether the host may be used: it did not fail, and none of its checks is
   bad. */
static bool
is_usable(const struct host *h)
{
	int i;

	for (i = 0; i < CHECKS; i++)
		if (h->findings[i].verdict == BAD)
			return false;
	return !h->failed;
}

/* Whether a check has a column; --skip hides it. */
static bool
column_is_used(const struct copy_ssh_run *r, int check)
{
	return (r->settings->skipped & 1u << check) == 0;
}

static const char *
cell(const struct host *h, int check)
{
	switch (h->findings[check].verdict) {
	case GOOD:
		return "ok";
	case BAD:
		return "FAIL";
	default:
		return "-";
	}
}

static enum terminal_tone
cell_tone(const struct host *h, int check)
{
	switch (h->findings[check].verdict) {
	case GOOD:
		return TONE_GOOD;
	case BAD:
		return TONE_BAD;
	default:
		return TONE_PLAIN;
	}
}

static void
print_matrix(const struct copy_ssh_run *r)
{
	/* A narrow column keeps the end of a host's name, where names differ,
	   and all its verdicts. */
	struct fit_rule rules[CHECKS + 1] = {
		{ 1, 16, 0, FIT_KEEP_END },
	};
	const char *headers[CHECKS + 2];
	const struct host *h;
	struct table_screen screen;
	struct table t;
	int i, columns = 0;

	headers[columns++] = "Host";
	for (i = 0; i < CHECKS; i++)
		if (column_is_used(r, i)) {
			rules[columns] = (struct fit_rule){ columns + 1, 4, 0,
				FIT_KEEP_START };
			headers[columns++] = findings_check_names[i];
		}
	headers[columns] = NULL;
	table_init(&t, headers);
	t.rules = rules;
	for (h = r->hosts; h < r->hosts + r->count; h++) {
		table_add(&t, "%s", h->name);
		for (i = 0; i < CHECKS; i++)
			if (column_is_used(r, i)) {
				table_add(&t, "%s", cell(h, i));
				table_tone(&t, cell_tone(h, i));
			}
	}
	table_screen_init(&screen, STDOUT_FILENO, false, TERMINAL_AUTO);
	table_show(stdout, &t, TABLE_OPEN, &screen);
	table_release(&t);
}

static void
add_checks(yyjson_mut_doc *doc, yyjson_mut_val *object,
    const struct copy_ssh_run *r, const struct host *h)
{
	static const char *const verdicts[] = { "not tried", "ok", "failed",
		"skipped" };
	yyjson_mut_val *checks, *one;
	int i;

	checks = yyjson_mut_obj_add_obj(doc, object, "checks");
	for (i = 0; i < CHECKS; i++) {
		one = yyjson_mut_obj_add_obj(doc, checks,
		    findings_check_names[i]);
		(void)yyjson_mut_obj_add_str(doc, one, "result",
		    verdicts[column_is_used(r, i) ? h->findings[i].verdict :
						    SKIPPED]);
		if (h->findings[i].text != NULL &&
		    h->findings[i].text[0] != '\0')
			(void)yyjson_mut_obj_add_strcpy(doc, one, "text",
			    h->findings[i].text);
	}
}

static yyjson_mut_val *
host_object(yyjson_mut_doc *doc, const struct copy_ssh_run *r,
    const struct host *h)
{
	yyjson_mut_val *object = yyjson_mut_obj(doc), *addresses;
	size_t i;

	(void)yyjson_mut_obj_add_strcpy(doc, object, "name", h->name);
	addresses = yyjson_mut_obj_add_arr(doc, object, "addresses");
	for (i = 0; i < h->addresses.count; i++)
		(void)yyjson_mut_arr_add_strcpy(doc, addresses,
		    h->addresses.items[i]);
	(void)yyjson_mut_obj_add_bool(doc, object, "ok", is_usable(h));
	add_checks(doc, object, r, h);
	return object;
}

static void
print_findings_json(const struct copy_ssh_run *r, bool good)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(doc), *list, *one;
	const struct host *h;
	size_t i;

	yyjson_mut_doc_set_root(doc, root);
	(void)yyjson_mut_obj_add_bool(doc, root, "ok", good);
	list = yyjson_mut_obj_add_arr(doc, root, "hosts");
	for (h = r->hosts; h < r->hosts + r->count; h++)
		(void)yyjson_mut_arr_append(list, host_object(doc, r, h));
	list = yyjson_mut_obj_add_arr(doc, root, "steps");
	for (i = 0; i < r->step_count; i++) {
		one = yyjson_mut_arr_add_obj(doc, list);
		(void)yyjson_mut_obj_add_strcpy(doc, one, "host",
		    findings_name_of(r->steps[i].host));
		(void)yyjson_mut_obj_add_bool(doc, one, "ok", r->steps[i].good);
		(void)yyjson_mut_obj_add_strcpy(doc, one, "text",
		    r->steps[i].text);
	}
	json_print(stdout, doc);
}

int
findings_finish(struct copy_ssh_run *r)
{
	const struct copy_ssh_settings *s = r->settings;
	const struct host *h;
	size_t bad = 0;

	for (h = r->hosts; h < r->hosts + r->count; h++)
		bad += !is_usable(h);
	if (s->json)
		print_findings_json(r, bad == 0 && !r->failed);
	else if (!s->dry_run && !s->remove && !s->no_verify)
		print_matrix(r);
	(void)fflush(stdout);
	if (bad > 0) {
		fprintf(stderr, "copy-ssh: checks failed on:");
		for (h = r->hosts; h < r->hosts + r->count; h++)
			if (!is_usable(h))
				fprintf(stderr, " %s", h->name);
		fputc('\n', stderr);
	}
	return bad > 0 || r->failed ? EXIT_FAILED : EXIT_DONE;
}
