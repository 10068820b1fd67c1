/*
 * Reading GCDA_OPTIONS and its variables, which gcda_options.h lists.  Reading
 * continues after a mistake, so each one is reported.
 */
#include "core/state/gcda_options.h"

#include <bsd/string.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yyjson.h>

#include "core/base/alloc.h"
#include "core/base/files/file.h"
#include "core/base/parse.h"
#include "core/base/text.h"
#include "core/pod/pod.h"
#include "core/state/settings.h"

enum { CARDS_FILE_MAX = 1 << 20 }; /* bytes */

static const char soc_group[] = "simulateSOCError.";

static int gcda_take_errors(struct gcda_options *, yyjson_val *,
    struct error *);
static int gcda_take_count(struct gcda_options *, yyjson_val *, struct error *);
static int gcda_take_monitoring(struct gcda_options *, yyjson_val *,
    struct error *);
static int gcda_take_measuring(struct gcda_options *, yyjson_val *,
    struct error *);
static int gcda_take_other(struct gcda_options *, yyjson_val *, struct error *);
static int gcda_take_cards(struct gcda_options *, yyjson_val *, struct error *);

struct gcda_key {
	const char *name;
	int (*take)(struct gcda_options *, yyjson_val *, struct error *);
	const char *remedy;
	bool refused;
};

#define FLAG_REMEDY "write \"true\" or \"false\""
#define CARDS_REMEDY \
	"name a file that holds {\"ipu_card_mapping\":[\"0000:0f:00.0\"]}"

static const struct gcda_key gcda_keys[] = {
	{ "configFile", gcda_take_cards, CARDS_REMEDY, false },
	{ "discoverUSBDevices", gcda_take_other, FLAG_REMEDY, false },
	{ "enableMonitoring", gcda_take_monitoring, FLAG_REMEDY, false },
	{ "forceHSPPosted", gcda_take_other, FLAG_REMEDY, false },
	{ "monitorUtilisation", gcda_take_measuring, FLAG_REMEDY, false },
	{ "simulateSOCError.errorList", gcda_take_errors,
	    "write names such as \"IPUSOFTERR,NMLINKDN0\"", true },
	{ "simulateSOCError.triggerCount", gcda_take_count,
	    "write a number such as \"1\"", true },
	{ "simulateSOCError.rearmOnReset", gcda_take_other, FLAG_REMEDY, true },
};

/* The caller knows which of the two values has an effect. */
static const char *const gcda_flags[] = { "GCDA_MONITOR",
	"GCDA_SUPPRESS_UTILISATION_MEASUREMENT", "GCDA_NO_USB_IPU_DISCOVERY",
	"GCDA_HSP_POSTED" };

static void
gcda_add(struct gcda_problems *p, bool refused, const char *remedy,
    const struct error *what)
{
	struct gcda_problem *row;

	if (p == NULL || p->count == GCDA_PROBLEMS_MAX)
		return;
	row = &p->rows[p->count++];
	(void)strlcpy(row->what, what->text, sizeof(row->what));
	(void)strlcpy(row->remedy, remedy, sizeof(row->remedy));
	row->refused = refused;
}

/* ---- values; the reason follows the key ---- */

static int
gcda_take_flag(bool *flag, yyjson_val *value, struct error *e)
{
	*flag = yyjson_is_true(value) || yyjson_equals_str(value, "true");
	if (*flag || yyjson_is_false(value) ||
	    yyjson_equals_str(value, "false"))
		return 0;
	return error_set(e, "must be true or false");
}

static int
gcda_take_errors(struct gcda_options *o, yyjson_val *value, struct error *e)
{
	if (!yyjson_is_str(value))
		return error_set(e, "must be a string");
	return soc_error_parse(yyjson_get_str(value), &o->soc_errors, e);
}

static int
gcda_take_count(struct gcda_options *o, yyjson_val *value, struct error *e)
{
	const uint64_t number = yyjson_get_uint(value);
	long long parsed;

	if (yyjson_is_uint(value) && number <= UINT32_MAX) {
		o->trigger_count = (uint32_t)number;
		return 0;
	}
	if (!yyjson_is_str(value) ||
	    parse_number("", yyjson_get_str(value), 0, UINT32_MAX, &parsed,
		NULL) != 0)
		return error_set(e, "must be a number from 0 to 4294967295");
	o->trigger_count = (uint32_t)parsed;
	return 0;
}

