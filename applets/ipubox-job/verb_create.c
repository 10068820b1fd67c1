/*
 * Creating the objects of manifests, and changing existing ones: create, apply.
 */
#include <bsd/stdlib.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/applet.h"
#include "applets/ipubox-job/ipubox-job.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/parse.h"

enum { NOTES_SHOWN = 3 };

/* The result for an object. */
enum create_outcome { OUTCOME_FAILED = -1, CREATED, CONFIGURED, UNCHANGED };

static const char *const outcome_words[] = { "created", "configured",
	"unchanged" };

/* Return the type of an object in the store; RESOURCE_TYPES: it is not
   stored. */
static enum resource_type
stored_type(const struct manifest_object *o)
{
	static const enum resource_type types[] = {
		[MANIFEST_IPUJOB] = RESOURCE_IPUJOB,
		[MANIFEST_CONFIG_MAP] = RESOURCE_CONFIG_MAP,
		[MANIFEST_SECRET] = RESOURCE_SECRET,
		[MANIFEST_CLAIM] = RESOURCE_CLAIM,
	};

	return o->kind < ARRAY_SIZE(types) ? types[o->kind] : RESOURCE_TYPES;
}

static enum job_kind
store_kind(const struct manifest_object *o)
{
	return (enum job_kind)resource_types[stored_type(o)].kind;
}

/* Add what the API server adds: a name, a namespace, an identity, the time. */
static void
verb_create_complete(struct manifest *m, struct manifest_object *o,
    const char *space)
{
	struct yaml_node *meta = yaml_get(o->node, "metadata");
	char name[IPUJOB_NAME_SIZE], uid[RUNNER_UID_SIZE];
	char now[CLOCK_TEXT_SIZE];
	uint8_t random[5];

	if (o->name == NULL && o->generate_name != NULL) {
		arc4random_buf(random, sizeof(random));
		ipujob_generate_name(o->generate_name, random, name);
		yaml_set_text(m->arena, meta, "name", name);
		o->name = yaml_get_text(meta, "name");
	}
	runner_draw_uid(uid);
	clock_text(clock_real_ms() / 1000, now);
	yaml_set_text(m->arena, meta, "creationTimestamp", now);
	yaml_set_integer(m->arena, meta, "generation", 1);
	yaml_set_text(m->arena, meta, "namespace", space);
	yaml_set_text(m->arena, meta, "uid", uid);
	yaml_unset(meta, "resourceVersion");
	yaml_unset(meta, "deletionTimestamp");
	yaml_unset(o->node, "status");
}

static int
print_outcome(const struct job_call *c, const struct manifest_object *o,
    enum create_outcome outcome)
{
	const char *name = o->name != NULL ? o->name : "<unknown>";
	struct error e;
	int status = EXIT_DONE;

	if (c->form == FORM_DEFAULT)
		printf("%s/%s %s%s\n", o->resource, name,
		    outcome_words[outcome],
		    c->dry_run == NULL ? "" :
			strcmp(c->dry_run, "server") == 0 ?
					 " (server dry run)" :
					 " (dry run)");
	else if (job_values_print(c, o->resource, name, o->node, &e) != 0)
		status = job_call_failed(&e);
	(void)fflush(stdout);
	return status;
}

/* Create the job's directory with its object; then start its runner. */
static enum create_outcome
make_job(struct job_call *c, const struct manifest_object *o, const char *space,
    struct error *e)
{
	struct job_entry entry;
	enum create_outcome outcome = CREATED;

	if (job_store_lock(&c->store, e) != 0)
		return OUTCOME_FAILED;
	if (job_entry_make(&c->store, space, o->name, o->node, &entry, e) != 0)
		outcome = OUTCOME_FAILED;
	job_store_unlock(&c->store);
	if (outcome == CREATED && runner_start(&c->store, &entry, e) != 0)
		outcome = OUTCOME_FAILED;
	job_entry_close(&entry);
	return outcome;
}

