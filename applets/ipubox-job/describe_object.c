/*
 * Descriptions of objects.
 *
 * Source: kubectl/pkg/describe; its words for fields that it does not know.
 */
#include "applets/ipubox-job/describe_object.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "applets/ipubox-job/describe_sheet.h"
#include "applets/ipubox-job/get_rows.h"
#include "applets/ipubox-job/jsonpath.h"
#include "applets/ipubox-job/kube_table.h"
#include "core/base/alloc.h"
#include "core/base/memstream.h"

/* What the head of the description has already. */
static const char *const	described[] = { ".metadata.annotations",
    ".metadata.labels", ".metadata.managedFields", ".metadata.name",
    ".metadata.namespace", NULL };

/* Bytes of the next word of a name in camel case: "host", "IPC", "Ipus". */
static size_t
word_length(const char *at)
{
	size_t	length = 0;

	if (!isalpha((unsigned char)*at))
		return 1;
	while (isupper((unsigned char)at[length]))
		length++;
	/* The last capital of several is that of the next word. */
	if (length > 1 && islower((unsigned char)at[length]))
		return length - 1;
	while (islower((unsigned char)at[length]))
		length++;
	return length;
}

/* A word with a capital, or one that is an abbreviation. */
static void
put_word(FILE *f, const char *word, size_t length)
{
	static const char *const	known[] = { "API", "URL", "UID",
	    "OSB", "GUID", NULL };
	int				i;

	for (i = 0; known[i] != NULL; i++)
		if (strlen(known[i]) == length &&
		    strncasecmp(known[i], word, length) == 0) {
			fputs(known[i], f);
			return;
		}
	fputc(toupper((unsigned char)word[0]), f);
	(void)fwrite(word + 1, 1, length - 1, f);
}

char *
describe_object_label(const char *field)
{
	struct memstream	 m;
	const char		*at = field;
	size_t			 length;

	while (isalpha((unsigned char)*at) || *at == '-')
		at++;
	if (*at != '\0')
		return xstrdup(field);
	(void)memstream_open(&m);
	for (at = field; *at != '\0'; at += length) {
		length = word_length(at);
		if (at != field)
			fputc(' ', m.file);
		put_word(m.file, at, length);
	}
	return memstream_close(&m, NULL);
}

/* "  Image Pull Policy:" */
static void
put_label(FILE *f, int level, const char *field)
{
	char	*label = describe_object_label(field);

	fprintf(f, "%*s", 2 * level, "");
	kube_table_put_cell(f, label);
	fputc(':', f);
	free(label);
}

static void
put_value(FILE *f, const struct yaml_node *n)
{
	struct memstream	 m;
	char			*text;

	(void)memstream_open(&m);
	if (n->kind == YAML_NULL)
		fputs("<nil>", m.file);
	else
		jsonpath_put(m.file, n);
	text = memstream_close(&m, NULL);
	kube_table_put(f, text);
	fputc('\n', f);
	free(text);
}

static bool
is_described(const char *path)
{
	int	i;

	for (i = 0; described[i] != NULL; i++)
		if (strcmp(path, described[i]) == 0)
			return true;
	return false;
}

/* Maps and lists one below the other; the items of a list as if each stood
   alone.  A tree is at most YAML_DEPTH_MAX deep. */
static void
describe_object_put_fields(FILE *f, int level, const struct yaml_node *map,
    const char *above)
{
	const struct yaml_node	*n, *item;
	char			*path;
	size_t			 i, k;

	for (i = 0; i < map->count; i++) {
		n = map->items[i].node;
		path = xasprintf("%s.%s", above, map->items[i].key);
		if (is_described(path)) {
			free(path);
			continue;
		}
		put_label(f, level, map->items[i].key);
		if (n->kind == YAML_MAP || n->kind == YAML_LIST)
			fputc('\n', f);
		else {
			fputc('\v', f);
			put_value(f, n);
		}
		if (n->kind == YAML_MAP)
			describe_object_put_fields(f, level + 1, n, path);
		for (k = 0; n->kind == YAML_LIST && k < n->count; k++) {
			item = n->items[k].node;
			if (item->kind == YAML_MAP) {
				describe_object_put_fields(f, level + 1, item,
				    path);
				continue;
			}
			fprintf(f, "%*s", 2 * level + 2, "");
			put_value(f, item);
		}
		free(path);
	}
}

