/*
 * Another host's answer to --check: written and read back, refused where it is
 * not one, and its clock.
 */
#include "core/diag/check_answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "tests/unit/tap.h"

#define HEAD "{\"ipubox_check_answer\":1,\"began_ms\":1,\"ended_ms\":2,"
#define ONE(check, verdict, what, mend) \
	"{\"check\":" check ",\"verdict\":" verdict ",\"what\":" what \
	",\"mend\":" mend "}"
#define FIND(one) HEAD "\"findings\":[" one "]}"
#define GOOD ONE("\"cores\"", "\"ok\"", "\"two\"", "\"\"")

static const struct {
	const char *name;
	const char *text;
	int count; /* of findings; -1: refused */
} answers[] = {
	{ "none", FIND(""), 0 },
	{ "one", FIND(GOOD), 1 },
	{ "two", FIND(GOOD "," GOOD), 2 },
	{ "among other lines", "Welcome\n{}\n" FIND(GOOD) "\nbye\n", 1 },
	{ "fields that nobody knows", HEAD "\"x\":{},\"findings\":[]}", 0 },
	/* Not answers. */
	{ "nothing", "", -1 },
	{ "other words", "sh: 1: no\n", -1 },
	{ "not at the beginning of a line", "x" FIND(GOOD), -1 },
	{ "cut off", HEAD "\"findings\":[", -1 },
	{ "more behind it", FIND(GOOD) " {}", -1 },
	{ "another format",
	    "{\"ipubox_check_answer\":2,\"began_ms\":1,\"ended_ms\":2,"
	    "\"findings\":[]}",
	    -1 },
	{ "no times", "{\"ipubox_check_answer\":1,\"findings\":[]}", -1 },
	{ "a time that is a text",
	    "{\"ipubox_check_answer\":1,\"began_ms\":\"1\",\"ended_ms\":2,"
	    "\"findings\":[]}",
	    -1 },
	{ "a time before all",
	    "{\"ipubox_check_answer\":1,\"began_ms\":-1,\"ended_ms\":2,"
	    "\"findings\":[]}",
	    -1 },
	{ "a time that is too far",
	    "{\"ipubox_check_answer\":1,\"began_ms\":1,\"ended_ms\":"
	    "18446744073709551615,\"findings\":[]}",
	    -1 },
	{ "an end before the beginning",
	    "{\"ipubox_check_answer\":1,\"began_ms\":3,\"ended_ms\":2,"
	    "\"findings\":[]}",
	    -1 },
	{ "no findings", HEAD "\"findings\":{}}", -1 },
	{ "findings that are not objects", FIND("1"), -1 },
	{ "a check that there is not",
	    FIND(ONE("\"core\"", "\"ok\"", "\"\"", "\"\"")), -1 },
	{ "a verdict that there is not",
	    FIND(ONE("\"cores\"", "\"fine\"", "\"\"", "\"\"")), -1 },
	{ "a finding without a text",
	    FIND(ONE("\"cores\"", "\"ok\"", "null", "\"\"")), -1 },
	{ "an escape sequence",
	    FIND(ONE("\"cores\"", "\"ok\"", "\"\\u001b[2J\"", "\"\"")), -1 },
	{ "a tab", FIND(ONE("\"cores\"", "\"ok\"", "\"a\\tb\"", "\"\"")), -1 },
	{ "a NUL byte",
	    FIND(ONE("\"cores\"", "\"ok\"", "\"\"", "\"a\\u0000b\"")), -1 },
	{ "good ones and a bad one", FIND(GOOD "," GOOD ",[]"), -1 },
};

static void
test_answers(void)
{
	struct check_answer a;
	struct error e;
	size_t i;
	int status;

	for (i = 0; i < ARRAY_SIZE(answers); i++) {
		memset(&a, 0, sizeof(a));
		e.text[0] = '\0';
		status = check_answer_read(&a, answers[i].text,
		    strlen(answers[i].text), &e);
		is_int(status == 0 ? a.diagnosis.count : -1, answers[i].count,
		    answers[i].name);
		ok(status == 0 || (a.diagnosis.count == 0 && e.text[0] != '\0'),
		    "refused whole, with a reason");
		diagnosis_release(&a.diagnosis);
	}
}

