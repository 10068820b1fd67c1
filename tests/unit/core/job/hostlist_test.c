/*
 * Lists of hosts: what they stand for, and why they are refused.  A list that
 * is refused adds nothing.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/job/job.h"
#include "tests/unit/tap.h"

struct row {
	const char *text;
	const char *hosts; /* with spaces, NULL: refused */
	const char *why;
};

static const struct row lists[] = {
	{ "localhost", "localhost", NULL },
	{ "10.3.7.153,10.3.7.154", "10.3.7.153 10.3.7.154", NULL },
	{ "host[0-2,4]", "host0 host1 host2 host4", NULL },
	{ "pod[1-4]", "pod1 pod2 pod3 pod4", NULL },
	{ "10.1.3.[101-104]", "10.1.3.101 10.1.3.102 10.1.3.103 10.1.3.104",
	    NULL },
	{ "n[08-10]", "n08 n09 n10", NULL },
	{ "n[8-10]", "n8 n9 n10", NULL },
	{ "n[0-1]", "n0 n1", NULL },
	{ "n[7]", "n7", NULL },
	{ "n[007]x", "n007x", NULL },
	{ "a[1-2]b[1-2]", "a1b1 a1b2 a2b1 a2b2", NULL },
	{ "[1-2][a,b]", "1a 1b 2a 2b", NULL },
	{ "pod-[a,b-c]", "pod-a pod-b-c", NULL },
	{ "a, b ,\tc", "a b c", NULL },
	{ "localhost,h[2,1]", "localhost h2 h1", NULL },
	{ "fe80::1,::1", "fe80::1 ::1", NULL },
	{ "a_b.C-d", "a_b.C-d", NULL },
	{ "", NULL, "the list of hosts is empty" },
	{ " ", NULL, "the list of hosts is empty" },
	{ ",", NULL, "the list of hosts has an empty name" },
	{ "a,,b", NULL, "the list of hosts has an empty name" },
	{ "a,", NULL, "the list of hosts has an empty name" },
	{ "h[3-1]", NULL,
	    "host 'h[3-1]': a range must begin with the smaller number" },
	{ "h[1-99999999]", NULL, "host 'h[1-99999999]': more than 4096 hosts" },
	{ "h[1-999999999999999]", NULL,
	    "host 'h[1-999999999999999]': more than 4096 hosts" },
	{ "h[1-9999999999999999]", NULL,
	    "host 'h[1-9999999999999999]': a range must be two numbers, as in "
	    "[1-4]" },
	{ "h[1-64][1-65]", NULL, "host 'h[1-64][1-65]': more than 4096 hosts" },
	{ "h[1-4095],i", NULL, "host 'i': more than 4096 hosts" },
	{ "h[]", NULL, "host 'h[]': a set has an empty element" },
	{ "h[1,]", NULL, "host 'h[1,]': a set has an empty element" },
	{ "h[1-]", NULL,
	    "host 'h[1-]': a range must be two numbers, as in [1-4]" },
	{ "h[1-2-3]", NULL,
	    "host 'h[1-2-3]': a range must be two numbers, as in [1-4]" },
	{ "h[01-100]", NULL,
	    "host 'h[01-100]': both numbers of a range must have the same "
	    "number of digits" },
	{ "h[1-02]", NULL,
	    "host 'h[1-02]': both numbers of a range must have the same number "
	    "of digits" },
	{ "h[1", NULL, "host 'h[1': a '[' has no ']'" },
	{ "h[1[2]]", NULL, "host 'h[1[2]]': a '[' has no ']'" },
	{ "h1]", NULL, "host 'h1]': a ']' has no '['" },
	{ "h]1[2]", NULL, "host 'h]1[2]': a ']' has no '['" },
	{ "[1][1][1][1][1][1][1][1][1]", NULL,
	    "host '[1][1][1][1][1][1][1][1][1]': a name has at most 8 sets" },
	{ "A,b,A", NULL, "host 'A': it is there twice" },
	{ "h[1-3,2]", NULL, "host 'h2': it is there twice" },
	{ "-oProxyCommand=x", NULL,
	    "host '-oProxyCommand=x': a name must begin with a letter or a "
	    "digit" },
	{ "[-a,b]", NULL,
	    "host '-a': a name must begin with a letter or a digit" },
	{ ".", NULL, "host '.': a name must begin with a letter or a digit" },
	{ "a b", NULL,
	    "host 'a b': a name may have only letters, digits and . _ - :" },
	{ "a'b", NULL,
	    "host 'a'b': a name may have only letters, digits and . _ - :" },
	{ "a\"b", NULL,
	    "host 'a\"b': a name may have only letters, digits and . _ - :" },
	{ "a\nb", NULL,
	    "host 'a\\x0ab': a name may have only letters, digits and . _ - "
	    ":" },
	{ "a$(b)", NULL,
	    "host 'a$(b)': a name may have only letters, digits and . _ - :" },
	{ "root@a", NULL,
	    "host 'root@a': a name may have only letters, digits and . _ - :" },
	{ "h[1,;x]", NULL,
	    "host 'h;x': a name may have only letters, digits and . _ - :" },
};

