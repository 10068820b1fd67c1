/*
 * The nearest known word, for messages; parse.h defines what is near.
 */
#include "core/base/parse.h"

#include <bsd/string.h>

#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

enum { WORD_MAX = 64 }; /* longer words are near to none */

/* Return the number of slips that make another word of one of this length. */
static int
too_far(size_t length)
{
	return length < 3 ? 1 : length < 6 ? 2 : length < 9 ? 3 : 4;
}

/* Return the smallest of three. */
static int
smallest(int a, int b, int c)
{
	const int least = a < b ? a : b;

	return least < c ? least : c;
}

/* Return 1 if the letters differ by more than their case, else 0. */
static int
differ(char a, char b)
{
	return tolower((unsigned char)a) != tolower((unsigned char)b);
}

/*
 * Count the slips from a to b.  Row i of the table holds those from the first i
 * letters of a to each beginning of b; three rows at a time are enough.
 *
 *	    t r a i n
 *	  0 1 2 3 4 5		"tr" to "trian": 3 letters more
 *	t 1 0 1 2 3 4		"trian" to "train": 1, i and a changed places
 */
static int
suggest_distance(const char *a, const char *b)
{
	int rows[3][WORD_MAX + 1];
	int *before = rows[0], *last = rows[1], *row = rows[2], *free_row;
	int i, j, la = (int)strlen(a), lb = (int)strlen(b);

	for (j = 0; j <= lb; j++)
		last[j] = before[j] = j;
	for (i = 1; i <= la; i++) {
		row[0] = i;
		for (j = 1; j <= lb; j++) {
			row[j] = smallest(row[j - 1] + 1, last[j] + 1,
			    last[j - 1] + differ(a[i - 1], b[j - 1]));
			if (i > 1 && j > 1 && differ(a[i - 1], b[j - 2]) == 0 &&
			    differ(a[i - 2], b[j - 1]) == 0 &&
			    before[j - 2] + 1 < row[j])
				row[j] = before[j - 2] + 1;
		}
		free_row = before;
		before = last;
		last = row;
		row = free_row;
	}
	return last[lb];
}

/* Return true if only digits differ: "part2" is not a slip for "part1". */
static bool
is_another_number(const char *a, const char *b)
{
	for (; *a != '\0' && *b != '\0'; a++, b++)
		if (*a != *b &&
		    (!isdigit((unsigned char)*a) ||
			!isdigit((unsigned char)*b)))
			return false;
	return *a == *b;
}

void
suggest_begin(struct suggestion *s, const char *typed)
{
	s->typed = typed;
	s->best = NULL;
	s->distance = too_far(strlen(typed));
}

/* Only a strictly nearer word replaces the best; of equally near words the
   first counts. */
void
suggest_offer(struct suggestion *s, const char *word)
{
	const size_t typed = strlen(s->typed);
	int slips;

	if (typed < 3 || typed > WORD_MAX || strlen(word) > WORD_MAX ||
	    is_another_number(s->typed, word))
		return;
	slips = strncasecmp(word, s->typed, typed) == 0 ?
	    1 :
	    suggest_distance(s->typed, word);
	if (slips < s->distance) {
		s->best = word;
		s->distance = slips;
	}
}

/* If the text ends with ")", the hint goes inside: "(agents are ag01, ag02; did
   you mean ag01?)". */
int
suggest_append(const struct suggestion *s, const char *dashes, struct error *e)
{
	size_t end;

	if (s->best == NULL || e == NULL)
		return -1;
	end = strlen(e->text);
	if (end == 0 || e->text[end - 1] != ')')
		return error_append(e, " (did you mean %s%s?)", dashes,
		    s->best);
	e->text[end - 1] = '\0';
	return error_append(e, "; did you mean %s%s?)", dashes, s->best);
}

int
suggest_word(const char *typed, const char *const *words, struct error *e)
{
	struct suggestion s;

	suggest_begin(&s, typed);
	for (; *words != NULL; words++)
		suggest_offer(&s, *words);
	return suggest_append(&s, "", e);
}

int
suggest_name(const char *typed, const void *rows, size_t count, size_t size,
    size_t offset, struct error *e)
{
	struct suggestion s;
	size_t i;

	suggest_begin(&s, typed);
	for (i = 0; i < count; i++)
		suggest_offer(&s, (const char *)rows + i * size + offset);
	return suggest_append(&s, "", e);
}

/* Split the words at commas and spaces; "or" is not one of them. */
int
suggest_refuse(const char *what, const char *value, const char *words,
    struct error *e)
{
	struct suggestion s;
	char list[256], *rest = list, *word;

	(void)error_set(e, "%s '%s': must be %s", what, value, words);
	(void)strlcpy(list, words, sizeof(list));
	suggest_begin(&s, value);
	while ((word = strsep(&rest, ", ")) != NULL)
		if (strcmp(word, "or") != 0)
			suggest_offer(&s, word);
	return suggest_append(&s, "", e);
}

int
suggest_choose(const char *what, const char *value, const char *words,
    int *index, struct error *e)
{
	char list[256], *rest = list, *word;
	int count = 0;

	(void)strlcpy(list, words, sizeof(list));
	while ((word = strsep(&rest, ", ")) != NULL) {
		if (*word == '\0' || strcmp(word, "or") == 0)
			continue;
		if (strcmp(word, value) == 0) {
			*index = count;
			return 0;
		}
		count++;
	}
	return suggest_refuse(what, value, words, e);
}
