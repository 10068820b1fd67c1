/*
 * Names allowed by RFC 1123, in lower case as Kubernetes requires.
 */
#include "core/kube/schema/schema.h"

#include <bsd/string.h>

#include <ctype.h>
#include <string.h>

static bool
is_letter_or_digit(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/* A hyphen needs a letter, a digit or another hyphen on both sides. */
static bool
is_dns_name(const char *name, bool dots)
{
	char before = '.';
	size_t i;

	for (i = 0; name[i] != '\0'; before = name[i], i++) {
		if (is_letter_or_digit(name[i]))
			continue;
		if (name[i] == '-' && before != '.')
			continue;
		if (!dots || name[i] != '.' || before == '.' || before == '-')
			return false;
	}
	return before != '.' && before != '-';
}

/*
 * Guess the intended name: lower case, with a hyphen for each '_', space and
 * forbidden dot.  Returns false if that is not valid either.
 */
static bool
guess_name(const char *name, bool dots, char *guess, size_t size)
{
	size_t i;

	if (strlcpy(guess, name, size) >= size)
		return false;
	for (i = 0; guess[i] != '\0'; i++) {
		guess[i] = (char)tolower((unsigned char)guess[i]);
		if (guess[i] == '_' || guess[i] == ' ' ||
		    (guess[i] == '.' && !dots))
			guess[i] = '-';
	}
	return is_dns_name(guess, dots);
}

static int
check_dns_name(const char *name, bool dots, size_t max, struct error *e)
{
	char guess[DNS_SUBDOMAIN_MAX + 1];

	if (*name == '\0')
		return error_set_code(e, ERROR_INVALID,
		    "'': must not be empty");
	if (!is_dns_name(name, dots)) {
		(void)error_set_code(e, ERROR_INVALID,
		    "'%s': must consist of lower case letters, digits%s, with "
		    "a letter or a digit at %s",
		    name, dots ? ", '-' and '.'" : " and '-'",
		    dots ? "both ends of each part" : "both ends");
		if (guess_name(name, dots, guess, sizeof(guess)))
			(void)error_append(e, " (did you mean %s?)", guess);
		return -1;
	}
	if (strlen(name) > max)
		return error_set_code(e, ERROR_INVALID,
		    "'%s': has %zu characters, but at most %zu are allowed",
		    name, strlen(name), max);
	return 0;
}

int
dns_name_check_label(const char *name, size_t max, struct error *e)
{
	return check_dns_name(name, false, max, e);
}

int
dns_name_check_subdomain(const char *name, size_t max, struct error *e)
{
	return check_dns_name(name, true, max, e);
}

/* Names of directories are refused, and "..data" and the like, which Kubernetes
   reserves. */
bool
dns_name_is_key(const char *key)
{
	size_t i;

	for (i = 0; key[i] != '\0'; i++)
		if (!isalnum((unsigned char)key[i]) &&
		    strchr("-_.", key[i]) == NULL)
			return false;
	return i > 0 && i <= DNS_SUBDOMAIN_MAX && strcmp(key, ".") != 0 &&
	    strncmp(key, "..", 2) != 0;
}

bool
dns_name_is_variable(const char *name)
{
	return dns_name_is_key(name) && !isdigit((unsigned char)*name);
}

bool
dns_name_is_label_text(const char *text)
{
	const size_t length = strlen(text);
	size_t i;

	if (length == 0 || length > DNS_LABEL_MAX ||
	    !isalnum((unsigned char)text[0]) ||
	    !isalnum((unsigned char)text[length - 1]))
		return false;
	for (i = 0; i < length; i++)
		if (!isalnum((unsigned char)text[i]) &&
		    strchr("-_.", text[i]) == NULL)
			return false;
	return true;
}