static enum create_outcome
make_object(struct job_call *c, const struct manifest_object *o,
    const char *space, struct error *e)
{
	const enum job_kind kind = store_kind(o);
	struct yaml_arena *arena = yaml_arena_new();
	enum create_outcome outcome = OUTCOME_FAILED;

	if (job_store_lock(&c->store, e) != 0) {
		yaml_arena_free(arena);
		return OUTCOME_FAILED;
	}
	if (job_store_read(&c->store, arena, space, kind, o->name, NULL) !=
	    NULL)
		(void)error_set_code(e, ERROR_EXISTS, "%s already exists",
		    o->name);
	else if (job_store_write(&c->store, space, kind, o->name, o->node, e) ==
	    0)
		outcome = CREATED;
	job_store_unlock(&c->store);
	yaml_arena_free(arena);
	return outcome;
}

/* The user's parts of an object; the server adds all others. */
static const char *const user_parts[] = { "spec", "data", "binaryData",
	"stringData", "immutable", "type" };
static const char *const user_meta[] = { "labels", "annotations" };

static bool
are_same_parts(const struct yaml_node *a, const struct yaml_node *b,
    const char *const *parts, size_t count)
{
	const struct yaml_node *x, *y;
	size_t i;

	for (i = 0; i < count; i++) {
		x = yaml_get(a, parts[i]);
		y = yaml_get(b, parts[i]);
		if ((x == NULL) != (y == NULL) ||
		    (x != NULL && !yaml_equal(x, y)))
			return false;
	}
	return true;
}

static bool
is_same_otherwise(const struct yaml_node *a, const struct yaml_node *b)
{
	return are_same_parts(a, b, user_parts, ARRAY_SIZE(user_parts)) &&
	    are_same_parts(yaml_get(a, "metadata"), yaml_get(b, "metadata"),
		user_meta, ARRAY_SIZE(user_meta));
}

/* Remove what the manifest no longer has, because all of it came from a
   manifest. */
static void
merge_parts(struct yaml_arena *arena, struct yaml_node *there,
    const struct yaml_node *asked, const char *const *parts, size_t count)
{
	struct yaml_node *part;
	size_t i;

	for (i = 0; i < count; i++)
		if ((part = yaml_get(asked, parts[i])) != NULL)
			(void)yaml_set(arena, there, parts[i], part);
		else
			yaml_unset(there, parts[i]);
}

/* Merge the user's parts of one object into the existing one. */
static void
merge_object(struct yaml_arena *arena, struct yaml_node *there,
    const struct yaml_node *asked)
{
	struct yaml_node *m = yaml_get(there, "metadata");

	merge_parts(arena, there, asked, user_parts, ARRAY_SIZE(user_parts));
	merge_parts(arena, m, yaml_get(asked, "metadata"), user_meta,
	    ARRAY_SIZE(user_meta));
	yaml_set_integer(arena, m, "generation",
	    yaml_get_integer(m, "generation", 1) + 1);
}

/* Allow only changes of labels for an immutable ConfigMap or Secret; the words
   are the API server's. */
static int
check_immutable(const struct yaml_node *there, const struct yaml_node *asked,
    struct error *e)
{
	static const char *const texts[] = { "data", "binaryData", "stringData",
		"immutable" };
	size_t i;

	if (!yaml_get_bool(there, "immutable", false))
		return 0;
	for (i = 0; i < ARRAY_SIZE(texts); i++)
		if (!are_same_parts(there, asked, &texts[i], 1))
			return error_set_code(e, ERROR_INVALID,
			    "%s: Forbidden: field is immutable when "
			    "`immutable` is set",
			    texts[i]);
	return 0;
}

/* Allow only a change of the number of instances, because a running job has its
   pods. */
static int
check_spec(struct yaml_arena *arena, const struct yaml_node *there,
    const struct yaml_node *asked, struct error *e)
{
	struct yaml_node *a = yaml_copy(arena, yaml_get(there, "spec"));
	struct yaml_node *b = yaml_copy(arena, yaml_get(asked, "spec"));

	yaml_unset(a, "jobInstances");
	yaml_unset(b, "jobInstances");
	return yaml_equal(a, b) ?
	    0 :
	    error_set_code(e, ERROR_INVALID,
		"spec: only jobInstances can change while the job exists; "
		"delete the job first");
}

/* Change an existing object.  `entry` is an IPUJob's; other objects are files
   of the store. */