static const struct row files[] = {
	{ "a\nb\n", "a b", NULL },
	{ "# all of them\n\n a # the first\npod[1-2]", "a pod1 pod2", NULL },
	{ "a slots=4\nb slots=2 max_slots=8\n", "a b", NULL },
	{ "a,b\r\nc\r\n", "a b c", NULL },
	{ "a, b slots=1", "a b", NULL },
	{ "", NULL, "f: no host is in it" },
	{ "# nobody\n\n", NULL, "f: no host is in it" },
	{ "a\nb c\n", NULL,
	    "f:2: host 'b c': a name may have only letters, digits and . _ - "
	    ":" },
	{ "a\n\nb\nA\na, b\n", "a b", NULL },
	{ "slots=4\n", NULL,
	    "f:1: host 'slots=4': a name may have only letters, digits and . _ "
	    "- :" },
};

static char *
joined(const struct strvec *w)
{
	char *text = NULL;
	size_t size, i;
	FILE *f = open_memstream(&text, &size);

	for (i = 1; i < w->count; i++)
		fprintf(f, "%s%s", i > 1 ? " " : "", w->items[i]);
	fclose(f);
	return text;
}

static void
test_row(const struct row *row, bool is_file)
{
	const char *name = is_file	    ? "the text of a file" :
	    strchr(row->text, '\n') != NULL ? "a newline" :
					      row->text;
	struct strvec w;
	struct error e = { .text = "" };
	char *text;
	int status;

	strvec_init(&w);
	strvec_add(&w, "before");
	status = is_file ?
	    hostlist_add_lines(&w, NULL, "f", row->text, strlen(row->text),
		&e) :
	    hostlist_add(&w, NULL, row->text, &e);
	text = joined(&w);
	is_int(status, row->hosts != NULL ? 0 : -1, name);
	is_str(text, row->hosts != NULL ? row->hosts : "", name);
	is_str(e.text, row->why != NULL ? row->why : "", name);
	ok(w.items[w.count] == NULL, "the list ends with NULL");
	free(text);
	strvec_release(&w);
}

static void
test_limits(void)
{
	struct strvec w;
	struct error e = { .text = "" };
	char *text;

	strvec_init(&w);
	is_int(hostlist_add(&w, NULL, "h[1-4096]", &e), 0, "4096 hosts");
	is_int((long long)w.count, 4096, "all of them");
	is_str(w.items[4095], "h4096", "the last one");
	is_int(hostlist_add(&w, NULL, "i", &e), -1, "one more");
	is_int((long long)w.count, 4096, "not added");
	strvec_release(&w);
	strvec_init(&w);
	is_int(hostlist_add(&w, NULL, "A,b,a", &e), -1,
	    "twice, in another case");
	text = xasprintf("%0*d", HOST_NAME_MAX_LENGTH, 1);
	is_int(hostlist_add(&w, NULL, text, &e), 0, "the longest name");
	free(text);
	text = xasprintf("%0*d", HOST_NAME_MAX_LENGTH + 1, 1);
	is_int(hostlist_add(&w, NULL, text, &e), -1, "a longer one");
	ok(strstr(e.text, "too long") != NULL, e.text);
	free(text);
	text = xasprintf("%0*d", 5000, 1);
	is_int(hostlist_add(&w, NULL, text, &e), -1, "a very long one");
	free(text);
	is_int(hostlist_add_lines(&w, NULL, "f", "a\0b\n", 4, &e), -1, "NUL");
	is_str(e.text, "f:1: a NUL byte", "NUL");
	is_int(hostlist_add_file(&w, NULL, "/nonexistent/hosts", &e), -1,
	    "no file");
	is_int((long long)w.count, 1, "nothing was added");
	strvec_release(&w);
}

