/*
 * The parts that all descriptions have.
 */
#include "applets/ipubox-job/describe_sheet.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "applets/ipubox-job/get_rows.h"
#include "applets/ipubox-job/kube_table.h"
#include "core/base/alloc.h"

enum { ANNOTATION_MAX = 140 };	/* columns; a longer one has its own lines */

void
describe_sheet_put(FILE *f, int level, const char *key, const char *value)
{
	if (value == NULL)
		return;
	fprintf(f, "%*s%s:\v", 2 * level, "", key);
	kube_table_put(f, value);
	fputc('\n', f);
}

void
describe_sheet_put_field(FILE *f, int level, const char *key,
    const struct yaml_node *n, const char *path, const char *otherwise)
{
	const char	*text = yaml_get_text(n, path);

	describe_sheet_put(f, level, key, text != NULL ? text : otherwise);
}

static bool
is_filled(const struct yaml_node *map)
{
	return map != NULL && map->kind == YAML_MAP && map->count > 0;
}

void
describe_sheet_put_map(FILE *f, const char *title,
    const struct yaml_node *map)
{
	const char	*text;
	size_t		 i;

	if (!is_filled(map)) {
		fprintf(f, "%s:\v<none>\n", title);
		return;
	}
	fprintf(f, "%s:", title);
	for (i = 0; i < map->count; i++) {
		text = map->items[i].node->text;
		fputc('\v', f);
		kube_table_put_cell(f, map->items[i].key);
		fputc('=', f);
		kube_table_put_cell(f, text != NULL ? text : "");
		fputc('\n', f);
	}
}

/* A value of many columns or several lines; each is cut. */
static void
put_annotation_lines(FILE *f, const char *value)
{
	enum { LINE_MAX_COLUMNS = ANNOTATION_MAX - 2 };
	size_t	 length;
	char	*line;

	for (; *value != '\0'; value += length + (value[length] == '\n')) {
		length = strcspn(value, "\n");
		line = length > LINE_MAX_COLUMNS ? xasprintf("%.*s...",
		    LINE_MAX_COLUMNS, value) : xasprintf("%.*s", (int)length,
		    value);
		fputs("\v  ", f);
		kube_table_put_cell(f, line);
		fputc('\n', f);
		free(line);
	}
}

void
describe_sheet_put_annotations(FILE *f, const struct yaml_node *annotations)
{
	const char	*key, *value;
	size_t		 i, shown = 0;

	for (i = 0; is_filled(annotations) && i < annotations->count; i++) {
		key = annotations->items[i].key;
		value = annotations->items[i].node->text;
		if (value == NULL || strcmp(key, "kubectl.kubernetes.io/"
		    "last-applied-configuration") == 0)
			continue;
		fputs(shown++ == 0 ? "Annotations:\v" : "\v", f);
		kube_table_put_cell(f, key);
		if (strlen(key) + strlen(value) + 2 > ANNOTATION_MAX ||
		    strchr(value, '\n') != NULL) {
			fputs(":\n", f);
			put_annotation_lines(f, value);
		} else {
			fputs(": ", f);
			kube_table_put_cell(f, value);
			fputc('\n', f);
		}
	}
	if (shown == 0)
		fputs("Annotations:\v<none>\n", f);
}

void
describe_sheet_put_name(FILE *f, const struct yaml_node *object)
{
	describe_sheet_put_field(f, 0, "Name", object, "metadata/name", "");
	describe_sheet_put_field(f, 0, "Namespace", object,
	    "metadata/namespace", "");
}

void
describe_sheet_put_metadata(FILE *f, const struct yaml_node *object)
{
	describe_sheet_put_map(f, "Labels", yaml_path(object,
	    "metadata/labels"));
	describe_sheet_put_annotations(f, yaml_path(object,
	    "metadata/annotations"));
}

static void
put_event_cell(FILE *f, const struct yaml_node *event, const char *path)
{
	const char	*text = yaml_get_text(event, path);

	kube_table_put_cell(f, text != NULL ? text : "");
}

void
describe_sheet_put_events(FILE *f, const struct yaml_node *events,
    int64_t now_s)
{
	const struct yaml_node	*event;
	size_t			 i;

	if (events->count == 0) {
		fputs("Events:\v<none>\n", f);
		return;
	}
	fputs("Events:\n  Type\vReason\vAge\vFrom\vMessage\n"
	    "  ----\v------\v----\v----\v-------\n", f);
	for (i = 0; i < events->count; i++) {
		event = events->items[i].node;
		fputs("  ", f);
		put_event_cell(f, event, "type");
		fputc('\v', f);
		put_event_cell(f, event, "reason");
		fputc('\v', f);
		get_rows_put_event_age(f, event, now_s);
		fputc('\v', f);
		put_event_cell(f, event, "source/component");
		fputc('\v', f);
		put_event_cell(f, event, "message");
		fputc('\n', f);
	}
}