static enum create_outcome
change_object(struct job_call *c, struct manifest *m,
    const struct manifest_object *o, const char *space, struct job_entry *entry,
    struct error *e)
{
	const enum job_kind kind = store_kind(o);
	struct yaml_node *there;
	enum create_outcome outcome = OUTCOME_FAILED;

	if (job_store_lock(&c->store, e) != 0)
		return OUTCOME_FAILED;
	there = entry != NULL ?
	    job_entry_read(entry, m->arena, JOB_OBJECT, e) :
	    job_store_read(&c->store, m->arena, space, kind, o->name, e);
	if (there != NULL && is_same_otherwise(there, o->node)) {
		outcome = UNCHANGED;
	} else if (there != NULL &&
	    (entry != NULL ? check_spec(m->arena, there, o->node, e) :
			     check_immutable(there, o->node, e)) == 0) {
		merge_object(m->arena, there, o->node);
		if ((entry != NULL ?
			    job_entry_write(entry, JOB_OBJECT, there, e) :
			    job_store_write(&c->store, space, kind, o->name,
				there, e)) == 0)
			outcome = CONFIGURED;
		if (entry != NULL)
			job_entry_wake(entry);
	}
	job_store_unlock(&c->store);
	return outcome;
}

/* Create an object, or change the existing one if that is requested. */
static enum create_outcome
verb_create_put_object(struct job_call *c, struct manifest *m,
    struct manifest_object *o, const char *space, bool changes, struct error *e)
{
	struct job_entry entry;
	struct error reason = { .code = ERROR_NONE };
	enum create_outcome outcome;

	verb_create_complete(m, o, space);
	outcome = o->kind == MANIFEST_IPUJOB ?
	    make_job(c, o, space, &reason) :
	    make_object(c, o, space, &reason);
	if (outcome != OUTCOME_FAILED || reason.code != ERROR_EXISTS ||
	    !changes) {
		if (outcome == OUTCOME_FAILED)
			(void)error_copy(e, &reason);
		return outcome;
	}
	if (o->kind != MANIFEST_IPUJOB)
		return change_object(c, m, o, space, NULL, e);
	if (job_entry_open(&c->store, space, o->name, &entry, e) == 0)
		outcome = change_object(c, m, o, space, &entry, e);
	job_entry_close(&entry);
	return outcome;
}

static void
print_failure(const struct manifest_object *o, const struct error *e)
{
	switch (e->code) {
	case ERROR_EXISTS:
		(void)job_call_server_error("AlreadyExists",
		    "error when creating \"%s\": %s \"%s\" already exists",
		    o->file, resource_types[stored_type(o)].plural, o->name);
		break;
	case ERROR_INVALID:
		fprintf(stderr, "The %s \"%s\" is invalid: %s\n", o->kind_text,
		    o->name != NULL ? o->name : "", e->text);
		break;
	default:
		(void)job_call_failed(e);
	}
}

/* Return the object's namespace.  -n and the manifest may both name it, if they
   agree. */
static const char *
object_space(const struct job_call *c, const struct manifest_object *o,
    struct error *e)
{
	if (o->space == NULL)
		return c->space;
	if (strcmp(c->space, "default") == 0 || strcmp(o->space, c->space) == 0)
		return o->space;
	(void)error_set(e,
	    "the namespace from the provided object \"%s\" does not match the "
	    "namespace \"%s\". You must pass '--namespace=%s' to perform this "
	    "operation.",
	    o->space, c->space, o->space);
	return NULL;
}

static int
put_one(struct job_call *c, struct manifest *m, struct manifest_object *o,
    bool changes)
{
	const enum lint_kind known = lint_find_kind(o);
	const char *space;
	struct error e = { .code = ERROR_NONE };
	enum create_outcome outcome = CREATED;

	/* Not stored; a warning was printed. */
	if (known == LINT_KIND_ELSEWHERE)
		return EXIT_DONE;
	if (changes && o->name == NULL && o->generate_name != NULL)
		return job_call_refuse(
		    "from %s: cannot use generate name with apply",
		    o->generate_name);
	if ((space = object_space(c, o, &e)) == NULL)
		return job_call_failed(&e);
	if (stored_type(o) == RESOURCE_TYPES) {
		/* A warning was printed already. */
		if (known != LINT_KIND_NEEDLESS)
			fprintf(stderr,
			    "Warning: %s %s has no effect here: pods share the "
			    "network and the files of this host\n",
			    o->kind_text, o->name != NULL ? o->name : "");
	} else if (c->dry_run == NULL) {
		outcome = verb_create_put_object(c, m, o, space, changes, &e);
		if (outcome == OUTCOME_FAILED) {
			print_failure(o, &e);
			return EXIT_FAILED;
		}
	} else {
		yaml_set_text(m->arena, yaml_get(o->node, "metadata"),
		    "namespace", space);
	}
	return print_outcome(c, o, outcome);
}

