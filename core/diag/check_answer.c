/*
 * A host's answer.  It is untrusted: unknown check names, control characters
 * and too many findings are refused.
 */
#include "core/diag/check_answer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

/* Clocks that surely differ by more are a warning, or a failure. */
enum { CHECK_CLOCK_WARN_MS = 1000, CHECK_CLOCK_FAIL_MS = 5000 };

enum { ANSWER_FORMAT = 1, CLOCK_MAX_MS_BITS = 52 };

/* Start of the answer's line. */
static const char answer_mark[] = "{\"ipubox_check_answer\":";

const char *const check_answer_rows[] = { "reachable", "ipubox", "clock",
	"network", "mpi", "program", "launcher", "script", "paths",
	"directories", "sdk", "partition", "memlock", "shared-memory",
	"temporary", "state", "open-files", "processes", "cores", "port",
	"terminal", NULL };

/* Return the name in the table, or NULL. */
static const char *
answer_find_row(const char *name)
{
	const char *const *row = check_answer_rows;

	while (name != NULL && *row != NULL && strcmp(*row, name) != 0)
		row++;
	return name == NULL ? NULL : *row;
}

void
check_answer_add_findings(yyjson_mut_doc *doc, yyjson_mut_val *array,
    const struct diagnosis *d)
{
	const struct finding *f;
	yyjson_mut_val *one;
	int i;

	for (i = 0; i < d->count; i++) {
		f = &d->findings[i];
		one = yyjson_mut_arr_add_obj(doc, array);
		(void)yyjson_mut_obj_add_str(doc, one, "check", f->name);
		(void)yyjson_mut_obj_add_str(doc, one, "verdict",
		    diagnosis_verdict_words[f->verdict]);
		(void)yyjson_mut_obj_add_str(doc, one, "what", f->what);
		(void)yyjson_mut_obj_add_str(doc, one, "mend", f->remedy);
	}
}

char *
check_answer_text(const struct check_answer *a)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(doc);
	char *text;

	yyjson_mut_doc_set_root(doc, root);
	(void)yyjson_mut_obj_add_int(doc, root, "ipubox_check_answer",
	    ANSWER_FORMAT);
	(void)yyjson_mut_obj_add_sint(doc, root, "began_ms", a->began_ms);
	(void)yyjson_mut_obj_add_sint(doc, root, "ended_ms", a->ended_ms);
	check_answer_add_findings(doc,
	    yyjson_mut_obj_add_arr(doc, root, "findings"), &a->diagnosis);
	/* diagnosis_add() has made findings printable UTF-8. */
	text = yyjson_mut_write(doc, YYJSON_WRITE_NEWLINE_AT_END, NULL);
	yyjson_mut_doc_free(doc);
	return text != NULL ? text : xstrdup("");
}

/* Return a text of at most size - 1 bytes that is safe for a terminal, or
   NULL. */
static const char *
answer_text_of(yyjson_val *object, const char *key, size_t size)
{
	yyjson_val *value = yyjson_obj_get(object, key);
	const char *text = yyjson_get_str(value);
	const unsigned char *c = (const unsigned char *)text;

	if (text == NULL || yyjson_get_len(value) >= size)
		return NULL;
	for (; c < (const unsigned char *)text + yyjson_get_len(value); c++)
		if (*c < ' ' || *c == 0x7f)
			return NULL;
	return text;
}

static int
answer_find_verdict(const char *word)
{
	int i;

	for (i = VERDICT_OK; word != NULL && i <= VERDICT_FAIL; i++)
		if (strcmp(word, diagnosis_verdict_words[i]) == 0)
			return i;
	return -1;
}

static int
answer_add_finding(yyjson_val *one, struct diagnosis *d)
{
	const int verdict =
	    answer_find_verdict(answer_text_of(one, "verdict", sizeof("FAIL")));
	const char *what = answer_text_of(one, "what", FINDING_SIZE);
	const char *mend = answer_text_of(one, "mend", REMEDY_SIZE);

	d->checking = answer_find_row(answer_text_of(one, "check",
	    sizeof("shared-memory")));
	if (d->checking == NULL || verdict == -1 || what == NULL ||
	    mend == NULL)
		return -1;
	diagnosis_add(d, (enum verdict)verdict, "%s\t%s", what, mend);
	return 0;
}