static int
gcda_take_monitoring(struct gcda_options *o, yyjson_val *value, struct error *e)
{
	bool flag;

	if (gcda_take_flag(&flag, value, e) != 0)
		return -1;
	o->monitoring = flag;
	o->monitoring_set = true;
	return 0;
}

static int
gcda_take_measuring(struct gcda_options *o, yyjson_val *value, struct error *e)
{
	bool flag;

	if (gcda_take_flag(&flag, value, e) != 0)
		return -1;
	o->unmeasured = !flag;
	return 0;
}

/* Accept an option without effect, such as for missing hardware. */
static int
gcda_take_other(struct gcda_options *o, yyjson_val *value, struct error *e)
{
	bool flag;

	(void)o;
	return gcda_take_flag(&flag, value, e);
}

/* ---- the file of cards ---- */

/* "0000:0f:00.0": domain, bus, device and function of PCI. */
static bool
is_pci_address(const char *text)
{
	static const char form[] = "hhhh:hh:hh.o";
	size_t i;

	if (text == NULL || strlen(text) != sizeof(form) - 1)
		return false;
	for (i = 0; form[i] != '\0'; i++)
		if (form[i] == 'h' ?
			strchr("0123456789abcdefABCDEF", text[i]) == NULL :
			form[i] == 'o' ? strchr("01234567", text[i]) == NULL :
					 text[i] != form[i])
			return false;
	return true;
}

static int
gcda_check_mapping(yyjson_val *root, struct error *e)
{
	yyjson_val *cards = yyjson_obj_get(root, "ipu_card_mapping");
	yyjson_val *card;
	size_t i, max;
	char shown[64];

	if (!yyjson_is_arr(cards))
		return error_set(e, "the list ipu_card_mapping is missing");
	yyjson_arr_foreach(cards, i, max, card) {
		if (is_pci_address(yyjson_get_str(card)))
			continue;
		text_printable(yyjson_is_str(card) ? yyjson_get_str(card) : "",
		    shown, sizeof(shown));
		return error_set(e,
		    "ipu_card_mapping: entry %zu, '%s', is not a PCI address "
		    "such as 0000:0f:00.0",
		    i + 1, shown);
	}
	return 0;
}

int
gcda_options_check_cards(const char *text, size_t size, struct error *e)
{
	yyjson_doc *doc = yyjson_read(text, size, 0);
	yyjson_val *root = yyjson_doc_get_root(doc);
	int status;

	status = yyjson_is_obj(root) ? gcda_check_mapping(root, e) :
				       error_set(e, "must be a JSON object");
	yyjson_doc_free(doc);
	return status;
}

static int
check_cards_file(const char *path, struct error *e)
{
	char shown[256], *text;
	size_t size;
	int status;

	text = file_read(path, CARDS_FILE_MAX, &size, e);
	if (text == NULL)
		return -1;
	status = gcda_options_check_cards(text, size, e);
	free(text);
	text_printable(path, shown, sizeof(shown));
	return status == 0 ? 0 : error_prefix(e, "%s", shown);
}

static int
gcda_take_cards(struct gcda_options *o, yyjson_val *value, struct error *e)
{
	(void)o;
	if (!yyjson_is_str(value) || yyjson_get_len(value) == 0)
		return error_set(e, "must be a string");
	return check_cards_file(yyjson_get_str(value), e);
}

/* ---- the object ---- */

/* Add an unknown key.  One that begins like the error options may be a mistyped
   one, so it is refused. */
static void
gcda_add_unknown(struct gcda_problems *p, const char *key, const char *shown)
{
	struct suggestion near;
	struct error e;
	size_t i;

	if (strncmp(key, soc_group, sizeof(soc_group) - 1) == 0) {
		(void)error_set(&e,
		    "GCDA_OPTIONS: %s: unknown key; must be errorList, "
		    "triggerCount or rearmOnReset",
		    shown);
		gcda_add(p, true, "write one of these", &e);
		return;
	}
	(void)error_set(&e, "GCDA_OPTIONS: %s: unknown", shown);
	suggest_begin(&near, key);
	for (i = 0; i < ARRAY_SIZE(gcda_keys); i++)
		suggest_offer(&near, gcda_keys[i].name);
	(void)suggest_append(&near, "", &e);
	gcda_add(p, false, "correct its name, or remove it", &e);
}

