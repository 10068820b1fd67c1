/*
 * Lists of hosts with sets in brackets.  An item is checked and counted before
 * it is expanded, so that "n[1-999999999]" is refused at once.  Read
 * hostlist_add() and add_item() first.
 */
#include "core/job/job.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/parse.h"
#include "core/base/text.h"

enum {
	ITEM_LENGTH_MAX = 1024,
	SETS_MAX = 8, /* pairs of brackets in a name */
	DIGITS_MAX = 15
};

/* An element of a set: a word, or a range of numbers. */
struct element {
	const char *text;
	size_t length;
	bool is_range;
	long long first;
	long long last;
	int width;
};

/* A colon is for IPv6 addresses. */
static bool
is_name_character(char c)
{
	return isalnum((unsigned char)c) ||
	    (c != '\0' && strchr("._-:", c) != NULL);
}

/* Names must not begin with "-", because they go into command lines such as
   ssh's. */
bool
hostlist_name_is_valid(const char *name)
{
	size_t i;

	if (name[0] == '\0' || name[0] == '-' || name[0] == '.')
		return false;
	for (i = 0; name[i] != '\0'; i++)
		if (!is_name_character(name[i]))
			return false;
	return i <= HOST_NAME_MAX_LENGTH;
}

/* Refuse the item, which may hold any bytes, in text safe for a terminal. */
static int
hostlist_refuse(struct error *e, const char *item, const char *why)
{
	char text[128];

	text_printable(item, text, sizeof(text));
	return error_set(e, "host '%s': %s", text, why);
}

/* Read the number at *p, of at most DIGITS_MAX digits. */
static int
read_digits(const char **p, const char *end, long long *value, int *digits)
{
	*value = 0;
	for (*digits = 0; *p < end && isdigit((unsigned char)**p); (*p)++) {
		if (++*digits > DIGITS_MAX)
			return -1;
		*value = *value * 10 + (**p - '0');
	}
	return *digits > 0 ? 0 : -1;
}

/* Read the element at *p and move *p to the comma or the end of the set.
   Returns NULL or the reason. */
static const char *
read_element(const char **p, const char *end, struct element *element)
{
	const char *digits;
	int width;

	element->text = *p;
	while (*p < end && **p != ',')
		(*p)++;
	element->length = (size_t)(*p - element->text);
	element->is_range = false;
	if (element->length == 0)
		return "a set has an empty element";
	digits = element->text;
	if (read_digits(&digits, *p, &element->first, &element->width) != 0 ||
	    digits == *p || *digits != '-')
		return NULL;
	digits++;
	if (read_digits(&digits, *p, &element->last, &width) != 0 ||
	    digits != *p)
		return "a range must be two numbers, as in [1-4]";
	if (element->last < element->first)
		return "a range must begin with the smaller number";
	if (element->width != width &&
	    (element->text[0] == '0' || digits[-width] == '0'))
		return "both numbers of a range must have the same number of "
		       "digits";
	if (element->text[0] != '0')
		element->width = 0;
	element->is_range = true;
	return NULL;
}

/* Count the names of the set from `p` to `end`, up to HOSTLIST_MAX + 1. */
static const char *
count_set(const char *p, const char *end, long long *count)
{
	struct element element;
	const char *wrong;

	for (*count = 0;; p++) {
		if ((wrong = read_element(&p, end, &element)) != NULL)
			return wrong;
		*count += element.is_range ? element.last - element.first + 1 :
					     1;
		if (*count > HOSTLIST_MAX)
			*count = HOSTLIST_MAX + 1;
		if (p == end)
			return NULL;
	}
}

/* Check the brackets, and count the names of the item. */
static const char *
count_item(const char *item, long long *count)
{
	const char *p, *open, *close, *wrong;
	long long of_set;
	int sets = 0;

	*count = 1;
	for (p = item; (open = strchr(p, '[')) != NULL; p = close + 1) {
		if (memchr(p, ']', (size_t)(open - p)) != NULL)
			return "a ']' has no '['";
		if ((close = strchr(open, ']')) == NULL ||
		    memchr(open + 1, '[', (size_t)(close - open - 1)) != NULL)
			return "a '[' has no ']'";
		if (++sets > SETS_MAX)
			return "a name has at most 8 sets";
		wrong = count_set(open + 1, close, &of_set);
		if (wrong != NULL)
			return wrong;
		*count *= of_set;
		if (*count > HOSTLIST_MAX)
			return "more than 4096 hosts";
	}
	return strchr(p, ']') == NULL ? NULL : "a ']' has no '['";
}

