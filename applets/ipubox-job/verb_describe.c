/*
 * describe: the whole object and its events.
 *
 * All types have one form: a head like kubectl's, the fields of the object with
 * kubectl's words for them, and the events.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/applet.h"
#include "applets/ipubox-job/ipubox-job.h"
#include "applets/ipubox-job/kube_table.h"
#include "core/base/alloc.h"
#include "core/base/clock.h"
#include "core/base/text.h"

static void put_value(FILE *, int level, const struct yaml_node *,
    bool are_names);

/* Write "  Image Pull Policy:" for imagePullPolicy; a name stays unchanged. */
static void
put_key(FILE *f, int level, const char *key, bool is_name)
{
	size_t capitals = 1, i = 0;

	fprintf(f, "%*s", 2 * level, "");
	while (isalpha((unsigned char)key[i]))
		i++;
	if (is_name || key[i] != '\0') {
		kube_table_put_cell(f, key);
		fputc(':', f);
		return;
	}
	if ((strncmp(key, "api", 3) == 0 || strncmp(key, "uid", 3) == 0) &&
	    !islower((unsigned char)key[3]))
		capitals = 3;
	for (i = 0; key[i] != '\0'; i++) {
		if (i > 0 && isupper((unsigned char)key[i]) &&
		    (islower((unsigned char)key[i - 1]) ||
			islower((unsigned char)key[i + 1])))
			fputc(' ', f);
		fputc(i < capitals ? toupper((unsigned char)key[i]) : key[i],
		    f);
	}
	fputc(':', f);
}

/* Write each line of a text at the level. */
static void
put_text_lines(FILE *f, int level, const char *text)
{
	char *line;
	size_t length;

	do {
		length = strcspn(text, "\n");
		line = xasprintf("%.*s", (int)length, text);
		fprintf(f, "%*s", 2 * level, "");
		kube_table_put(f, line);
		fputc('\n', f);
		free(line);
		text += length + (text[length] == '\n');
	} while (*text != '\0');
}

static bool
is_scalar(const struct yaml_node *n)
{
	return n->kind != YAML_MAP && n->kind != YAML_LIST;
}

static const char *
scalar_text(const struct yaml_node *n)
{
	return n->kind != YAML_NULL ? n->text : "<nil>";
}

/* Write the fields of a map except `without`; keys may be names. */
static void
put_map_fields(FILE *f, int level, const struct yaml_node *map,
    const char *without, bool are_names)
{
	/* The keys of these maps are the user's. */
	static const char *const named[] = { "annotations", "binaryData",
		"data", "labels", "limits", "matchLabels", "nodeSelector",
		"requests" };
	const char *key;
	size_t i, k;

	if (map == NULL || map->kind != YAML_MAP)
		return;
	for (i = 0; i < map->count; i++) {
		key = map->items[i].key;
		if (without != NULL && strcmp(key, without) == 0)
			continue;
		for (k = 0; k < ARRAY_SIZE(named); k++)
			if (strcmp(key, named[k]) == 0)
				break;
		put_key(f, level, key, are_names);
		put_value(f, level, map->items[i].node, k < ARRAY_SIZE(named));
	}
}

/*
 * Write an item of a list.  The name of an item is its heading, and so is the
 * type of a condition.  A single further value is on the same line.
 */
static void
put_item(FILE *f, int level, const struct yaml_node *item)
{
	const char *key = "name", *name;
	const struct yaml_node *other;

	if (item->kind != YAML_MAP) {
		if (is_scalar(item))
			put_text_lines(f, level, scalar_text(item));
		else
			put_value(f, level, item, false);
		return;
	}
	if ((name = yaml_get_text(item, key)) == NULL)
		name = yaml_get_text(item, key = "type");
	if (name == NULL) {
		put_map_fields(f, level, item, NULL, false);
		return;
	}
	put_key(f, level, name, true);
	other = item->items[item->count - 1].node;
	if (item->count == 2 && strcmp(item->items[0].key, key) != 0)
		other = item->items[0].node;
	if (item->count == 2 && is_scalar(other)) {
		put_value(f, level, other, false);
		return;
	}
	fputc('\n', f);
	put_map_fields(f, level + 1, item, key, false);
}

/* Write the value of a key.  A tree is at most YAML_DEPTH_MAX deep. */
static void
put_value(FILE *f, int level, const struct yaml_node *n, bool are_names)
{
	size_t i;

	if (is_scalar(n) && strchr(scalar_text(n), '\n') == NULL) {
		fputc('\v', f);
		kube_table_put(f, scalar_text(n));
		fputc('\n', f);
	} else if (is_scalar(n)) {
		fputc('\n', f);
		put_text_lines(f, level + 1, scalar_text(n));
	} else if (n->count == 0) {
		fputs("\v<none>\n", f);
	} else {
		fputc('\n', f);
		if (n->kind == YAML_MAP)
			put_map_fields(f, level + 1, n, NULL, are_names);
		for (i = 0; n->kind == YAML_LIST && i < n->count; i++)
			put_item(f, level + 1, n->items[i].node);
	}
}