static void
test_round(void)
{
	struct check_answer a = { .began_ms = 1795000000000,
		.ended_ms = 1795000000250 },
			    b = { .began_ms = 0 };
	struct error e = { .text = "" };
	char *text;

	a.diagnosis.checking = "program";
	diagnosis_add(&a.diagnosis, VERDICT_FAIL,
	    "\"a\\b\": \x1b[1m \xff\tdo it");
	a.diagnosis.checking = "shared-memory";
	diagnosis_add(&a.diagnosis, VERDICT_WARN, "\xc3\xa9");
	text = check_answer_text(&a);
	is_int(check_answer_read(&b, text, strlen(text), &e), 0, "read back");
	free(text);
	is_int(b.began_ms, a.began_ms, "began");
	is_int(b.ended_ms, a.ended_ms, "ended");
	is_int(b.diagnosis.count, 2, "both");
	is_int(b.diagnosis.failures, 1, "failures are counted");
	if (b.diagnosis.count == 2) {
		is_str(b.diagnosis.findings[0].name, "program", "check");
		is_str(b.diagnosis.findings[0].what, "\"a\\b\": \\x1b[1m \\xff",
		    "what");
		is_str(b.diagnosis.findings[0].remedy, "do it", "mend");
		is_str(b.diagnosis.findings[1].what, "\xc3\xa9", "UTF-8");
		is_int(b.diagnosis.findings[1].verdict, VERDICT_WARN,
		    "verdict");
	}
	diagnosis_release(&a.diagnosis);
	diagnosis_release(&b.diagnosis);
}

/* More findings, longer ones, and more bytes than a host has to tell. */
static void
test_much(void)
{
	struct check_answer a = { .began_ms = 0 };
	char *text = NULL, *longer;
	int i;

	for (i = 0; i <= CHECK_ANSWER_FINDINGS_MAX; i++) {
		longer = xasprintf("%s%s" GOOD, text != NULL ? text : "",
		    text != NULL ? "," : "");
		free(text);
		text = longer;
	}
	longer = xasprintf(FIND("%s"), text);
	is_int(check_answer_read(&a, longer, strlen(longer), NULL), -1,
	    "too many findings");
	free(text);
	free(longer);
	text = xasprintf(FIND(ONE("\"cores\"", "\"ok\"", "\"%0*d\"", "\"\"")),
	    FINDING_SIZE, 0);
	is_int(check_answer_read(&a, text, strlen(text), NULL), -1,
	    "a finding that is too long");
	free(text);
	text = xasprintf("%*s\n" FIND(GOOD), CHECK_ANSWER_MAX_BYTES, "");
	is_int(check_answer_read(&a, text, strlen(text), NULL), -1,
	    "too much beside it");
	free(text);
	is_int(a.diagnosis.count, 0, "none is kept");
}

/* The times in ms: sent, began there, ended there, received. */
static const struct {
	const char *name;
	int64_t sent, began, ended, received, offset, sure;
	enum verdict verdict;
} clocks[] = {
	{ "the same", 1000, 1100, 1200, 1300, 0, 0, VERDICT_OK },
	{ "a long way there", 1000, 1900, 2000, 2000, 450, 0, VERDICT_OK },
	{ "a second ahead", 1000, 2100, 2100, 1200, 1000, 900, VERDICT_OK },
	{ "2 s ahead", 1000, 3100, 3200, 1300, 2000, 1900, VERDICT_WARN },
	{ "2 s behind", 5000, 3100, 3200, 5300, -2000, 1900, VERDICT_WARN },
	{ "2 s on a way of 4 s", 1000, 5000, 5000, 5000, 2000, 0, VERDICT_OK },
	{ "6 s behind", 9000, 3100, 3200, 9300, -6000, 5900, VERDICT_FAIL },
	{ "an hour ahead", 0, 3600000, 3600000, 0, 3600000, 3600000,
	    VERDICT_FAIL },
	{ "our clock was set back", 5000, 5000, 5100, 4000, 550, 550,
	    VERDICT_OK },
};

static void
test_clocks(void)
{
	struct check_answer a;
	int64_t sure;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(clocks); i++) {
		memset(&a, 0, sizeof(a));
		a.began_ms = clocks[i].began;
		a.ended_ms = clocks[i].ended;
		is_int(check_answer_clock(&a, clocks[i].sent,
			   clocks[i].received, &sure),
		    clocks[i].offset, clocks[i].name);
		is_int(sure, clocks[i].sure, "at least");
		check_answer_judge_clock(&a, clocks[i].sent, clocks[i].received,
		    &a.diagnosis);
		is_int(a.diagnosis.findings[0].verdict, clocks[i].verdict,
		    "verdict");
		diagnosis_release(&a.diagnosis);
	}
}

int
main(void)
{
	test_answers();
	test_round();
	test_much();
	test_clocks();
	return tap_done();
}
