/*
 * ipubox-job: runs IPUJobs on this host, like the IPU Operator on Kubernetes.
 *
 * The verbs, the words and the exit statuses are kubectl's, so that scripts for
 * a cluster run here.  An extra verb, lint, checks a manifest.  Each job has a
 * separate process, the runner, which does the work of the operator.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "applets/applet.h"
#include "applets/candidates.h"
#include "applets/ipubox-job/ipubox-job.h"
#include "core/base/parse.h"

static const char job_synopsis[] =
    "create | apply [-R] [--dry-run[=MODE]] -f FILE ...\n"
    "       ipubox-job get | describe TYPE [NAME ...] [option ...]\n"
    "       ipubox-job logs [-fp] [option ...] POD\n"
    "       ipubox-job exec [-it] POD -- COMMAND [argument ...]\n"
    "       ipubox-job cp SOURCE DESTINATION\n"
    "       ipubox-job delete | wait TYPE NAME ... [option ...]\n"
    "       ipubox-job scale ipujob/NAME --replicas N\n"
    "       ipubox-job lint [-o FORMAT] [--strict] FILE ...\n"
    "       ipubox-job render --to KIND [option ...] FILE ...\n"
    "       ipubox-job explain [-R] [FIELD]\n"
    "       ipubox-job --help | --version";

static int ipubox_job_main(int argc, char **argv);

const struct applet ipubox_job_applet = {
	.name = "ipubox-job",
	.purpose = "run, check and render IPUJobs of Kubernetes",
	.synopsis = job_synopsis,
	.options = NULL,
	.main = ipubox_job_main,
	.examples = "  ipubox-job create -f mnist.yaml\n"
		    "  ipubox-job logs -f ipujob/mnist-training",
};

/* Whether these rows already have that option. */
static bool
is_shown(const struct option_row *rows, size_t count,
    const struct option_row *row)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (rows[i].key == row->key &&
		    strcmp(rows[i].name, row->name) == 0)
			return true;
	return false;
}

/* Print the options of all verbs, each once; a verb's help explains their
   meaning. */
static void
ipubox_job_print_options(void)
{
	struct option_row all[OPTIONS_MAX] = { { .key = 0 } };
	const struct option_row *row;
	const struct job_verb *v;
	size_t count = 0;

	for (v = job_verbs; v->name != NULL; v++)
		for (row = v->options; row->key != 0; row++)
			if (row->help != NULL && row->key != 'h' &&
			    count < OPTIONS_MAX - 3 &&
			    !is_shown(all, count, row))
				all[count++] = *row;
	for (row = job_global_rows; row->key != 0; row++)
		if (row->help != NULL && !is_shown(all, count, row))
			all[count++] = *row;
	options_print(stdout, all);
}

static void
job_help(const struct applet *applet)
{
	const struct job_verb *v;

	applet_usage(stdout, applet, applet->synopsis);
	printf(
	    "\n%s\n\nVerbs (ipubox-job VERB --help lists their options):\n\n",
	    applet->purpose);
	for (v = job_verbs; v->name != NULL; v++)
		printf("  %s %s\n%34s%s\n", v->name, v->usage, "", v->help);
	printf("\nOptions:\n\n");
	ipubox_job_print_options();
	applet_examples(stdout, applet->examples);
}

static int
verb_help(const struct job_verb *v)
{
	printf("usage: ipubox-job %s %s [option ...]\n%s\n\nOptions:\n\n",
	    v->name, v->usage, v->help);
	options_print(stdout, v->options);
	return EXIT_DONE;
}

/* Refuse kubectl's creation of objects from words; -1: not requested. */
static int
refuse_words(const struct job_call *c, int argc, char **argv)
{
	if (c->verb->run != verb_create || argc < 2 || argv[1][0] == '-')
		return -1;
	return job_call_misuse(c,
	    strcmp(argv[1], "namespace") == 0 || strcmp(argv[1], "ns") == 0 ?
		"create %s: not needed; a namespace exists once it has an "
		"object" :
		"create %s: not supported; write the object into a file, then "
		"use create -f FILE",
	    argv[1]);
}

static int
run_verb(const struct job_verb *v, int argc, char **argv)
{
	struct job_call c = { .verb = v };
	struct error e;
	int status = refuse_words(&c, argc, argv);

	if (status != -1)
		return status;
	status = job_options_read(&c, argc, argv, &e);
	if (status == 1)
		status = verb_help(v);
	else if (status == -1)
		status = job_call_misuse(&c, "%s", e.text);
	else if ((status = job_values_read(&c)) == EXIT_DONE &&
	    ((v->flags & VERB_OPENS) == 0 ||
		(status = job_call_open(&c, false)) == EXIT_DONE))
		status = v->run(&c);
	jsonpath_free(&c.path);
	if (c.has_store)
		job_store_close(&c.store);
	strvec_release(&c.files);
	return status;
}

static int
refuse_verb(const struct applet *applet, const char *word)
{
	const struct job_verb *v;
	const char *instead = job_verbs_elsewhere(word);
	struct suggestion nearest;
	struct error e;

	if (instead != NULL)
		return applet_misuse(applet, "\"%s\" is not supported; %s",
		    word, instead);
	suggest_begin(&nearest, word);
	for (v = job_verbs; v->name != NULL; v++)
		suggest_offer(&nearest, v->name);
	(void)error_set(&e, "unknown command \"%s\"", word);
	(void)suggest_append(&nearest, "", &e);
	return applet_misuse(applet, "%s", e.text);
}

/* Complete "ipubox __complete job WORD ...": a verb, or an option of one. */
static int
job_complete(int argc, char **argv)
{
	const struct job_verb *v;
	struct candidates c = { .begun = argv[argc - 1] };

	if (argc == 2) {
		for (v = job_verbs; v->name != NULL; v++)
			candidates_offer(&c, v->name);
		return EXIT_DONE;
	}
	for (v = job_verbs; v->name != NULL; v++)
		if (strcmp(v->name, argv[1]) == 0)
			candidates_offer_options(&c, v->options);
	return EXIT_DONE;
}

/* Rewrite "-n ml get pods" as "get -n ml pods": the verb reads the options. */
static void
put_verb_first(char **argv, int verb)
{
	char *word = argv[verb];

	memmove(argv + 2, argv + 1, (size_t)(verb - 1) * sizeof(*argv));
	argv[1] = word;
}

static int
ipubox_job_main(int argc, char **argv)
{
	const struct job_verb *v;
	struct option_parser parser;
	struct error e;
	int key;

	if (argc > 1 && strcmp(argv[1], "__complete") == 0)
		return job_complete(argc - 1, argv + 1);
	options_init(&parser, job_global_rows, argc, argv, true);
	while ((key = options_next(&parser, &e)) >= 0)
		if (key == KEY_VERSION)
			return applet_version(&ipubox_job_applet);
		else if (key == 'h')
			break;
	if (key == OPTIONS_ERROR)
		return applet_misuse(&ipubox_job_applet, "%s", e.text);
	if (key == 'h' || parser.operand >= parser.argc) {
		if (key != 'h')
			(void)dup2(STDERR_FILENO, STDOUT_FILENO);
		job_help(&ipubox_job_applet);
		return key == 'h' ? EXIT_DONE : EXIT_USAGE;
	}
	put_verb_first(argv, parser.operand);
	for (v = job_verbs; v->name != NULL; v++)
		if (strcmp(v->name, argv[1]) == 0)
			return run_verb(v, argc - 1, argv + 1);
	return refuse_verb(&ipubox_job_applet, argv[1]);
}