static void
gcda_take_member(struct gcda_options *o, yyjson_val *name, yyjson_val *value,
    struct gcda_problems *p)
{
	const struct gcda_key *key = gcda_keys;
	const char *word = yyjson_get_str(name);
	char shown[64];
	struct error e;

	text_printable(word, shown, sizeof(shown));
	for (; key < gcda_keys + ARRAY_SIZE(gcda_keys); key++) {
		if (strcmp(word, key->name) != 0)
			continue;
		if (key->take(o, value, &e) == 0)
			return;
		(void)error_prefix(&e, "GCDA_OPTIONS: %s", shown);
		gcda_add(p, key->refused, key->remedy, &e);
		return;
	}
	gcda_add_unknown(p, word, shown);
}

static void
gcda_take_object(struct gcda_options *o, yyjson_val *root,
    struct gcda_problems *p)
{
	yyjson_obj_iter iterator = yyjson_obj_iter_with(root);
	yyjson_val *key;
	struct error e;

	while ((key = yyjson_obj_iter_next(&iterator)) != NULL)
		gcda_take_member(o, key, yyjson_obj_iter_get_val(key), p);
	if (o->soc_errors == 0 ||
	    yyjson_obj_get(root, "simulateSOCError.triggerCount") != NULL)
		return;
	(void)error_set(&e,
	    "GCDA_OPTIONS: simulateSOCError.errorList needs "
	    "simulateSOCError.triggerCount");
	gcda_add(p, true, "add \"simulateSOCError.triggerCount\":\"1\"", &e);
}

void
gcda_options_parse(struct gcda_options *o, const char *text,
    struct gcda_problems *p)
{
	yyjson_doc *doc = yyjson_read(text, strlen(text), 0);
	yyjson_val *root = yyjson_doc_get_root(doc);
	struct error e;

	memset(o, 0, sizeof(*o));
	if (yyjson_is_obj(root)) {
		gcda_take_object(o, root, p);
	} else {
		(void)error_set(&e,
		    "GCDA_OPTIONS must be a JSON object such as "
		    "{\"enableMonitoring\":\"true\"}");
		gcda_add(p, true, "correct it, or unset GCDA_OPTIONS", &e);
	}
	yyjson_doc_free(doc);
}

/* ---- the environment ---- */

/* Whether the variable is 1; *is_set: it is 0 or 1. */
static bool
gcda_flag(const char *name, bool *is_set)
{
	const char *value = variable_get(name);

	*is_set = value != NULL &&
	    (strcmp(value, "0") == 0 || strcmp(value, "1") == 0);
	return *is_set && value[0] == '1';
}

static void
gcda_check_variables(struct gcda_problems *p)
{
	const char *value, *cards = variable_get("GCDA_CONFIG_FILE");
	char shown[64];
	struct error e;
	bool is_set;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(gcda_flags); i++) {
		(void)gcda_flag(gcda_flags[i], &is_set);
		value = variable_get(gcda_flags[i]);
		if (is_set || value == NULL)
			continue;
		text_printable(value, shown, sizeof(shown));
		(void)error_set(&e, "%s '%s': must be 0 or 1", gcda_flags[i],
		    shown);
		gcda_add(p, false, "set it to 1 or 0, or unset it", &e);
	}
	if (cards != NULL && check_cards_file(cards, &e) != 0) {
		(void)error_prefix(&e, "GCDA_CONFIG_FILE");
		gcda_add(p, false, CARDS_REMEDY, &e);
	}
}

/* A 1 of either wins; the files count if neither is set. */
void
gcda_options_read(struct gcda_options *o, struct gcda_problems *p)
{
	const char *text = variable_get("GCDA_OPTIONS");
	bool is_set, on;

	gcda_options_parse(o, text != NULL ? text : "{}", p);
	gcda_check_variables(p);
	if (gcda_flag("GCDA_MONITOR", &is_set))
		o->monitoring = true;
	o->monitoring_set = o->monitoring_set || is_set;
	if (gcda_flag("GCDA_SUPPRESS_UTILISATION_MEASUREMENT", &is_set))
		o->unmeasured = true;
	if (!o->monitoring_set && settings_sensors(&on, NULL, NULL) == 0)
		o->monitoring = on;
}