/* Check a name and add it to the list. */
static int
hostlist_add_name(struct strvec *hosts, const char *name, struct error *e)
{
	if (!hostlist_name_is_valid(name))
		return hostlist_refuse(e, name,
		    name[0] == '-' || name[0] == '.' ?
			"a name must begin with a letter or a digit" :
			strlen(name) > HOST_NAME_MAX_LENGTH ?
			"too long" :
			"a name may have only letters, digits and . _ - :");
	if (hosts->count >= HOSTLIST_MAX)
		return hostlist_refuse(e, name, "more than 4096 hosts");
	strvec_add(hosts, name);
	return 0;
}

/*
 * Add the names of `done` and the rest of the item.  Its sets are valid.  Calls
 * itself for each element of the first set, with the rest:
 *
 *	expand("", "pod[1-2]-[a,b]")
 *	  expand("pod1", "-[a,b]")	-> pod1-a, pod1-b
 *	  expand("pod2", "-[a,b]")	-> pod2-a, pod2-b
 */
static int
expand(struct strvec *hosts, const char *done, const char *item,
    struct error *e)
{
	struct element element;
	const char *open = strchr(item, '['), *close, *p;
	char *name;
	long long n;
	int status = 0;

	if (open == NULL) {
		name = xasprintf("%s%s", done, item);
		status = hostlist_add_name(hosts, name, e);
		free(name);
		return status;
	}
	close = strchr(open, ']');
	for (p = open + 1; status == 0; p++) {
		(void)read_element(&p, close, &element);
		if (!element.is_range)
			element.first = element.last = 0;
		for (n = element.first; n <= element.last && status == 0; n++) {
			name = element.is_range ?
			    xasprintf("%s%.*s%0*lld", done, (int)(open - item),
				item, element.width, n) :
			    xasprintf("%s%.*s%.*s", done, (int)(open - item),
				item, (int)element.length, element.text);
			status = expand(hosts, name, close + 1, e);
			free(name);
		}
		if (p == close)
			break;
	}
	return status;
}

/* qsort(3): by name, ignoring case. */
static int
hostlist_compare(const void *a, const void *b)
{
	return strcasecmp(*(char *const *)a, *(char *const *)b);
}

/* Names are compared without case. */
static int
check_unique(const struct strvec *hosts, struct error *e)
{
	char **sorted;
	size_t i;
	int status = 0;

	if (hosts->count < 2)
		return 0;
	sorted = xreallocarray(NULL, hosts->count, sizeof(*sorted));
	memcpy(sorted, hosts->items, hosts->count * sizeof(*sorted));
	qsort(sorted, hosts->count, sizeof(*sorted), hostlist_compare);
	for (i = 1; i < hosts->count && status == 0; i++)
		if (strcasecmp(sorted[i - 1], sorted[i]) == 0)
			status = hostlist_refuse(e, sorted[i],
			    "it is there twice");
	free(sorted);
	return status;
}

void
hostlist_slots_release(struct hostlist_slots *s)
{
	free(s->counts);
	*s = (struct hostlist_slots){ .counts = NULL };
}

/* Give all hosts without slots this number. */
static void
hostlist_slots_fill(struct hostlist_slots *s, size_t hosts, int number)
{
	while (s != NULL && s->count < hosts) {
		if (s->count == s->room) {
			s->room = s->room == 0 ? 16 : 2 * s->room;
			s->counts = xreallocarray(s->counts, s->room,
			    sizeof(*s->counts));
		}
		s->counts[s->count++] = number;
	}
}

