/*
 * poprun --dry-run: the plan, for people or as JSON.
 */
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "applets/poprun/cores.h"
#include "applets/poprun/poprun_internal.h"
#include "core/base/alloc.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/job/topology.h"

static const char *const launcher_names[] = { "auto", "local", "mpirun" };

/* A dry run creates nothing, and says so. */
static const char *
partition_note(const struct job_partition *partition)
{
	return partition->planned ? " (to be created)" : "";
}

/* A word without '=' is a variable that is taken away; it is left out. */
static void
dry_run_print_variable(const char *word)
{
	if (strchr(word, '=') == NULL)
		return;
	fputs("  ", stdout);
	text_put(stdout, word);
	putchar('\n');
}

static void
print_cores(const struct plan *p, int instance)
{
	struct binding	 b;
	char		*text;

	if (!cores_binding(p, instance, &b))
		return;
	text = binding_text(&b);
	printf("  cores: %s\n", text);
	free(text);
}

/* In quotes, so that a space at its end is seen. */
static void
print_tag_format(const char *format)
{
	char	title[] = "tag format:", *copy = xstrdup(format), *quoted;

	quoted = strvec_quoted((char *const []){ title, copy, NULL });
	text_put(stdout, quoted);
	putchar('\n');
	free(quoted);
	free(copy);
}

/*
 * The topology, the command, and each instance's variables; for a person, so
 * with control characters escaped: JSON has every byte.
 */
static void
print_text(const struct plan *p)
{
	char		*command = strvec_quoted(p->command.items);
	int		 i;
	size_t		 n;

	topology_print(stdout, &p->layout,
	    (const char *const *)p->hosts.items,
	    terminal_columns(STDOUT_FILENO));
	printf("\nlauncher: %s\npartition: %s%s\n",
	    launcher_names[p->launcher], p->partition.name[0] != '\0' ?
	    p->partition.name : "none, offline", partition_note(&p->partition));
	if (p->emulated)
		printf("hosts: emulated, all of them are this machine\n");
	if (p->settings->tag_format != NULL)
		print_tag_format(p->settings->tag_format);
	printf("command: ");
	text_put(stdout, command);
	putchar('\n');
	if (p->on_hosts.count > 0) {
		free(command);
		command = strvec_quoted(p->on_hosts.items);
		printf("on these hosts: ");
		text_put(stdout, command);
		putchar('\n');
	}
	free(command);
	for (n = 0; n < p->notes.count; n++) {
		text_put(stdout, p->notes.items[n]);
		putchar('\n');
	}
	printf("\nall instances:\n");
	for (n = 0; n < p->variables.count; n++)
		dry_run_print_variable(p->variables.items[n]);
	for (i = 0; i < p->layout.num_instances; i++) {
		printf("\ninstance %d on %s:\n", i, p->hosts.items[
		    layout_instance(&p->layout, i).host]);
		print_cores(p, i);
		for (n = 0; n < p->environments[i].count; n++)
			dry_run_print_variable(p->environments[i].items[n]);
	}
}

static yyjson_mut_val *
string_array(yyjson_mut_doc *doc, const struct strvec *words)
{
	yyjson_mut_val	*array = yyjson_mut_arr(doc);
	size_t		 i;

	for (i = 0; i < words->count; i++)
		(void)yyjson_mut_arr_add_strcpy(doc, array, words->items[i]);
	return array;
}

/* Variables that are taken away have no value, and are left out. */
static yyjson_mut_val *
environment_object(yyjson_mut_doc *doc, const struct strvec *variables)
{
	yyjson_mut_val	*object = yyjson_mut_obj(doc);
	const char	*value;
	size_t		 i;

	for (i = 0; i < variables->count; i++) {
		if ((value = strchr(variables->items[i], '=')) == NULL)
			continue;
		(void)yyjson_mut_obj_put(object, yyjson_mut_strncpy(doc,
		    variables->items[i],
		    (size_t)(value - variables->items[i])),
		    yyjson_mut_strcpy(doc, value + 1));
	}
	return object;
}

