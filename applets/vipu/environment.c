/*
 * vipu env, vipu exec: the environment by which a program finds a partition.
 *
 * Source: V-IPU user guide 5.7; names of the target options from published
 * logs.
 */
#include <bsd/string.h>

#include <stdlib.h>
#include <string.h>

#include "applets/vipu/vipu_internal.h"
#include "core/base/alloc.h"
#include "core/base/parse.h"
#include "core/base/strvec.h"
#include "core/control/control.h"
#include "core/job/job.h"
#include "core/state/state.h"

const struct option_row environment_options[] = {
	{ KEY_GCD, "gcd", "G",
	    "choose one GCD of a partition that has several" },
	{ KEY_SHELL, "shell", "SHELL",
	    "print commands for sh, csh or fish (default: sh)" },
	{ KEY_UNSET, "unset", NULL,
	    "print the commands that unset the variables" },
	{ 0 },
};

const struct option_row environment_exec_options[] = {
	{ KEY_GCD, "gcd", "G",
	    "choose one GCD of a partition that has several" },
	{ 0 },
};

/* The variables, in the order of printing. */
enum variable {
	API_HOST,
	API_PORT,
	PARTITION_ID,
	GCD_ID,
	CONFIG_PATH,
	TARGET_OPTIONS,
	VARIABLES
};

static const char *const environment_names[VARIABLES] = { "IPUOF_VIPU_API_HOST",
	"IPUOF_VIPU_API_PORT", "IPUOF_VIPU_API_PARTITION_ID",
	"IPUOF_VIPU_API_GCD_ID", "IPUOF_CONFIG_PATH", "POPLAR_TARGET_OPTIONS" };

/* Their values; NULL: unset it, because it would name other IPUs. */
struct printed_environment {
	char *values[VARIABLES];
};

static void
environment_release(struct printed_environment *env)
{
	int i;

	for (i = 0; i < VARIABLES; i++)
		free(env->values[i]);
}

/* Check that a program can use the partition, and which GCD of it. */
static int
check_use(const struct partition *p, int *gcd, struct error *e)
{
	if (p->state != PS_ACTIVE)
		return error_set(e,
		    "the partition is in state %s, not ACTIVE%s%s",
		    partition_state_name(p->state),
		    p->last_error[0] != '\0' ? ": " : "", p->last_error);
	if (*gcd >= p->num_gcds)
		return error_set(e,
		    "gcd %d: the partition has %d GCD%s, counted from 0", *gcd,
		    p->num_gcds, p->num_gcds == 1 ? "" : "s");
	if (*gcd == -1 && p->num_gcds > 1)
		return error_set(e,
		    "the partition has %d GCDs, and a program uses one: choose "
		    "it with --gcd, 0 to %d",
		    p->num_gcds, p->num_gcds - 1);
	return 0;
}

/*
 * Describe the controller, the partition and GCD, and the target options with
 * which a model is compiled.
 */
static void
environment_describe(const struct call *call, const struct controller *c,
    const struct partition *p, int gcd, struct printed_environment *env)
{
	struct target_options options = {
		.link_domain_ipus = p->placement.per_ild,
		.instance_ipus = partition_gcd_size(p),
	};
	const char *where = controller_where(c);
	/* A path is the socket of this host's server, which programs find
	   without a variable. */
	const bool is_here = where == NULL || where[0] == '/';

	target_options_set_routing(&options, p->routing);
	env->values[API_HOST] =
	    xstrdup(is_here ? "local" : call->config.values[CONFIG_API_HOST]);
	if (!is_here && call->config.values[CONFIG_API_PORT][0] != '\0')
		env->values[API_PORT] =
		    xstrdup(call->config.values[CONFIG_API_PORT]);
	env->values[PARTITION_ID] = xstrdup(p->name);
	if (gcd != -1)
		env->values[GCD_ID] = xasprintf("%d", gcd);
	env->values[TARGET_OPTIONS] = target_options_text(&options);
}

/* Read the environment of the call's partition. */
static int
environment_read(const struct call *call, struct controller *c, int gcd,
    struct printed_environment *env, struct error *e)
{
	struct snapshot s;
	int found, result;

	if (transaction_list_partitions(c, true, &s, e) != 0)
		return -1;
	found = snapshot_look_up(&s, call->name, e);
	if (found == -1) {
		result = controller_append_place(c, e);
	} else {
		result = check_use(&s.partitions[found], &gcd, e);
	}
	if (result == 0)
		environment_describe(call, c, &s.partitions[found], gcd, env);
	snapshot_release(&s);
	return result;
}

/* Check the call's options and read the environment; -1: *status is the exit
   status. */
static int
make_environment(const struct call *call, struct printed_environment *env,
    int *status)
{
	struct controller *c;
	struct error error;
	int gcd = -1, result = -1;

	*status = EXIT_USAGE;
	if (call_number(call, KEY_GCD, 0, POD_IPUS_MAX - 1, &gcd) != 0)
		return -1;
	if ((c = call_open(call, &error)) != NULL)
		result = environment_read(call, c, gcd, env, &error);
	if (result != 0)
		*status = call_failed(call, &error);
	call_close(call, c);
	return result;
}

/*
 * Print all variables each time, also those to unset: an earlier partition may
 * have left values for other IPUs.
 */
int
environment_print(const struct call *call)
{
	const char *word = call->values[KEY_SHELL];
	const struct shell *shell = shell_find(word != NULL ? word : "sh");
	struct printed_environment env = { { NULL } };
	struct error error;
	int i, status;

	if (shell == NULL) {
		(void)suggest_refuse("--shell", word, SHELL_WORDS, &error);
		return call_misuse(call, "%s", error.text);
	}
	if (call->values[KEY_UNSET] == NULL) {
		if (call->name == NULL)
			return call_misuse(call,
			    "env: the name of the partition is missing");
		if (make_environment(call, &env, &status) != 0)
			return status;
	}
	for (i = 0; i < VARIABLES; i++)
		/* A pod of this host has no port. */
		if (i != API_PORT || env.values[i] != NULL)
			shell_put_variable(stdout, shell, environment_names[i],
			    env.values[i]);
	environment_release(&env);
	return EXIT_DONE;
}

/* PROGRAM replaces this process, so its exit status is ours. */
int
environment_exec(const struct call *call)
{
	struct printed_environment env = { { NULL } };
	int i, status;

	if (!call->dashes)
		return call_misuse(call, "exec: put -- before the program");
	if (call->operand_count < 2)
		return call_misuse(call,
		    "exec: the program is missing; name it after --");
	if (make_environment(call, &env, &status) != 0)
		return status;
	for (i = 0; i < VARIABLES; i++) {
		if (env.values[i] != NULL)
			(void)setenv(environment_names[i], env.values[i], 1);
		else
			(void)unsetenv(environment_names[i]);
	}
	environment_release(&env);
	return applet_become(call->applet, call->operands + 1);
}