/* Remove everything after the first `count`. */
static void
shrink(struct strvec *hosts, struct hostlist_slots *slots, size_t count)
{
	if (slots != NULL && slots->count > count)
		slots->count = count;
	while (hosts->count > count) {
		hosts->count--;
		free(hosts->items[hosts->count]);
		hosts->items[hosts->count] = NULL;
	}
}

/* Return the end of the item at p: a comma outside brackets, or the text's
   end. */
static const char *
item_end(const char *p)
{
	bool inside = false;

	for (; *p != '\0' && (inside || *p != ','); p++)
		if (*p == '[' || *p == ']')
			inside = *p == '[';
	return p;
}

/* Split "pod1:4" after the name; an IPv6 address has more than one colon. */
static int
cut_slots(char *item, int *number, struct error *e)
{
	char *colon = strchr(item, ':');
	long long value;

	if (colon == NULL || strchr(colon + 1, ':') != NULL ||
	    !isdigit((unsigned char)colon[1]))
		return 0;
	if (parse_number("slots", colon + 1, 1, HOSTLIST_SLOTS_MAX, &value,
		e) != 0)
		return -1;
	*colon = '\0';
	*number = (int)value;
	return 0;
}

/* Add an item of the list, ignoring spaces around it. */
static int
add_item(struct strvec *hosts, struct hostlist_slots *slots, const char *text,
    size_t length, struct error *e)
{
	const char *wrong, *at;
	char *item;
	long long count;
	int status, number = 0;

	while (length > 0 && strchr(" \t", text[0]) != NULL) {
		text++;
		length--;
	}
	while (length > 0 && strchr(" \t", text[length - 1]) != NULL)
		length--;
	if (length == 0)
		return error_set(e, "the list of hosts has an empty name");
	if (slots != NULL && (at = memchr(text, '@', length)) != NULL) {
		slots->has_users = true;
		length -= (size_t)(at + 1 - text);
		text = at + 1;
	}
	item = xasprintf("%.*s",
	    (int)(length < ITEM_LENGTH_MAX ? length : ITEM_LENGTH_MAX), text);
	if (length >= ITEM_LENGTH_MAX)
		status = hostlist_refuse(e, item, "too long");
	else if (slots != NULL && cut_slots(item, &number, e) != 0)
		status = -1;
	else if ((wrong = count_item(item, &count)) != NULL)
		status = hostlist_refuse(e, item, wrong);
	else
		status = expand(hosts, "", item, e);
	if (number != 0)
		hostlist_slots_fill(slots, hosts->count, number);
	free(item);
	return status;
}

/* Add items; hosts without slots get those of the line.  Names may be
   repeated. */
static int
add_items(struct strvec *hosts, struct hostlist_slots *slots, const char *text,
    int number, struct error *e)
{
	const char *end;
	size_t before = hosts->count;
	int status = 0;

	if (text[strspn(text, " \t")] == '\0')
		return error_set(e, "the list of hosts is empty");
	for (; status == 0; text = end + 1) {
		end = item_end(text);
		status = add_item(hosts, slots, text, (size_t)(end - text), e);
		hostlist_slots_fill(slots, hosts->count, number);
		if (*end == '\0')
			break;
	}
	if (status != 0)
		shrink(hosts, slots, before);
	return status;
}

/* Adds all of the text or nothing. */
int
hostlist_add(struct strvec *hosts, struct hostlist_slots *slots,
    const char *text, struct error *e)
{
	const size_t before = hosts->count;

	if (add_items(hosts, slots, text, 0, e) != 0)
		return -1;
	if (check_unique(hosts, e) == 0)
		return 0;
	shrink(hosts, slots, before);
	return -1;
}

/* Keep the first of equal names, with the slots of all.  If there are any, a
   host without slots has one for each line, as $PBS_NODEFILE means it. */