/* The list of a set; null for one that says nothing. */
static void
add_set(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
    const struct number_set *set)
{
	char	*list;

	if (number_set_is_empty(set)) {
		(void)yyjson_mut_obj_add_null(doc, object, key);
		return;
	}
	list = number_set_text(set);
	(void)yyjson_mut_obj_add_strcpy(doc, object, key, list);
	free(list);
}

/* What an instance would get: its replicas, its cores, its environment. */
static yyjson_mut_val *
instance_object(yyjson_mut_doc *doc, const struct plan *p, int index)
{
	struct instance	 instance = layout_instance(&p->layout, index);
	yyjson_mut_val	*object = yyjson_mut_obj(doc);
	struct binding	 binding = { .cpus = { { 0 } } };

	(void)yyjson_mut_obj_add_int(doc, object, "index", index);
	(void)yyjson_mut_obj_add_strcpy(doc, object, "host", p->hosts.items[
	    instance.host]);
	(void)yyjson_mut_obj_add_int(doc, object, "first_replica",
	    instance.first_replica);
	(void)yyjson_mut_obj_add_int(doc, object, "num_replicas",
	    instance.num_replicas);
	(void)cores_binding(p, index, &binding);
	add_set(doc, object, "cores", &binding.cpus);
	add_set(doc, object, "numa_nodes", &binding.nodes);
	(void)yyjson_mut_obj_add_val(doc, object, "environment",
	    environment_object(doc, &p->environments[index]));
	return object;
}

/* null for a job that needs none (offline mode). */
static void
dry_run_add_partition(yyjson_mut_doc *doc, yyjson_mut_val *root,
    const struct job_partition *partition)
{
	yyjson_mut_val	*object;

	if (partition->name[0] == '\0') {
		(void)yyjson_mut_obj_add_null(doc, root, "partition");
		return;
	}
	object = yyjson_mut_obj_add_obj(doc, root, "partition");
	(void)yyjson_mut_obj_add_strcpy(doc, object, "name", partition->name);
	(void)yyjson_mut_obj_add_bool(doc, object, "to_be_created",
	    partition->planned);
}

static void
dry_run_print_json(const struct plan *p)
{
	yyjson_mut_doc	*doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val	*root = yyjson_mut_obj(doc), *instances;
	int		 i;

	yyjson_mut_doc_set_root(doc, root);
	(void)yyjson_mut_obj_add_str(doc, root, "launcher",
	    launcher_names[p->launcher]);
	dry_run_add_partition(doc, root, &p->partition);
	(void)yyjson_mut_obj_add_int(doc, root, "num_replicas",
	    p->layout.num_replicas);
	(void)yyjson_mut_obj_add_int(doc, root, "ipus_per_replica",
	    p->layout.ipus_per_replica);
	(void)yyjson_mut_obj_add_int(doc, root, "num_ilds",
	    p->layout.num_ilds);
	(void)yyjson_mut_obj_add_val(doc, root, "command",
	    string_array(doc, &p->command));
	(void)yyjson_mut_obj_add_bool(doc, root, "emulated_hosts",
	    p->emulated);
	(void)yyjson_mut_obj_add_val(doc, root, "hosts",
	    string_array(doc, &p->hosts));
	(void)yyjson_mut_obj_add_val(doc, root, "notes",
	    string_array(doc, &p->notes));
	if (p->settings->tag_format != NULL)
		(void)yyjson_mut_obj_add_strcpy(doc, root, "tag_format",
		    p->settings->tag_format);
	if (p->on_hosts.count > 0)
		(void)yyjson_mut_obj_add_val(doc, root, "command_on_hosts",
		    string_array(doc, &p->on_hosts));
	(void)yyjson_mut_obj_add_val(doc, root, "environment",
	    environment_object(doc, &p->variables));
	instances = yyjson_mut_obj_add_arr(doc, root, "instances");
	for (i = 0; i < p->layout.num_instances; i++)
		(void)yyjson_mut_arr_append(instances,
		    instance_object(doc, p, i));
	json_print(stdout, doc);
}

void
dry_run_print(const struct plan *p)
{
	if (p->settings->json)
		dry_run_print_json(p);
	else
		print_text(p);
}