void
describe_object_put(FILE *f, const struct yaml_node *object)
{
	describe_sheet_put_name(f, object);
	describe_sheet_put_metadata(f, object);
	describe_object_put_fields(f, 0, object, "");
}

static size_t
count_base64(const char *text)
{
	size_t	count = 0;

	for (; *text != '\0'; text++)
		count += isalnum((unsigned char)*text) || *text == '+' ||
		    *text == '/';
	return count * 3 / 4;
}

void
describe_object_put_config_map(FILE *f, const struct yaml_node *object)
{
	const struct yaml_node	*data = yaml_get(object, "data");
	const struct yaml_node	*coded = yaml_get(object, "binaryData");
	const char		*text;
	size_t			 i;

	describe_sheet_put_name(f, object);
	describe_sheet_put_metadata(f, object);
	fputs("\nData\n====\n", f);
	for (i = 0; data != NULL && i < data->count; i++) {
		text = data->items[i].node->text;
		kube_table_put_cell(f, data->items[i].key);
		fputs(":\n----\n", f);
		kube_table_put(f, text != NULL ? text : "");
		fputs("\n", f);
	}
	fputs("\nBinaryData\n====\n", f);
	for (i = 0; coded != NULL && i < coded->count; i++) {
		text = coded->items[i].node->text;
		kube_table_put_cell(f, coded->items[i].key);
		fprintf(f, ": %zu bytes\n", count_base64(text != NULL ? text :
		    ""));
	}
	fputc('\n', f);
}

/* "(6 bytes)" without its parentheses. */
void
describe_object_put_secret(FILE *f, const struct yaml_node *object)
{
	const struct yaml_node	*data = yaml_get(object, "data");
	const char		*text;
	size_t			 i;

	describe_sheet_put_name(f, object);
	describe_sheet_put_metadata(f, object);
	fputc('\n', f);
	describe_sheet_put_field(f, 0, "Type", object, "type", "Opaque");
	fputs("\nData\n====\n", f);
	for (i = 0; data != NULL && i < data->count; i++) {
		text = data->items[i].node->text;
		kube_table_put_cell(f, data->items[i].key);
		fprintf(f, ":\v%.*s\n", (int)strcspn(text + 1, ")"),
		    text + 1);
	}
}

void
describe_object_put_claim(FILE *f, const struct yaml_node *object,
    const struct yaml_node *users)
{
	const char	*volume = yaml_get_text(object, "spec/volumeName");
	size_t		 i;

	describe_sheet_put_name(f, object);
	describe_sheet_put_field(f, 0, "StorageClass", object,
	    "spec/storageClassName", "");
	describe_sheet_put_field(f, 0, "Status", object, "status/phase",
	    "Bound");
	describe_sheet_put(f, 0, "Volume", volume != NULL ? volume :
	    yaml_get_text(object, "metadata/name"));
	describe_sheet_put_metadata(f, object);
	fputs("Finalizers:\v[]\n", f);
	describe_sheet_put_field(f, 0, "Capacity", object,
	    "spec/resources/requests/storage", "");
	fputs("Access Modes:\v", f);
	get_rows_put_modes(f, yaml_path(object, "spec/accessModes"));
	fputs("\nVolumeMode:\vFilesystem\nUsed By:", f);
	if (users->count == 0)
		fputs("\v<none>\n", f);
	for (i = 0; i < users->count; i++) {
		fputc('\v', f);
		kube_table_put_cell(f, users->items[i].node->text);
		fputc('\n', f);
	}
}