/* Write "Labels:\va=b" and a line for each further pair, and remove the map. */
static void
take_pairs(FILE *f, struct yaml_node *metadata, const char *title,
    const char *key, const char *sign)
{
	const struct yaml_node *map = yaml_get(metadata, key);
	const char *text;
	size_t i;

	if (map == NULL || map->kind != YAML_MAP || map->count == 0) {
		fprintf(f, "%s:\v<none>\n", title);
	} else {
		fprintf(f, "%s:", title);
		for (i = 0; i < map->count; i++) {
			text = map->items[i].node->text;
			fputc('\v', f);
			kube_table_put_cell(f, map->items[i].key);
			fputs(sign, f);
			kube_table_put_cell(f, text != NULL ? text : "");
			fputc('\n', f);
		}
	}
	yaml_unset(metadata, key);
}

/* Write the head of a description, and remove it from the object. */
static void
take_head(FILE *f, struct yaml_node *object)
{
	static const char *const lines[][3] = {
		{ "Name", "metadata", "name" },
		{ "Namespace", "metadata", "namespace" },
		{ "Node", "spec", "nodeName" },
		{ "IP", "status", "podIP" },
		{ "Status", "status", "phase" },
		{ "Reason", "status", "reason" },
		{ "Message", "status", "message" },
	};
	struct yaml_node *section;
	const char *text;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		section = yaml_get(object, lines[i][1]);
		text = yaml_get_text(section, lines[i][2]);
		if (text == NULL)
			continue;
		fprintf(f, "%s:\v", lines[i][0]);
		kube_table_put(f, text);
		fputc('\n', f);
		yaml_unset(section, lines[i][2]);
	}
	section = yaml_get(object, "metadata");
	/* A copy of the manifest, which kubectl hides too. */
	yaml_unset(yaml_get(section, "annotations"),
	    "kubectl.kubernetes.io/last-applied-configuration");
	take_pairs(f, section, "Labels", "labels", "=");
	take_pairs(f, section, "Annotations", "annotations", ": ");
	if (section != NULL && section->count == 0)
		yaml_unset(object, "metadata");
}

/* Merge the statuses of a pod's containers into the containers. */
static void
join_statuses(struct yaml_arena *arena, struct yaml_node *pod,
    const char *containers, const char *statuses)
{
	const struct yaml_node *all = yaml_path(pod, containers);
	const struct yaml_node *list = yaml_path(pod, statuses), *s;
	struct yaml_node *c;
	size_t i, k;

	for (i = 0; list != NULL && all != NULL && i < list->count * all->count;
	     i++) {
		s = list->items[i / all->count].node;
		c = all->items[i % all->count].node;
		if (!yaml_equal(yaml_get(s, "name"), yaml_get(c, "name")))
			continue;
		for (k = 0; k < s->count; k++)
			(void)yaml_set(arena, c, s->items[k].key,
			    s->items[k].node);
	}
	yaml_unset(yaml_get(pod, "status"), strchr(statuses, '/') + 1);
}

/* Replace binary data by its number of bytes. */
static void
count_coded_bytes(struct yaml_arena *arena, const struct yaml_node *coded)
{
	const char *text;
	char bytes[32];
	size_t i;

	for (i = 0; coded != NULL && i < coded->count; i++) {
		text = coded->items[i].node->text;
		(void)snprintf(bytes, sizeof(bytes), "(%zu bytes)",
		    text != NULL ? strcspn(text, "=") * 3 / 4 : 0);
		coded->items[i].node = yaml_new_text(arena, bytes);
	}
}

/* Write an IPUJob's fields unchanged, like kubectl for types that it does not
   know.  For other types the fields of status and spec come last. */
static void
put_all_fields(FILE *f, struct yaml_arena *arena,
    const struct resource_found *found)
{
	struct yaml_node *object = found->object;
	const struct yaml_node *status = yaml_get(object, "status");
	const struct yaml_node *spec = yaml_get(object, "spec");

	take_head(f, object);
	join_statuses(arena, object, "spec/initContainers",
	    "status/initContainerStatuses");
	join_statuses(arena, object, "spec/containers",
	    "status/containerStatuses");
	count_coded_bytes(arena, yaml_get(object, "binaryData"));
	if (found->type == RESOURCE_IPUJOB) {
		put_map_fields(f, 0, object, NULL, false);
		return;
	}
	yaml_unset(object, "apiVersion");
	yaml_unset(object, "kind");
	yaml_unset(object, "status");
	yaml_unset(object, "spec");
	put_map_fields(f, 0, object, NULL, false);
	put_map_fields(f, 0, status, NULL, false);
	put_map_fields(f, 0, spec, NULL, false);
}

