/*
 * popdist-env: PopDist for the shell.
 *
 * The getters of the PopDist library by name, with the values of this process's
 * environment, or the defaults outside poprun; and its collectives
 * (applets/popdist-env/exchange.c).
 *
 * Source: PopDist guide chapters 4 to 6.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <yyjson.h>

#include "applets/applet.h"
#include "applets/popdist-env/exchange.h"
#include "core/base/formats/json.h"
#include "core/base/parse.h"
#include "core/job/job.h"
#include "ipu/device/device.h"

enum {
	KEY_JSON = OPTIONS_LONG,
	KEY_ID,
	KEY_TYPE,
	KEY_ROOT,
	KEY_TIMEOUT,
	KEY_VERSION
};

static const struct option_row popdist_env_options[] = {
	{ KEY_ID, "id", "ID",
	    "set the name by which calls of a collective meet (default: "
	    "default)" },
	{ KEY_TYPE, "type", "TYPE",
	    "set the type of the numbers: half, float, double, int8 to int64 "
	    "(default: double)" },
	{ KEY_ROOT, "root", "N",
	    "broadcast the text of instance N (default: 0)" },
	{ KEY_TIMEOUT, "timeout", "S",
	    "end a collective with an error after S seconds (default: 0, no "
	    "limit)" },
	{ KEY_JSON, "json", NULL, "print JSON" },
	{ KEY_VERSION, "version", NULL, "print the version" },
	{ 'h', "help", NULL, "print this help" },
	{ 0 },
};

static int popdist_env_main(int argc, char **argv);

const struct applet popdist_env_applet = {
	.name = "popdist-env",
	.purpose = "show what PopDist tells a program, exchange values",
	.synopsis = "[--json] [get NAME [N] | shard N]\n"
		    "       popdist-env [option ...] barrier [ID]\n"
		    "       popdist-env [option ...] allreduce sum NUMBER ...\n"
		    "       popdist-env [option ...] broadcast TEXT\n"
		    "       popdist-env [option ...] gather TEXT",
	.options = popdist_env_options,
	.main = popdist_env_main,
};

/* With an uneven spread an instance's index does not give its replicas. */
static int
instance_value(const struct popdist *p, int value, long long *out,
    struct error *e)
{
	*out = value;
	if (!p->uniform)
		return error_set(e,
		    "the replicas are not spread evenly over the instances");
	return 0;
}

static int
get_device_id(const struct popdist *p, int ipus, long long *value,
    struct error *e)
{
	int id = 0, status = instance_device_find(p, ipus, &id, e);

	*value = id;
	return status;
}

/* `number` is the argument of the getters that take one, 0: none. */
static int
get(const struct popdist *p, int getter, int number, long long *value,
    struct error *e)
{
	switch (getter) {
	case POPDIST_IS_ENV_SET:
		*value = p->is_set;
		return 0;
	case POPDIST_NUM_TOTAL_REPLICAS:
		*value = p->num_total_replicas;
		return 0;
	case POPDIST_NUM_LOCAL_REPLICAS:
		*value = p->num_local_replicas;
		return 0;
	case POPDIST_REPLICA_INDEX_OFFSET:
		*value = p->replica_index_offset;
		return 0;
	case POPDIST_NUM_IPUS_PER_REPLICA:
		*value = p->num_ipus_per_replica;
		return 0;
	case POPDIST_NUM_INSTANCES:
		return instance_value(p, p->num_instances, value, e);
	case POPDIST_INSTANCE_INDEX:
		return instance_value(p, p->instance_index, value, e);
	case POPDIST_LOCAL_INSTANCE_INDEX:
		*value = p->local_instance_index;
		return 0;
	case POPDIST_CHECK_IPUS:
		*value = p->num_ipus_per_replica == number;
		return 0;
	default:
		return get_device_id(p, number, value, e);
	}
}

static void
print_value(int getter, long long value)
{
	if (popdist_names[getter].kind == POPDIST_BOOLEAN)
		printf("%s\n", value != 0 ? "true" : "false");
	else
		printf("%lld\n", value);
}

/* Print all getters, with the reason in place of a missing value. */
static void
print_list(const struct popdist *p)
{
	struct error e;
	long long value;
	int i;

	for (i = 0; i < POPDIST_GETTERS_ALONE; i++) {
		printf("%-22s ", popdist_names[i].name);
		if (get(p, i, 0, &value, &e) == 0)
			print_value(i, value);
		else
			printf("- (%.*s)\n", (int)strcspn(e.text, "\n"),
			    e.text);
	}
}

/* Print all getters as an object, with null for a missing value. */
static void
popdist_env_print_json(const struct popdist *p)
{
	yyjson_mut_doc *doc = yyjson_mut_doc_new(NULL);
	yyjson_mut_val *root = yyjson_mut_obj(doc);
	long long value;
	const char *name;
	int i;

	yyjson_mut_doc_set_root(doc, root);
	for (i = 0; i < POPDIST_GETTERS_ALONE; i++) {
		name = popdist_names[i].name;
		if (get(p, i, 0, &value, NULL) != 0)
			(void)yyjson_mut_obj_add_null(doc, root, name);
		else if (popdist_names[i].kind == POPDIST_BOOLEAN)
			(void)yyjson_mut_obj_add_bool(doc, root, name,
			    value != 0);
		else
			(void)yyjson_mut_obj_add_int(doc, root, name, value);
	}
	json_print(stdout, doc);
}

