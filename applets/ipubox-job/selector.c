/*
 * Selectors of labels and fields.  One parser both checks a selector and
 * matches an object.
 */
#include "applets/ipubox-job/ipubox-job.h"

#include <bsd/stdlib.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/base/strvec.h"

enum label_operator {
	LABEL_EXISTS,
	LABEL_ABSENT,
	LABEL_IN, /* also = and ==, with one value */
	LABEL_NOT_IN,
	LABEL_GREATER,
	LABEL_LESS
};

/* A part of a selector, up to a comma. */
struct requirement {
	enum label_operator operator;
	char *key;
	struct strvec values;
};

/* The state of the parser, and the last token. */
struct selector_text {
	const char *at;
	char *token; /* "" at the end */
};

/* Read the next token: a word, or one of ! ( ) , = == != > <. */
static const char *
next_token(struct selector_text *t)
{
	static const char special[] = "=!(),<>";
	const char *begin;
	size_t length;

	t->at += strspn(t->at, " \t\r\n");
	begin = t->at;
	length = strcspn(begin, "=!(),<> \t\r\n");
	if (length == 0 && *begin != '\0' && strchr(special, *begin) != NULL)
		length = (*begin == '=' || *begin == '!') && begin[1] == '=' ?
		    2 :
		    1;
	free(t->token);
	t->token = xasprintf("%.*s", (int)length, begin);
	t->at = begin + length;
	return t->token;
}

/* Whether that token comes next, without consuming it. */
static bool
is_next(const struct selector_text *t, const char *token)
{
	struct selector_text copy = { .at = t->at };
	const bool same = strcmp(next_token(&copy), token) == 0;

	free(copy.token);
	return same;
}

static bool
selector_is_word(const char *token)
{
	return token[0] != '\0' && strchr("=!(),<>", token[0]) == NULL;
}

/* Check a key, "NAME" or "PREFIX/NAME". */
static int
selector_check_key(const char *key, struct error *e)
{
	const char *slash = strchr(key, '/');
	const char *name = slash != NULL ? slash + 1 : key;

	if (slash != NULL && (slash == key || slash - key > DNS_SUBDOMAIN_MAX))
		return error_set(e,
		    "key: Invalid value: \"%s\": the prefix part must be a DNS "
		    "name",
		    key);
	if (dns_name_is_label_text(name))
		return 0;
	return error_set(e,
	    "key: Invalid value: \"%s\": name part must consist of "
	    "alphanumeric characters, '-', '_' or '.', and must start and end "
	    "with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or "
	    "'123-abc', regex used for validation is "
	    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
	    key);
}

static int
check_value(const char *value, struct error *e)
{
	if (value[0] == '\0' || dns_name_is_label_text(value))
		return 0;
	return error_set(e,
	    "values[0]: Invalid value: \"%s\": a valid label must be an empty "
	    "string or consist of alphanumeric characters, '-', '_' or '.', "
	    "and must start and end with an alphanumeric character (e.g. "
	    "'MyValue',  or 'my_value',  or '12345', regex used for validation "
	    "is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
	    value);
}

/* Read "(a, b)"; an omitted value is empty. */
static int
selector_read_values(struct selector_text *t, struct requirement *r,
    struct error *e)
{
	if (strcmp(next_token(t), "(") != 0)
		return error_set(e, "found '%s', expected: '('", t->token);
	if (is_next(t, ")"))
		return error_set(e,
		    "values: Invalid value: []: for 'in', 'notin' operators, "
		    "values set can't be empty");
	for (;;) {
		if (is_next(t, ",") || is_next(t, ")"))
			strvec_add(&r->values, "");
		else if (selector_is_word(next_token(t)))
			strvec_add(&r->values, t->token);
		else
			return error_set(e,
			    "found '%s', expected: ',', ')' or identifier",
			    t->token);
		if (check_value(r->values.items[r->values.count - 1], e) != 0)
			return -1;
		if (strcmp(next_token(t), ")") == 0)
			return 0;
		if (strcmp(t->token, ",") != 0)
			return error_set(e, "found '%s', expected: ',' or ')'",
			    t->token);
	}
}

/* Read the value after an operator such as =; an omitted value is empty. */
static int
selector_read_value(struct selector_text *t, struct requirement *r,
    struct error *e)
{
	if (t->at[strspn(t->at, " \t\r\n")] == '\0' || is_next(t, ","))
		strvec_add(&r->values, "");
	else if (selector_is_word(next_token(t)))
		strvec_add(&r->values, t->token);
	else
		return error_set(e, "found '%s', expected: identifier",
		    t->token);
	return check_value(r->values.items[0], e);
}