/* Whether the remark says that a field has no effect here, in schema_check()'s
   words. */
static bool
is_without_effect(const struct remark *r)
{
	static const char words[] = "no effect here";

	return r->level == REMARK_NOTE &&
	    strncmp(r->text, words, strlen(words)) == 0;
}

static void
print_remarks(const struct remarks *r, enum remark_level level,
    const char *word)
{
	char *text;
	size_t i;

	for (i = 0; i < r->count; i++)
		if (r->items[i].level == level) {
			text = remarks_text(&r->items[i]);
			fprintf(stderr, "%s: %s\n", word, text);
			free(text);
		}
}

/* Print warnings, and one line for fields without effect; lint prints more. */
static void
print_notes(const struct remarks *r)
{
	size_t i, count = 0;

	print_remarks(r, REMARK_WARNING, "Warning");
	for (i = 0; i < r->count; i++)
		count += is_without_effect(&r->items[i]);
	if (count == 0)
		return;
	fprintf(stderr, "Note: fields without effect here:");
	count = 0;
	for (i = 0; i < r->count; i++)
		if (is_without_effect(&r->items[i]) && ++count <= NOTES_SHOWN)
			fprintf(stderr, "%s %s", count > 1 ? "," : "",
			    r->items[i].path);
	if (count > NOTES_SHOWN)
		fprintf(stderr, " and %zu more", count - NOTES_SHOWN);
	fprintf(stderr, " (ipubox job lint says why)\n");
}

/*
 * Handle unknown fields by --validate: errors (strict), or removed with a
 * warning (warn) or without one (ignore).
 */
static void
prune_unknown(const struct job_call *c, struct manifest *m, struct remarks *r)
{
	const int mode = c->validation;
	struct remarks ignored = { .items = NULL };
	struct manifest_object *o;
	size_t i;

	for (i = 0; (mode == 1 || mode == 2 || mode == 4) && i < m->count;
	     i++) {
		o = &m->objects[i];
		if (o->kind != MANIFEST_UNKNOWN)
			schema_check_prune(schema_find(o->kind_text), o->file,
			    o->node, mode == 1 ? r : &ignored);
	}
	remarks_release(&ignored);
}

static int
verb_put(struct job_call *c, bool changes)
{
	struct manifest m;
	struct remarks r = { .items = NULL };
	struct error e;
	size_t i;
	int status = EXIT_DONE;

	if (c->files.count == 0)
		return job_call_misuse(c, "must specify one of -f and -k");
	if (c->count > 0)
		return job_call_misuse(c, "Unexpected args: [%s]",
		    c->operands[0]);
	manifest_init(&m);
	if (job_call_read_files(c, &m, &e) != 0)
		status = job_call_failed(&e);
	if (status == EXIT_DONE && m.count == 0)
		status = job_call_refuse("no objects passed to %s",
		    c->verb->name);
	if (status == EXIT_DONE) {
		prune_unknown(c, &m, &r);
		lint_manifest(&m, &r);
		remarks_sort(&r);
		if (r.found[REMARK_ERROR] > 0) {
			print_remarks(&r, REMARK_ERROR, "error");
			status = EXIT_FAILED;
		}
	}
	if (status == EXIT_DONE)
		status = job_call_open(c, true);
	if (status == EXIT_DONE) {
		print_notes(&r);
		for (i = 0; i < m.count; i++)
			if (put_one(c, &m, &m.objects[i], changes) != EXIT_DONE)
				status = EXIT_FAILED;
	}
	remarks_release(&r);
	manifest_release(&m);
	return status;
}

int
verb_create(struct job_call *c)
{
	return verb_put(c, false);
}

int
verb_apply(struct job_call *c)
{
	return verb_put(c, true);
}
