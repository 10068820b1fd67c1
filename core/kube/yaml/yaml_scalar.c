/*
 * The rules of resolve.go of sigs.k8s.io/yaml/goyaml.v2, which kubectl uses,
 * tried with kubectl 1.32.  Source: https://yaml.org/type/.
 */
#include "core/kube/yaml/yaml_internal.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"

/* Resolve words in their exact spellings: "yEs" is a text. */
static bool
resolve_word(struct yaml_node *n)
{
	static const struct {
		const char *text;
		enum yaml_kind kind;
		double value;
	} words[] = { { "", YAML_NULL, 0 }, { "~", YAML_NULL, 0 },
		{ "null", YAML_NULL, 0 }, { "Null", YAML_NULL, 0 },
		{ "NULL", YAML_NULL, 0 }, { "true", YAML_BOOL, 1 },
		{ "True", YAML_BOOL, 1 }, { "TRUE", YAML_BOOL, 1 },
		{ "false", YAML_BOOL, 0 }, { "False", YAML_BOOL, 0 },
		{ "FALSE", YAML_BOOL, 0 }, { "y", YAML_BOOL, 1 },
		{ "Y", YAML_BOOL, 1 }, { "yes", YAML_BOOL, 1 },
		{ "Yes", YAML_BOOL, 1 }, { "YES", YAML_BOOL, 1 },
		{ "n", YAML_BOOL, 0 }, { "N", YAML_BOOL, 0 },
		{ "no", YAML_BOOL, 0 }, { "No", YAML_BOOL, 0 },
		{ "NO", YAML_BOOL, 0 }, { "on", YAML_BOOL, 1 },
		{ "On", YAML_BOOL, 1 }, { "ON", YAML_BOOL, 1 },
		{ "off", YAML_BOOL, 0 }, { "Off", YAML_BOOL, 0 },
		{ "OFF", YAML_BOOL, 0 }, { ".inf", YAML_REAL, INFINITY },
		{ ".Inf", YAML_REAL, INFINITY },
		{ ".INF", YAML_REAL, INFINITY },
		{ "+.inf", YAML_REAL, INFINITY },
		{ "+.Inf", YAML_REAL, INFINITY },
		{ "+.INF", YAML_REAL, INFINITY },
		{ "-.inf", YAML_REAL, -INFINITY },
		{ "-.Inf", YAML_REAL, -INFINITY },
		{ "-.INF", YAML_REAL, -INFINITY }, { ".nan", YAML_REAL, NAN },
		{ ".NaN", YAML_REAL, NAN }, { ".NAN", YAML_REAL, NAN } };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcmp(n->text, words[i].text) != 0)
			continue;
		n->kind = words[i].kind;
		if (n->kind == YAML_REAL)
			n->real = words[i].value;
		else
			n->integer = words[i].value > 0;
		return true;
	}
	return false;
}

/* Return the base of the digits, and skip its prefix. */
static unsigned
integer_base(const char **digits)
{
	const char *at = *digits;

	if (at[0] != '0' || at[1] == '\0')
		return 10;
	*digits += 2;
	if (at[1] == 'x' || at[1] == 'X')
		return 16;
	if (at[1] == 'b' || at[1] == 'B')
		return 2;
	if (at[1] == 'o' || at[1] == 'O')
		return 8;
	*digits = at + 1;
	return 8;
}

/* Return the value of a digit; 99 for other characters. */
static unsigned
digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a' + 10);
	if (c >= 'A' && c <= 'F')
		return (unsigned)(c - 'A' + 10);
	return 99;
}

/*
 * Resolve an integer; one that fits only in uint64_t becomes a real.  A larger
 * one may be a real by its form.
 */
static bool
resolve_integer(struct yaml_node *n, const char *text)
{
	const bool negative = *text == '-';
	const char *digits = text + (*text == '-' || *text == '+');
	unsigned base = integer_base(&digits), digit;
	uint64_t value = 0;

	if (*digits == '\0')
		return false;
	for (; *digits != '\0'; digits++) {
		digit = digit_value(*digits);
		if (digit >= base ||
		    __builtin_mul_overflow(value, base, &value) ||
		    __builtin_add_overflow(value, digit, &value))
			return false;
	}
	if (value <= INT64_MAX) {
		n->kind = YAML_INTEGER;
		n->integer = negative ? -(int64_t)value : (int64_t)value;
	} else if (negative && value == (uint64_t)INT64_MAX + 1) {
		n->kind = YAML_INTEGER;
		n->integer = INT64_MIN;
	} else {
		n->kind = YAML_REAL;
	}
	n->real = negative ? -(double)value : (double)value;
	return true;
}

