/*
 * The fields of config/kube/fields.txt against the operator's own definition of
 * an IPUJob, where it is: no path, type, required field or word differs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/alloc.h"
#include "core/kube/schema/schema.h"
#include "core/kube/yaml/yaml.h"
#include "core/process/process.h"
#include "tests/unit/tap.h"

static int paths;

/* The definition unpacked, or NULL. */
static char *
read_definition(size_t *size)
{
	const char *tests = getenv("TESTDIR");
	char path[512], *program = NULL, *text = NULL;
	char decompress[] = "-dc";
	char *argv[4] = { NULL, decompress, path, NULL };
	struct child child = { .argv = argv };

	(void)snprintf(path, sizeof(path),
	    "%s/../../shared/data/crds/ipujob.yaml.xz",
	    tests == NULL ? "tests" : tests);
	if (program_find("xz", NULL, &program, NULL) != 0)
		return NULL;
	argv[0] = program;
	if (children_run(&child, 1, 1, NULL) == 0 && child.status == 0) {
		*size = child.out.size;
		text = xstrdup(child.out.text);
	}
	children_release(&child);
	free(program);
	return text;
}

static bool
has_text(const struct yaml_node *list, const char *text)
{
	size_t i;

	for (i = 0; list != NULL && i < list->count; i++)
		if (strcmp(list->items[i].node->text, text) == 0)
			return true;
	return false;
}

/* The type of a property as schema_type_text() has it. */
static const char *
type_of(const struct yaml_node *property)
{
	const struct yaml_node *values = yaml_get(property,
	    "additionalProperties");
	const char *type = yaml_get_text(property, "type");

	if (yaml_get_bool(property, "x-kubernetes-int-or-string", false))
		return yaml_get_text(property, "pattern") != NULL ?
		    "Quantity" :
		    "integer or string";
	if (values != NULL)
		return strcmp(type_of(values), "Quantity") == 0 ?
		    "map[string]Quantity" :
		    "map[string]string";
	return strcmp(type, "object") == 0 ? "Object" : type;
}

/* "None, All or Workers" of ["None", "All", "Workers"]; the caller frees it. */
static char *
words_of(const struct yaml_node *list)
{
	char *words = xstrdup(""), *longer;
	size_t i;

	for (i = 0; i < list->count; i++) {
		longer = xasprintf("%s%s%s", words,
		    i == 0		     ? "" :
			i + 1 == list->count ? " or " :
					       ", ",
		    list->items[i].node->text);
		free(words);
		words = longer;
	}
	return words;
}

/* Whether the field is what the property is; what differs is printed. */
static bool
equal_field(const struct schema_field *field, const struct yaml_node *property,
    bool required)
{
	const bool is_list = strcmp(type_of(property), "array") == 0;
	const struct yaml_node *one = is_list ?
	    yaml_get(property, "items") :
	    property;
	const struct yaml_node *list = yaml_get(one, "enum");
	const char *format = yaml_get_text(one, "format");
	struct schema_field plain = *field;
	char type[64], *words;
	bool equal;

	plain.is_list = false;
	schema_type_text(&plain, type, sizeof(type));
	equal = is_str(type, type_of(one), "type") &&
	    is_int(field->is_list, is_list, "a list") &&
	    is_int(field->is_required, required, "required");
	if (format != NULL && strcmp(type, "integer") == 0)
		equal = is_str(field->type == SCHEMA_LONG ? "int64" : "int32",
			    format, "bits") &&
		    equal;
	if (list != NULL) {
		words = words_of(list);
		equal = is_str(field->words, words, "words") && equal;
		free(words);
	}
	return equal;
}

/* All that is below an object; `path` is the object's, and '.' behind it. */
static void
compare(const struct schema_field *fields, const struct yaml_node *object,
    const char *path)
{
	const struct yaml_node *properties, *required, *one;
	const struct schema_field *field;
	char *below;
	size_t i;

	properties = yaml_get(object, "properties");
	required = yaml_get(object, "required");
	for (i = 0; properties != NULL && i < properties->count; i++) {
		const struct yaml_item *item = &properties->items[i];

		below = xasprintf("%s%s", path, item->key);
		field = schema_field_named(fields, item->key);
		ok(field != NULL &&
			equal_field(field, item->node,
			    has_text(required, item->key)),
		    below);
		free(below);
		paths++;
		one = yaml_get(item->node, "items");
		below = xasprintf("%s%s%s.", path, item->key,
		    one == NULL ? "" : "[]");
		if (field != NULL && strcmp(below, "metadata.") != 0)
			compare(field->fields, one == NULL ? item->node : one,
			    below);
		free(below);
	}
	for (; fields != NULL && fields->name != NULL; fields++) {
		below = xasprintf("%s%s is in the definition", path,
		    fields->name);
		ok(yaml_get(properties, fields->name) != NULL, below);
		free(below);
	}
}

int
main(void)
{
	struct yaml_arena *arena = yaml_arena_new();
	struct yaml_node **documents;
	const struct yaml_node *versions;
	struct error e = { .text = "" };
	size_t size;
	char *text = read_definition(&size);

	if (text == NULL) {
		tap_skip("the operator's definition",
		    "no shared/data/crds/ipujob.yaml.xz");
	} else {
		ok(yaml_parse(arena, "ipujob.yaml", text, size, &documents,
		       &e) == 1,
		    "one document");
		is_str(e.text, "", "which is YAML");
		versions = yaml_path(documents[0], "spec/versions");
		compare(schema_find("IPUJob"),
		    yaml_path(versions->items[0].node,
			"schema/openAPIV3Schema"),
		    "");
		ok(paths > 900, "all of it");
	}
	free(text);
	yaml_arena_free(arena);
	return tap_done();
}