static void
put_event_line(FILE *f, const struct yaml_node *event, int64_t now_s)
{
	static const char *const paths[] = { "type", "reason", NULL,
		"source/component", "message" };
	const char *text;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(paths); i++) {
		fputs(i == 0 ? "  " : "\v", f);
		if (paths[i] == NULL) {
			get_rows_put_event_age(f, event, now_s);
			continue;
		}
		text = yaml_get_text(event, paths[i]);
		kube_table_put_cell(f, text != NULL ? text : "");
	}
	fputc('\n', f);
}

/* Write the events of an IPUJob or a pod; other types have none. */
static void
put_events(FILE *f, struct yaml_arena *arena,
    const struct resource_found *found)
{
	const bool is_pod = found->type == RESOURCE_POD;
	const int64_t now_s = clock_real_ms() / 1000;
	const struct yaml_node *all = NULL, *event;
	size_t i, shown = 0;

	if (is_pod || found->type == RESOURCE_IPUJOB)
		all = job_status_events(arena,
		    job_entry_events(found->entry, arena), found->entry->name,
		    found->space);
	for (i = 0; all != NULL && i < all->count; i++) {
		event = all->items[i].node;
		if (!job_status_is_about(event, is_pod ? "Pod" : "IPUJob",
			found->name))
			continue;
		if (shown++ == 0)
			fputs("Events:\n"
			      "  Type\vReason\vAge\vFrom\vMessage\n"
			      "  ----\v------\v----\v----\v-------\n",
			    f);
		put_event_line(f, event, now_s);
	}
	if (shown == 0)
		fputs("Events:\v<none>\n", f);
}

static void
verb_describe_print(const struct founds *f, const struct resource_found *found)
{
	struct kube_table t;
	struct memstream m;
	char *text;

	(void)memstream_open(&m);
	put_all_fields(m.file, f->arena, found);
	put_events(m.file, f->arena, found);
	text = memstream_close(&m, NULL);
	kube_table_init_sheet(&t);
	kube_table_print(&t, text, stdout);
	free(text);
}

/* Describe all objects of the type with names that start with the word, each
   followed by an empty line; returns their number. */
static int
describe_beginnings(struct job_call *c, const struct resource *asked)
{
	struct resource one = { .type = asked->type };
	struct resources r = { .items = &one, .count = 1 };
	struct founds f;
	size_t i;
	int count = 0;

	if (founds_find(c, &r, &f, NULL) == 0)
		for (i = 0; i < f.count; i++) {
			if (strncmp(f.items[i].name, asked->name,
				strlen(asked->name)) != 0)
				continue;
			verb_describe_print(&f, &f.items[i]);
			putchar('\n');
			count++;
		}
	founds_release(&f);
	return count;
}

static int
describe_founds(struct job_call *c, struct founds *f)
{
	size_t i;

	for (i = 0; i < f->count; i++) {
		if (i > 0)
			fputs("\n\n", stdout);
		verb_describe_print(f, &f->items[i]);
	}
	if (f->count == 0 && f->missing == 0)
		founds_report_none(c);
	return f->missing > 0 ? EXIT_FAILED : EXIT_DONE;
}

/*
 * Describe the named objects.  A single word may be a prefix of names, like
 * kubectl's "TYPE NAME": an exact name is tried first.
 */
static int
describe_resources(struct job_call *c, const struct resources *r)
{
	struct founds f;
	struct error e;
	const bool may_begin = c->count == 2 && r->count == 1 &&
	    r->items[0].name != NULL;
	int status = job_call_open(c, false);

	if (status != EXIT_DONE)
		return status;
	c->ignore_not_found = may_begin;
	status = founds_find(c, r, &f, &e);
	c->ignore_not_found = false;
	if (status == 0 && may_begin && f.count == 0) {
		founds_release(&f);
		if (describe_beginnings(c, &r->items[0]) > 0)
			return EXIT_DONE;
		status = founds_find(c, r, &f, &e);
	}
	status = status == 0 ? describe_founds(c, &f) : founds_failed(&e);
	founds_release(&f);
	return status;
}

int
verb_describe(struct job_call *c)
{
	return resources_run(c,
	    "You must specify the type of resource to describe: ipujobs, pods, "
	    "configmaps, secrets, persistentvolumeclaims or events",
	    describe_resources);
}