static int
answer_read_time(yyjson_val *root, const char *key, int64_t *ms)
{
	yyjson_val *value = yyjson_obj_get(root, key);

	if (!yyjson_is_uint(value) ||
	    yyjson_get_uint(value) >> CLOCK_MAX_MS_BITS != 0)
		return -1;
	*ms = (int64_t)yyjson_get_uint(value);
	return 0;
}

/* Read a complete answer, with its findings into *d. */
static int
answer_read_root(yyjson_val *root, struct check_answer *a, struct diagnosis *d)
{
	yyjson_val *findings = yyjson_obj_get(root, "findings"), *one;
	size_t i, max;

	if (yyjson_get_int(yyjson_obj_get(root, "ipubox_check_answer")) !=
		ANSWER_FORMAT ||
	    answer_read_time(root, "began_ms", &a->began_ms) != 0 ||
	    answer_read_time(root, "ended_ms", &a->ended_ms) != 0 ||
	    a->ended_ms < a->began_ms || !yyjson_is_arr(findings) ||
	    yyjson_arr_size(findings) > CHECK_ANSWER_FINDINGS_MAX)
		return -1;
	yyjson_arr_foreach(findings, i, max, one)
		if (answer_add_finding(one, d) != 0)
			return -1;
	return 0;
}

/* Return the answer's line, or NULL. */
static const char *
answer_find_line(const char *text, size_t *size)
{
	const char *line = text;

	while (line != NULL &&
	    strncmp(line, answer_mark, sizeof(answer_mark) - 1) != 0) {
		line = strchr(line, '\n');
		line = line == NULL ? NULL : line + 1;
	}
	*size = line == NULL ? 0 : strcspn(line, "\n");
	return line;
}

int
check_answer_read(struct check_answer *a, const char *text, size_t size,
    struct error *e)
{
	struct diagnosis found = { .count = 0 };
	yyjson_doc *doc;
	const struct finding *f;
	size_t length;
	const char *line = answer_find_line(text, &length);
	int status, i;

	if (line == NULL || size > CHECK_ANSWER_MAX_BYTES)
		return error_set_code(e, ERROR_INVALID,
		    size > CHECK_ANSWER_MAX_BYTES ? "its answer is too long" :
						    "it does not answer");
	doc = yyjson_read(line, length, YYJSON_READ_NOFLAG);
	status = answer_read_root(yyjson_doc_get_root(doc), a, &found);
	for (i = 0; status == 0 && i < found.count; i++) {
		f = &found.findings[i];
		a->diagnosis.checking = f->name;
		diagnosis_add(&a->diagnosis, f->verdict, "%s\t%s", f->what,
		    f->remedy);
	}
	diagnosis_release(&found);
	yyjson_doc_free(doc);
	return status == 0 ?
	    0 :
	    error_set_code(e, ERROR_INVALID,
		"its answer is not valid for this version of ipubox");
}

int64_t
check_answer_clock(const struct check_answer *a, int64_t sent_ms,
    int64_t received_ms, int64_t *sure_ms)
{
	const int64_t way = received_ms - sent_ms - (a->ended_ms - a->began_ms);
	const int64_t offset =
	    ((a->began_ms - sent_ms) + (a->ended_ms - received_ms)) / 2;

	*sure_ms = llabs(offset) - (way > 0 ? way : 0) / 2;
	if (*sure_ms < 0)
		*sure_ms = 0;
	return offset;
}

void
check_answer_judge_clock(const struct check_answer *a, int64_t sent_ms,
    int64_t received_ms, struct diagnosis *d)
{
	int64_t sure;
	const int64_t offset = check_answer_clock(a, sent_ms, received_ms,
	    &sure);

	d->checking = "clock";
	if (sure <= CHECK_CLOCK_WARN_MS)
		diagnosis_add(d, VERDICT_OK,
		    "equal to this host's within %.1f s",
		    (double)llabs(offset) / 1000);
	else
		diagnosis_add(d,
		    sure > CHECK_CLOCK_FAIL_MS ? VERDICT_FAIL : VERDICT_WARN,
		    "it is %.1f s %s this host's\tset it, and synchronise it "
		    "by NTP: timedatectl set-ntp true",
		    (double)sure / 1000,
		    offset < 0 ? "earlier than" : "later than");
}