/* [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)? */
static bool
is_real(const char *s)
{
	size_t before, behind = 0;

	s += *s == '-' || *s == '+';
	before = strspn(s, "0123456789");
	s += before;
	if (*s == '.') {
		behind = strspn(s + 1, "0123456789");
		s += behind + 1;
	}
	if (before + behind == 0)
		return false;
	if (*s == 'e' || *s == 'E') {
		s++;
		s += *s == '-' || *s == '+';
		before = strspn(s, "0123456789");
		s += before;
		if (before == 0)
			return false;
	}
	return *s == '\0';
}

/* Resolve a real; one beyond the range of a double, such as 1e400, is a
   text. */
static bool
resolve_real(struct yaml_node *n, const char *text)
{
	double value;

	if (!is_real(text))
		return false;
	value = strtod(text, NULL);
	if (!isfinite(value))
		return false;
	n->kind = YAML_REAL;
	n->real = value;
	return true;
}

/* Return a copy without underscores; NULL: one is not allowed there. */
static char *
without_underscores(const char *text)
{
	/* After a point, only between digits. */
	const bool strict = *text == '.';
	char *copy = xmalloc(strlen(text) + 1), *to = copy;
	const char *c;

	for (c = text; *c != '\0'; c++) {
		if (*c != '_') {
			*to++ = *c;
		} else if (strict &&
		    (!isdigit((unsigned char)c[-1]) ||
			!isdigit((unsigned char)c[1]))) {
			free(copy);
			return NULL;
		}
	}
	*to = '\0';
	return copy;
}

void
yaml_scalar_resolve(struct yaml_node *n)
{
	const char *text = n->text;
	char *plain;

	n->kind = YAML_TEXT;
	if (resolve_word(n))
		return;
	if (!isdigit((unsigned char)*text) && *text != '+' && *text != '-' &&
	    *text != '.')
		return;
	plain = without_underscores(text);
	if (plain != NULL && (*text == '.' || !resolve_integer(n, plain)))
		(void)resolve_real(n, plain);
	free(plain);
}

int
yaml_scalar_resolve_as(struct yaml_node *n, const char *tag)
{
	n->kind = YAML_TEXT;
	if (strcmp(tag, "str") == 0 || strcmp(tag, "timestamp") == 0)
		return 0;
	yaml_scalar_resolve(n);
	if (strcmp(tag, "null") == 0)
		return n->kind == YAML_NULL ? 0 : -1;
	if (strcmp(tag, "bool") == 0)
		return n->kind == YAML_BOOL ? 0 : -1;
	if (strcmp(tag, "int") == 0)
		return n->kind == YAML_INTEGER ? 0 : -1;
	if (strcmp(tag, "float") != 0)
		return -1;
	if (n->kind == YAML_INTEGER)
		n->kind = YAML_REAL;
	return n->kind == YAML_REAL ? 0 : -1;
}

/* Skip one to `most` digits; return the rest, or NULL. */
static const char *
skip_digits(const char *s, size_t most)
{
	size_t n = strspn(s, "0123456789");

	return n == 0 || n > most ? NULL : s + n;
}

/* Whether it is 2001-1-2, or with a time "2001-01-02T15:04:05.9Z" (or a
   space). */
static bool
is_time(const char *s)
{
	if (strspn(s, "0123456789") != 4 || s[4] != '-')
		return false;
	s = skip_digits(s + 5, 2);
	if (s == NULL || *s != '-')
		return false;
	s = skip_digits(s + 1, 2);
	return s != NULL && (*s == '\0' || *s == 'T' || *s == 't' || *s == ' ');
}

/* [-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)? as 12:30:45.5 */
static bool
is_base_60(const char *s)
{
	size_t n;

	s += *s == '-' || *s == '+';
	if (!isdigit((unsigned char)*s))
		return false;
	s += strspn(s, "0123456789_");
	if (*s != ':')
		return false;
	for (; *s == ':'; s += n + 1) {
		n = strspn(s + 1, "0123456789");
		if (n == 0 || n > 2 || (n == 2 && s[1] > '5'))
			return false;
	}
	if (*s == '.')
		s += 1 + strspn(s + 1, "0123456789_");
	return *s == '\0';
}

bool
yaml_scalar_is_special(const char *text)
{
	struct yaml_node n = { .text = text };

	yaml_scalar_resolve(&n);
	return n.kind != YAML_TEXT || is_time(text) || is_base_60(text) ||
	    strcmp(text, "<<") == 0;
}
