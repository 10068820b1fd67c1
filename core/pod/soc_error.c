/*
 * Errors of a system on chip: their names, numbers and remedies.
 */
#include "core/pod/pod.h"

#include <bsd/string.h>

#include <stdio.h>
#include <string.h>

#include "core/base/parse.h"

static const struct {
	const char *name;
	bool application; /* caused by the program */
	enum soc_remedy remedy;
} errors[SOC_ERRORS_END] = {
	[SOC_SOC0PGMERR] = { "SOC0PGMERR", true, REMEDY_IPU_RESET },
	[SOC_SOC1PGMERR] = { "SOC1PGMERR", true, REMEDY_IPU_RESET },
	[SOC_ELINKPGMERR] = { "ELINKPGMERR", true, REMEDY_IPU_RESET },
	[SOC_HEXOVERFLOWERR] = { "HEXOVERFLOWERR", true, REMEDY_IPU_RESET },
	[SOC_MCUPGMERR] = { "MCUPGMERR", true, REMEDY_IPU_RESET },
	[SOC_SOC0SOFTERR] = { "SOC0SOFTERR", false, REMEDY_IPU_RESET },
	[SOC_SOC1SOFTERR] = { "SOC1SOFTERR", false, REMEDY_IPU_RESET },
	[SOC_ELINKSOFTERR] = { "ELINKSOFTERR", false, REMEDY_IPU_RESET },
	[SOC_IPUSOFTERR] = { "IPUSOFTERR", false, REMEDY_IPU_RESET },
	[SOC_NMLINKDN0] = { "NMLINKDN0", false, REMEDY_PARTITION_RESET },
	[SOC_NMLINKDN1] = { "NMLINKDN1", false, REMEDY_PARTITION_RESET },
	[SOC_MCUSOFTERR] = { "MCUSOFTERR", false, REMEDY_FULL_RESET },
};

/* All valid bits; a damaged registry may have others. */
#define ALL (SOC_BIT(SOC_ERRORS_END) - SOC_BIT(1))

/* Return the error of that name of `len` bytes, or 0. */
static int
soc_error_find(const char *name, size_t len)
{
	int i;

	for (i = 1; i < SOC_ERRORS_END; i++)
		if (strlen(errors[i].name) == len &&
		    memcmp(errors[i].name, name, len) == 0)
			return i;
	return 0;
}

static int
soc_error_unknown(const char *word, size_t len, const char *known,
    struct error *e)
{
	struct suggestion nearest;
	char typed[65];
	int i;

	(void)strlcpy(typed, word,
	    len < sizeof(typed) ? len + 1 : sizeof(typed));
	suggest_begin(&nearest, typed);
	for (i = 1; i < SOC_ERRORS_END; i++)
		suggest_offer(&nearest, errors[i].name);
	(void)error_set_code(e, ERROR_INVALID,
	    "'%s' is not a SoC error; use %s", typed, known);
	return suggest_append(&nearest, "", e);
}

int
soc_error_parse(const char *list, uint32_t *set, struct error *e)
{
	const char separators[] = ", ";
	char known[SOC_TEXT_SIZE];
	size_t len;
	int error;

	soc_error_text(ALL, "", known, sizeof(known));
	*set = 0;
	list += strspn(list, separators);
	while (*list != '\0') {
		len = strcspn(list, separators);
		if ((error = soc_error_find(list, len)) == 0)
			return soc_error_unknown(list, len, known, e);
		*set |= SOC_BIT(error);
		list += len;
		list += strspn(list, separators);
	}
	if (*set == 0)
		return error_set_code(e, ERROR_INVALID,
		    "names no SoC error; use %s", known);
	return 0;
}

void
soc_error_text(uint32_t set, const char *prefix, char *text, size_t size)
{
	size_t used = 0;
	int i;

	text[0] = '\0';
	for (i = 1; i < SOC_ERRORS_END; i++)
		if ((set & SOC_BIT(i)) != 0 && used < size)
			used += (size_t)snprintf(text + used, size - used,
			    "%s%s%s", used > 0 ? ", " : "", prefix,
			    errors[i].name);
}

enum soc_remedy
soc_error_remedy(uint32_t set)
{
	enum soc_remedy remedy = REMEDY_IPU_RESET;
	int i;

	for (i = 1; i < SOC_ERRORS_END; i++)
		if ((set & SOC_BIT(i)) != 0 && errors[i].remedy > remedy)
			remedy = errors[i].remedy;
	return remedy;
}

uint32_t
soc_error_left(uint32_t set, enum soc_remedy remedy)
{
	uint32_t left = 0;
	int i;

	for (i = 1; i < SOC_ERRORS_END; i++)
		if (errors[i].remedy > remedy)
			left |= set & SOC_BIT(i);
	return left;
}

bool
soc_error_recoverable(uint32_t set)
{
	int i;

	for (i = 1; i < SOC_ERRORS_END; i++)
		if ((set & SOC_BIT(i)) != 0 && !errors[i].application)
			return true;
	return false;
}

const char *
soc_error_remedy_name(enum soc_remedy remedy)
{
	static const char *const names[] = {
		[REMEDY_IPU_RESET] = "IPU_RESET",
		[REMEDY_PARTITION_RESET] = "PARTITION_RESET",
		[REMEDY_FULL_RESET] = "FULL_RESET",
	};

	return names[remedy];
}
