/*
 * poprun --dry-run: the plan, for people or as JSON.
 */
#include "applets/poprun/poprun.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yyjson.h>

#include "core/base/alloc.h"
#include "core/base/formats/json.h"
#include "core/base/table.h"
#include "core/base/text.h"
#include "core/job/job.h"

static const char *const launcher_names[] = { "auto", "local", "mpirun",
	"srun" };

/* Return the note that a dry run creates nothing. */
static const char *
partition_note(const struct job_partition *partition)
{
	return partition->planned ? " (to be created)" : "";
}

/* Print a variable.  A word without '=' is an unset variable and is skipped. */
static void
dry_run_print_variable(const char *word)
{
	if (strchr(word, '=') == NULL)
		return;
	fputs("  ", stdout);
	text_put(stdout, word);
	putchar('\n');
}

/* Print the format in quotes, so that a final space is visible. */
static void
print_tag_format(const char *format)
{
	char title[] = "tag format:", *copy = xstrdup(format), *quoted;

	quoted = strvec_quoted((char *const[]){ title, copy, NULL });
	text_put(stdout, quoted);
	putchar('\n');
	free(quoted);
	free(copy);
}

/* Print "TITLE: COMMAND" in shell syntax; the list may be empty. */
static void
print_command(const char *title, const struct strvec *words)
{
	char *command;

	if (words->count == 0)
		return;
	command = strvec_typed(words->items);
	printf("%s: ", title);
	text_put(stdout, command);
	putchar('\n');
	free(command);
}

static void
dry_run_add_row(struct table *t, const struct plan *p, int index)
{
	const struct instance instance = layout_instance(&p->layout, index);
	struct binding b = { .cpus = { { 0 } } };
	char *cores;

	(void)cores_binding(p, index, &b);
	cores = binding_text(&b);
	table_add(t, "%d", index);
	table_add(t, "%s", p->hosts.items[instance.host]);
	if (instance.num_replicas == 1)
		table_add(t, "%d", instance.first_replica);
	else
		table_add(t, "%d-%d", instance.first_replica,
		    instance.first_replica + instance.num_replicas - 1);
	if (p->partition.name[0] != '\0')
		table_add(t, "%d", p->partition.reconfigurable ? 0 : index);
	else
		table_add(t, "none");
	table_add(t, "%s", cores != NULL ? cores : "any");
	free(cores);
}

/* Print the place and the resources of each instance. */
static void
print_instances(const struct plan *p)
{
	static const char *const headers[] = { "Instance", "Host", "Replicas",
		"GCD", "Cores", NULL };
	static const struct fit_rule rules[] = { { 0, 0, 0, FIT_KEEP_START },
		{ 1, 12, 0, FIT_KEEP_END }, { 0, 0, 0, FIT_KEEP_START },
		{ 0, 0, 0, FIT_KEEP_START }, { 2, 12, 0, FIT_WRAP } };
	struct table_screen screen;
	struct table t;
	int i;

	table_screen_init(&screen, STDOUT_FILENO, false, TERMINAL_AUTO);
	table_init(&t, headers);
	t.rules = rules;
	for (i = 0; i < p->layout.num_instances; i++)
		dry_run_add_row(&t, p, i);
	table_show(stdout, &t, 0, &screen);
	table_release(&t);
}

static bool
has_word(const struct strvec *v, const char *word)
{
	size_t n;

	for (n = 0; n < v->count; n++)
		if (strcmp(v->items[n], word) == 0)
			return true;
	return false;
}

/* Collect the variables with the same value in all instances. */
static void
take_shared(const struct plan *p, struct strvec *shared)
{
	const struct strvec *first = &p->environments[0];
	size_t n;
	int i;

	strvec_init(shared);
	for (n = 0; n < first->count; n++) {
		for (i = 1; i < p->layout.num_instances; i++)
			if (!has_word(&p->environments[i], first->items[n]))
				break;
		if (i == p->layout.num_instances)
			strvec_add(shared, first->items[n]);
	}
}

/* Print the shared variables once, and then the others of each instance. */
static void
print_variables(const struct plan *p)
{
	const struct strvec *own;
	struct strvec shared;
	int i;
	size_t n;

	take_shared(p, &shared);
	printf("\nall instances:\n");
	for (n = 0; n < p->variables.count; n++)
		dry_run_print_variable(p->variables.items[n]);
	for (n = 0; n < shared.count; n++)
		dry_run_print_variable(shared.items[n]);
	for (i = 0; p->layout.num_instances > 1 && i < p->layout.num_instances;
	     i++) {
		own = &p->environments[i];
		printf("\ninstance %d on %s:\n", i,
		    p->hosts.items[layout_instance(&p->layout, i).host]);
		for (n = 0; n < own->count; n++)
			if (!has_word(&shared, own->items[n]))
				dry_run_print_variable(own->items[n]);
	}
	strvec_release(&shared);
}