/* A text of hosts with slots, a file where it has a newline; what it says, or
   why it is refused. */
static const struct slots_row {
	const char *text;
	const char *slots; /* NULL: refused */
	const char *why;
} slots_rows[] = {
	{ "a", "a=0", NULL },
	{ "a:3,b", "a=3 b=0", NULL },
	{ "p[1-2]:4, c:1", "p1=4 p2=4 c=1", NULL },
	{ "10.1.3.1:2", "10.1.3.1=2", NULL },
	{ "fe80::1", "fe80::1=0", NULL },
	{ "a:", "a:=0", NULL },
	{ "a:b", "a:b=0", NULL },
	{ "a:0", NULL, "slots '0': too small, must be 1 to 4096" },
	{ "a:4097", NULL, "slots '4097': too large, must be 1 to 4096" },
	{ "a:2x", NULL, "slots '2x': not a whole number" },
	{ "a slots=4\nb\n", "a=4 b=0", NULL },
	{ "a,b slots=2\nc count=3 # c\nd cpu=1\n", "a=2 b=2 c=3 d=1", NULL },
	{ "a slots=2 max_slots=8\nb max-slots=8\n", "a=2 b=0", NULL },
	{ "a:3,b slots=2\n", "a=3 b=2", NULL },
	{ "a slots = 4\nb\tslots= 2\n\tc slots =3 \n", "a=4 b=2 c=3", NULL },
	{ "a slots =\n", NULL, "f:1: slots '': not a whole number" },
	{ "b\na\nc\nA\na\nc\n", "b=1 a=3 c=2", NULL },
	{ "a slots=2\nb\na slots=3\nb\na\n", "a=6 b=2", NULL },
	{ "a slots=4096\na\n", "a=4096", NULL },
	{ "me@a slots=2\nyou@b[1-2]\n", "a=2 b1=0 b2=0", NULL },
	{ "a@b@c", NULL,
	    "host 'b@c': a name may have only letters, digits and . _ - :" },
	{ "a slots=x\n", NULL, "f:1: slots 'x': not a whole number" },
	{ "a\nb max_slots=\n", NULL, "f:2: slots '': not a whole number" },
};

static void
test_slots(const struct slots_row *row)
{
	struct hostlist_slots slots = { .counts = NULL };
	struct strvec hosts;
	struct error e = { .text = "" };
	char *text = NULL;
	size_t size, i;
	FILE *f = open_memstream(&text, &size);
	int status;

	strvec_init(&hosts);
	status = strchr(row->text, '\n') != NULL ?
	    hostlist_add_lines(&hosts, &slots, "f", row->text,
		strlen(row->text), &e) :
	    hostlist_add(&hosts, &slots, row->text, &e);
	for (i = 0; i < hosts.count && i < slots.count; i++)
		fprintf(f, "%s%s=%d", i > 0 ? " " : "", hosts.items[i],
		    slots.counts[i]);
	fclose(f);
	is_int(status, row->slots != NULL ? 0 : -1, "hosts with slots");
	is_int((long long)slots.count, (long long)hosts.count,
	    "a number for each");
	is_str(text, row->slots != NULL ? row->slots : "", "and which");
	is_str(e.text, row->why != NULL ? row->why : "", "why not");
	free(text);
	strvec_release(&hosts);
	hostlist_slots_release(&slots);
}

int
main(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lists); i++)
		test_row(&lists[i], false);
	for (i = 0; i < ARRAY_SIZE(files); i++)
		test_row(&files[i], true);
	for (i = 0; i < ARRAY_SIZE(slots_rows); i++)
		test_slots(&slots_rows[i]);
	test_limits();
	return tap_done();
}