static int
selector_read_number(struct selector_text *t, struct requirement *r,
    struct error *e)
{
	const char *wrong = NULL;

	if (selector_read_value(t, r, e) != 0)
		return -1;
	(void)strtonum(r->values.items[0], LLONG_MIN, LLONG_MAX, &wrong);
	return wrong == NULL ?
	    0 :
	    error_set(e,
		"values[0]: Invalid value: \"%s\": for 'Gt', 'Lt' operators, "
		"the value must be an integer",
		r->values.items[0]);
}

static int
read_requirement(struct selector_text *t, struct requirement *r,
    struct error *e)
{
	const char *word = next_token(t);

	r->operator= LABEL_EXISTS;
	if (strcmp(word, "!") == 0) {
		r->operator= LABEL_ABSENT;
		word = next_token(t);
	}
	if (!selector_is_word(word))
		return error_set(e, "found '%s', expected: identifier", word);
	r->key = xstrdup(word);
	if (selector_check_key(r->key, e) != 0)
		return -1;
	if (r->operator== LABEL_ABSENT || is_next(t, "") || is_next(t, ","))
		return 0;
	word = next_token(t);
	r->operator= strcmp(word, "notin") == 0 || strcmp(word, "!=") == 0 ?
	    LABEL_NOT_IN :
	    strcmp(word, ">") == 0 ? LABEL_GREATER :
	    strcmp(word, "<") == 0 ? LABEL_LESS :
				     LABEL_IN;
	if (strcmp(word, "in") == 0 || strcmp(word, "notin") == 0)
		return selector_read_values(t, r, e);
	if (strcmp(word, "=") == 0 || strcmp(word, "==") == 0 ||
	    strcmp(word, "!=") == 0)
		return selector_read_value(t, r, e);
	if (strcmp(word, ">") == 0 || strcmp(word, "<") == 0)
		return selector_read_number(t, r, e);
	return error_set(e,
	    "found '%s', expected: in, notin, =, ==, !=, gt, lt", word);
}

static bool
has_value(const struct requirement *r, const char *value)
{
	size_t i;

	for (i = 0; i < r->values.count; i++)
		if (strcmp(r->values.items[i], value) == 0)
			return true;
	return false;
}

static bool
is_beyond(const struct requirement *r, const char *value)
{
	const char *wrong;
	const long long a = strtonum(value, LLONG_MIN, LLONG_MAX, &wrong);
	const long long b = strtonum(r->values.items[0], LLONG_MIN, LLONG_MAX,
	    NULL);

	return wrong == NULL && (r->operator== LABEL_GREATER ? a > b : a<b);
}

static bool
is_met(const struct requirement *r, const struct yaml_node *labels)
{
	/* A key may contain '/', so it is not a path. */
	const struct yaml_node *n = yaml_get(labels, r->key);
	const char *value = n == NULL ? NULL : n->text != NULL ? n->text : "";

	switch (r->operator) {
	case LABEL_EXISTS:
		return value != NULL;
	case LABEL_ABSENT:
		return value == NULL;
	case LABEL_IN:
		return value != NULL && has_value(r, value);
	case LABEL_NOT_IN:
		return value == NULL || !has_value(r, value);
	default:
		return value != NULL && is_beyond(r, value);
	}
}

/* Read the whole selector; *takes: whether the labels match it. */
static int
read_labels(const char *text, const struct yaml_node *labels, bool *takes,
    struct error *e)
{
	struct selector_text t = { .at = text };
	struct requirement r;
	int status = 0;

	*takes = true;
	while (status == 0 && !is_next(&t, "")) {
		r = (struct requirement){ .key = NULL };
		status = read_requirement(&t, &r, e);
		if (status != 0)
			(void)error_prefix(e, "unable to parse requirement");
		else
			*takes &= is_met(&r, labels);
		strvec_release(&r.values);
		free(r.key);
		if (status != 0 || strcmp(next_token(&t), "") == 0)
			break;
		if (strcmp(t.token, ",") != 0)
			status = error_set(e,
			    "found '%s', expected: ',' or 'end of string'",
			    t.token);
		else if (is_next(&t, "") || is_next(&t, ","))
			status = error_set(e,
			    "found '%s', expected: identifier after ','",
			    is_next(&t, "") ? "" : ",");
	}
	free(t.token);
	return status;
}