static int
refuse_getter(const char *name)
{
	struct suggestion nearest;
	struct error e;
	int i;

	suggest_begin(&nearest, name);
	for (i = 0; i < POPDIST_GETTERS; i++)
		suggest_offer(&nearest, popdist_names[i].name);
	(void)error_set(&e,
	    "unknown getter '%s' (popdist-env without arguments lists them)",
	    name);
	(void)suggest_append(&nearest, "", &e);
	return applet_misuse(&popdist_env_applet, "%s", e.text);
}

/* Print one getter by the name of PopDist's function. */
static int
run_get(const struct popdist *p, int argc, char **argv)
{
	struct error e;
	long long value, number = 0;
	const int i = popdist_names_find_getter(argv[0]);

	if (i == -1)
		return refuse_getter(argv[0]);
	if (i < POPDIST_DEVICE_ID && argc != 1)
		return applet_misuse(&popdist_env_applet, "%s takes no number",
		    argv[0]);
	if (i == POPDIST_CHECK_IPUS && argc != 2)
		return applet_misuse(&popdist_env_applet, "%s takes a number",
		    argv[0]);
	if (argc == 2 &&
	    parse_number(argv[0], argv[1], 1, POD_IPUS_MAX, &number, &e) != 0)
		return applet_misuse(&popdist_env_applet, "%s", e.text);
	if (get(p, i, (int)number, &value, &e) != 0)
		return applet_failed(&popdist_env_applet, &e);
	print_value(i, value);
	return EXIT_DONE;
}

/* Print this instance's part of N samples as "first end", with end
   exclusive. */
static int
run_shard(const struct popdist *p, const char *text, bool json)
{
	yyjson_mut_doc *doc;
	yyjson_mut_val *root;
	struct error e;
	long long samples, first, end;

	if (parse_number("samples", text, 0, LLONG_MAX, &samples, &e) != 0)
		return applet_misuse(&popdist_env_applet, "%s", e.text);
	popdist_shard(p, samples, &first, &end);
	if (!json) {
		printf("%lld %lld\n", first, end);
		return EXIT_DONE;
	}
	doc = yyjson_mut_doc_new(NULL);
	root = yyjson_mut_obj(doc);
	yyjson_mut_doc_set_root(doc, root);
	(void)yyjson_mut_obj_add_int(doc, root, "first", first);
	(void)yyjson_mut_obj_add_int(doc, root, "end", end);
	json_print(stdout, doc);
	return EXIT_DONE;
}

static int
popdist_env_run(int argc, char **argv, const struct exchange_options *o)
{
	static const char *const commands[] = { "get", "shard", "barrier",
		"allreduce", "broadcast", "gather", NULL };
	const bool json = o->json;
	struct popdist p;
	struct error e;

	if (popdist_read(&p, &e) != 0)
		return applet_failed(&popdist_env_applet, &e);
	if (argc > 0 && exchange_is_command(argv[0]))
		return exchange_run(&popdist_env_applet, &p, o, argc, argv);
	if (exchange_has_options(o))
		return applet_misuse(&popdist_env_applet,
		    "--id, --type, --root and --timeout need a collective: "
		    "barrier, allreduce, broadcast or gather");
	if (argc == 0) {
		if (json)
			popdist_env_print_json(&p);
		else
			print_list(&p);
		return EXIT_DONE;
	}
	if (strcmp(argv[0], "get") == 0 && (argc == 2 || argc == 3))
		return run_get(&p, argc - 1, argv + 1);
	if (strcmp(argv[0], "shard") == 0 && argc == 2)
		return run_shard(&p, argv[1], json);
	if (strcmp(argv[0], "get") == 0)
		return applet_misuse(&popdist_env_applet,
		    "get takes the name of a getter");
	if (strcmp(argv[0], "shard") == 0)
		return applet_misuse(&popdist_env_applet,
		    "shard takes the number of samples");
	(void)error_set(&e, "no such command: %s", argv[0]);
	(void)suggest_word(argv[0], commands, &e);
	return applet_misuse(&popdist_env_applet, "%s", e.text);
}

static int
popdist_env_help(void)
{
	int i, status = applet_help(&popdist_env_applet);

	printf("\nNames:\n\n");
	for (i = 0; i < POPDIST_GETTERS; i++)
		printf("  %-22s %s\n", popdist_names[i].name,
		    popdist_names[i].help);
	applet_examples(stdout,
	    "  popdist-env shard 60000\n"
	    "  popdist-env --id loss allreduce sum 0.5");
	return status;
}

static int
popdist_env_main(int argc, char **argv)
{
	struct option_parser parser;
	struct exchange_options o = { 0 };
	struct error e;
	int key;

	options_init(&parser, popdist_env_options, argc, argv, false);
	parser.numbers = true;
	while ((key = options_next(&parser, &e)) >= 0) {
		if (key == KEY_JSON)
			o.json = true;
		else if (key == KEY_ID)
			o.id = parser.argument;
		else if (key == KEY_TYPE)
			o.type = parser.argument;
		else if (key == KEY_ROOT)
			o.root = parser.argument;
		else if (key == KEY_TIMEOUT)
			o.timeout = parser.argument;
		else
			break;
	}
	if (key == 'h')
		return popdist_env_help();
	if (key == KEY_VERSION)
		return applet_version(&popdist_env_applet);
	if (key == OPTIONS_ERROR)
		return applet_misuse(&popdist_env_applet, "%s", e.text);
	return popdist_env_run(argc - parser.operand, argv + parser.operand,
	    &o);
}