static void
merge_repeated(struct strvec *hosts, struct hostlist_slots *slots)
{
	size_t i, to, kept = 0;
	int number;

	if (check_unique(hosts, NULL) == 0)
		return;
	for (i = 0; i < hosts->count; i++) {
		for (to = 0; to < kept; to++)
			if (strcasecmp(hosts->items[to], hosts->items[i]) == 0)
				break;
		number = slots == NULL ? 0 : slots->counts[i];
		number = number == 0 ? 1 : number;
		if (to < kept) {
			free(hosts->items[i]);
			number += slots == NULL ? 0 : slots->counts[to];
		} else
			hosts->items[kept++] = hosts->items[i];
		if (slots != NULL)
			slots->counts[to] = number < HOSTLIST_SLOTS_MAX ?
			    number :
			    HOSTLIST_SLOTS_MAX;
	}
	hosts->count = kept;
	hosts->items[kept] = NULL;
	if (slots != NULL)
		slots->count = kept;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Read Open MPI's words for slots.  1: read; 0: another word. */
static int
read_slots(const char *word, int *number, struct error *e)
{
	static const char *const names[] = { "slots=", "count=", "cpu=",
		"max_slots=", "max-slots=" };
	const char *digits = strchr(word, '=');
	long long value;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (strncmp(word, names[i], strlen(names[i])) == 0)
			break;
	if (i == ARRAY_SIZE(names))
		return 0;
	if (parse_number("slots", digits + 1, 1, HOSTLIST_SLOTS_MAX, &value,
		e) != 0)
		return -1;
	if (names[i][0] != 'm')
		*number = (int)value;
	return 1;
}

/* Remove the blanks around "=". */
static void
join_equals(char *line)
{
	char *begin = line, *to = line;

	for (; *line != '\0'; line++) {
		while (*line == '=' && to > begin && is_blank(to[-1]))
			to--;
		if (!is_blank(*line) || to == begin || to[-1] != '=')
			*to++ = *line;
	}
	*to = '\0';
}

/* Add the hosts of a line, which is modified. */
static int
hostlist_add_line(struct strvec *hosts, struct hostlist_slots *slots,
    char *line, struct error *e)
{
	char *word, *end;
	size_t used;
	int found, number = 0;

	line[strcspn(line, "#\r")] = '\0';
	join_equals(line);
	/* Words after the list, from the end. */
	for (;;) {
		used = strlen(line);
		while (used > 0 && strchr(" \t", line[used - 1]) != NULL)
			used--;
		line[used] = '\0';
		for (word = line + used;
		     word > line && strchr(" \t", word[-1]) == NULL; word--)
			;
		found = word == line ? 0 : read_slots(word, &number, e);
		if (found == -1)
			return -1;
		if (found == 0)
			break;
		*word = '\0';
	}
	end = line + strspn(line, " \t");
	return *end == '\0' ? 0 : add_items(hosts, slots, end, number, e);
}

/* An error names the file and the line's number. */
int
hostlist_add_lines(struct strvec *hosts, struct hostlist_slots *slots,
    const char *name, const char *text, size_t size, struct error *e)
{
	const char *end;
	char *line;
	size_t length, before = hosts->count;
	int number = 0, status = 0;

	for (; size > 0 && status == 0; size -= length) {
		end = memchr(text, '\n', size);
		length = end != NULL ? (size_t)(end - text) + 1 : size;
		number++;
		if (memchr(text, '\0', length) != NULL) {
			status = error_set(e, "%s:%d: a NUL byte", name,
			    number);
			break;
		}
		line = xasprintf("%.*s",
		    (int)(end != NULL ? length - 1 : length), text);
		if ((status = hostlist_add_line(hosts, slots, line, e)) != 0)
			(void)error_prefix(e, "%s:%d", name, number);
		free(line);
		text += length;
	}
	if (status == 0 && hosts->count == before)
		status = error_set_code(e, ERROR_NOT_FOUND,
		    "%s: no host is in it", name);
	if (status != 0)
		shrink(hosts, slots, before);
	else
		merge_repeated(hosts, slots);
	return status;
}

int
hostlist_add_file(struct strvec *hosts, struct hostlist_slots *slots,
    const char *path, struct error *e)
{
	char *text;
	size_t size;
	int status;

	if ((text = file_read(path, HOSTLIST_FILE_MAX, &size, e)) == NULL)
		return -1;
	status = hostlist_add_lines(hosts, slots, path, text, size, e);
	free(text);
	return status;
}