/* A term of --field-selector. */
struct field_term {
	char *field;
	char *value;
	bool equal; /* false: must differ */
};

/* Return the value of a field; a missing one is empty, as in the API. */
static const char *
field_value(const struct yaml_node *object, const char *field)
{
	char *path = xstrdup(strcmp(field, "source") == 0 ? "source.component" :
							    field),
	     *c;
	const char *value;

	for (c = path; *c != '\0'; c++)
		if (*c == '.')
			*c = '/';
	value = yaml_get_text(object, path);
	free(path);
	return value != NULL ? value : "";
}

/*
 * Read the next "FIELD=VALUE" of a field selector, in which a backslash quotes
 * the next character.  false: malformed.
 */
static bool
next_field(const char **text, struct field_term *t)
{
	const char *at = *text + strcspn(*text, "=!,");
	char *to;

	*t = (struct field_term){ .equal = *at == '=',
		.field = xasprintf("%.*s", (int)(at - *text), *text) };
	if (*at != '=' && (*at != '!' || at[1] != '='))
		return false;
	at += *at == '!' || at[1] == '=' ? 2 : 1;
	to = t->value = xmalloc(strlen(at) + 1);
	for (; *at != '\0' && *at != ','; at++) {
		if (*at == '\\' && at[1] != '\0')
			at++;
		*to++ = *at;
	}
	*to = '\0';
	*text = at + (*at == ',');
	return true;
}

static void
free_field(struct field_term *t)
{
	free(t->field);
	free(t->value);
}

static bool
takes_fields(const char *selector, const struct yaml_node *object)
{
	struct field_term t;
	bool takes = true;

	while (takes && *selector != '\0') {
		takes = next_field(&selector, &t) &&
		    (strcmp(field_value(object, t.field), t.value) == 0) ==
			t.equal;
		free_field(&t);
	}
	return takes;
}

static int
check_fields(const char *selector, struct error *e)
{
	const char *at = selector;
	struct field_term t;
	int status = 0;

	while (status == 0 && *at != '\0') {
		if (!next_field(&at, &t))
			status = error_set(e,
			    "invalid selector: '%s'; can't understand '%s'",
			    selector, t.field);
		free_field(&t);
	}
	return status;
}

int
selector_check(const char *labels, const char *fields, struct error *e)
{
	bool takes;

	if (labels != NULL && read_labels(labels, NULL, &takes, e) != 0)
		return -1;
	return fields != NULL ? check_fields(fields, e) : 0;
}

/* Whether the type supports the field: all support the name, some more. */
static bool
is_supported(const char *field, enum resource_type type)
{
	static const char *const both[] = { "metadata.name",
		"metadata.namespace", NULL };
	static const char *const of[RESOURCE_TYPES][14] = {
		[RESOURCE_POD] = { "spec.nodeName", "spec.restartPolicy",
		    "spec.schedulerName", "spec.serviceAccountName",
		    "spec.hostNetwork", "status.phase", "status.podIP",
		    "status.nominatedNodeName", NULL },
		[RESOURCE_SECRET] = { "type", NULL },
		[RESOURCE_EVENT] = { "involvedObject.kind",
		    "involvedObject.namespace", "involvedObject.name",
		    "involvedObject.uid", "involvedObject.apiVersion",
		    "involvedObject.fieldPath", "reason", "reportingComponent",
		    "source", "type", NULL },
	};
	int i;

	for (i = 0; both[i] != NULL; i++)
		if (strcmp(field, both[i]) == 0)
			return true;
	for (i = 0; of[type][i] != NULL; i++)
		if (strcmp(field, of[type][i]) == 0)
			return true;
	return false;
}

int
selector_check_type(const char *fields, enum resource_type type,
    struct error *e)
{
	struct field_term t;
	int status = 0;

	while (status == 0 && fields != NULL && *fields != '\0') {
		if (!next_field(&fields, &t) || !is_supported(t.field, type))
			status = error_set_code(e, ERROR_INVALID,
			    "field label not supported: %s", t.field);
		free_field(&t);
	}
	return status;
}

bool
selector_matches(const struct job_call *c, const struct yaml_node *object)
{
	bool takes = true;

	if (c->selector != NULL &&
	    read_labels(c->selector, yaml_path(object, "metadata/labels"),
		&takes, NULL) != 0)
		return false;
	return takes &&
	    (c->field_selector == NULL ||
		takes_fields(c->field_selector, object));
}