/*
 * Print the topology, the program, the places of its instances, and their
 * variables; -v adds the command that starts them.  Control characters are
 * escaped; JSON has every byte.
 */
static void
print_text(const struct plan *p)
{
	size_t n;

	topology_print(stdout, &p->layout, (const char *const *)p->hosts.items,
	    terminal_columns(STDOUT_FILENO));
	printf("\nlauncher: %s\npartition: %s%s\n", launcher_names[p->launcher],
	    p->partition.name[0] != '\0' ? p->partition.name : "none, offline",
	    partition_note(&p->partition));
	if (p->emulated)
		printf("hosts: emulated, all of them are this machine\n");
	if (p->settings->tag_format != NULL)
		print_tag_format(p->settings->tag_format);
	print_command("program", &p->program);
	if (job_log_wants(LOG_INFO)) {
		print_command("command", &p->command);
		print_command("command on real hosts", &p->on_hosts);
	}
	for (n = 0; n < p->notes.count; n++) {
		text_put(stdout, p->notes.items[n]);
		putchar('\n');
	}
	putchar('\n');
	print_instances(p);
	print_variables(p);
}

static yyjson_mut_val *
string_array(yyjson_mut_doc *doc, const struct strvec *words)
{
	yyjson_mut_val *array = yyjson_mut_arr(doc);
	size_t i;

	for (i = 0; i < words->count; i++)
		(void)yyjson_mut_arr_add_strcpy(doc, array, words->items[i]);
	return array;
}

/* Unset variables have no value, and are skipped. */
static yyjson_mut_val *
environment_object(yyjson_mut_doc *doc, const struct strvec *variables)
{
	yyjson_mut_val *object = yyjson_mut_obj(doc);
	const char *value;
	size_t i;

	for (i = 0; i < variables->count; i++) {
		if ((value = strchr(variables->items[i], '=')) == NULL)
			continue;
		(void)yyjson_mut_obj_put(object,
		    yyjson_mut_strncpy(doc, variables->items[i],
			(size_t)(value - variables->items[i])),
		    yyjson_mut_strcpy(doc, value + 1));
	}
	return object;
}

/* Add a set as a list; null for an unset one. */
static void
add_set(yyjson_mut_doc *doc, yyjson_mut_val *object, const char *key,
    const struct number_set *set)
{
	char *list;

	if (number_set_is_empty(set)) {
		(void)yyjson_mut_obj_add_null(doc, object, key);
		return;
	}
	list = number_set_text(set);
	(void)yyjson_mut_obj_add_strcpy(doc, object, key, list);
	free(list);
}

/* Return the replicas, cores and environment of an instance. */
static yyjson_mut_val *
instance_object(yyjson_mut_doc *doc, const struct plan *p, int index)
{
	struct instance instance = layout_instance(&p->layout, index);
	yyjson_mut_val *object = yyjson_mut_obj(doc);
	struct binding binding = { .cpus = { { 0 } } };

	(void)yyjson_mut_obj_add_int(doc, object, "index", index);
	(void)yyjson_mut_obj_add_strcpy(doc, object, "host",
	    p->hosts.items[instance.host]);
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

/* Add the partition; null for a job without one (offline mode). */
static void
dry_run_add_partition(yyjson_mut_doc *doc, yyjson_mut_val *root,
    const struct job_partition *partition)
{
	yyjson_mut_val *object;

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
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(doc), *instances;
	int i;

	yyjson_mut_doc_set_root(doc, root);
	(void)yyjson_mut_obj_add_str(doc, root, "launcher",
	    launcher_names[p->launcher]);
	dry_run_add_partition(doc, root, &p->partition);
	(void)yyjson_mut_obj_add_int(doc, root, "num_replicas",
	    p->layout.num_replicas);
	(void)yyjson_mut_obj_add_int(doc, root, "ipus_per_replica",
	    p->layout.ipus_per_replica);
	(void)yyjson_mut_obj_add_int(doc, root, "num_ilds", p->layout.num_ilds);
	(void)yyjson_mut_obj_add_val(doc, root, "command",
	    string_array(doc, &p->command));
	(void)yyjson_mut_obj_add_bool(doc, root, "emulated_hosts", p->emulated);
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
