/*
 * vipu env, vipu exec: the environment in which a program finds a partition.
 *
 * Source: V-IPU user guide 5.7; names of the target options from published
 * logs.
 */
#include <bsd/string.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "applets/vipu/vipu_internal.h"
#include "core/base/alloc.h"
#include "core/base/shell.h"
#include "core/base/strvec.h"
#include "core/base/suggest.h"
#include "core/job/target_options.h"
#include "core/process/program.h"
#include "core/state/paths.h"
#include "core/state/snapshot.h"
#include "core/state/state.h"

const struct option_row environment_options[] = {
	{ KEY_GCD, "gcd", "G", "one GCD of a partition that has several" },
	{ KEY_SHELL, "shell", "SHELL", "in the words of sh (default), csh or "
	    "fish" },
	{ KEY_UNSET, "unset", NULL, "take the variables back" },
	{ 0 }
};

const struct option_row environment_exec_options[] = {
	{ KEY_GCD, "gcd", "G", "one GCD of a partition that has several" },
	{ 0 }
};

/* The variables, in the order in which they are printed. */
enum variable {
	API_HOST, PARTITION_ID, GCD_ID, CONFIG_PATH, TARGET_OPTIONS, VARIABLES
};

static const char *const environment_names[VARIABLES] = {
	"IPUOF_VIPU_API_HOST", "IPUOF_VIPU_API_PARTITION_ID",
	"IPUOF_VIPU_API_GCD_ID", "IPUOF_CONFIG_PATH", "POPLAR_TARGET_OPTIONS"
};

/* Their values; NULL: to be unset, for it would speak of other IPUs. */
struct printed_environment {
	char	*values[VARIABLES];
};

static void
environment_release(struct printed_environment *env)
{
	int	i;

	for (i = 0; i < VARIABLES; i++)
		free(env->values[i]);
}

/* Whether a program can use the partition, and which GCD of it. */
static int
check_use(const struct partition *p, int *gcd, struct error *e)
{
	if (p->state != PS_ACTIVE)
		return error_set(e, "the partition is in state %s, not "
		    "ACTIVE%s%s", partition_state_name(p->state),
		    p->last_error[0] != '\0' ? ": " : "", p->last_error);
	if (*gcd >= p->num_gcds)
		return error_set(e, "gcd %d: the partition has %d GCD%s, "
		    "counted from 0", *gcd, p->num_gcds,
		    p->num_gcds == 1 ? "" : "s");
	if (*gcd == -1 && p->num_gcds > 1)
		return error_set(e, "the partition has %d GCDs, and a program "
		    "uses one: choose it with --gcd, 0 to %d", p->num_gcds,
		    p->num_gcds - 1);
	return 0;
}

/*
 * What the program finds: the controller, its partition and GCD, and the
 * options with which a model is compiled for it.
 */
static void
environment_describe(const struct partition *p, int gcd,
    struct printed_environment *env)
{
	struct target_options	options = {
		.link_domain_ipus = p->placement.per_ild,
		.instance_ipus = partition_gcd_size(p)
	};

	target_options_set_routing(&options, p->routing);
	env->values[API_HOST] = xstrdup("local");
	env->values[PARTITION_ID] = xstrdup(p->name);
	if (gcd != -1)
		env->values[GCD_ID] = xasprintf("%d", gcd);
	env->values[TARGET_OPTIONS] = target_options_text(&options);
}

/* The environment of the call's partition; -1: the exit status is *status. */
static int
make_environment(const struct call *call, struct printed_environment *env,
    int *status)
{
	struct snapshot	s;
	struct error	error;
	int		found, gcd = -1, result;

	*status = EXIT_USAGE;
	if (call_number(call, KEY_GCD, 0, POD_IPUS_MAX - 1, &gcd) != 0 ||
	    (*status = call_read_state(call, &s)) != EXIT_DONE)
		return -1;
	found = snapshot_find(&s, call->name);
	if (found == -1) {
		(void)error_set(&error, "there is no partition of that "
		    "name; vipu list partitions shows those there are");
		(void)snapshot_suggest(&s, call->name, &error);
		result = paths_append_place(&error);
	} else {
		result = check_use(&s.partitions[found], &gcd, &error);
	}
	if (result == 0)
		environment_describe(&s.partitions[found], gcd, env);
	else
		*status = call_failed(call, &error);
	snapshot_release(&s);
	return result;
}

/*
 * All variables each time, also those to be unset: what an earlier partition
 * left would be of other IPUs.
 */
int
environment_print(const struct call *call)
{
	const char		*word = call->values[KEY_SHELL];
	const struct shell	*shell = shell_find(word != NULL ? word : "sh");
	struct printed_environment	 env = { { NULL } };
	struct error		 error;
	int			 i, status;

	if (shell == NULL) {
		(void)suggest_refuse("--shell", word, SHELL_WORDS, &error);
		return call_misuse(call, "%s", error.text);
	}
	if (call->values[KEY_UNSET] == NULL) {
		if (call->name == NULL)
			return call_misuse(call, "env: which one?");
		if (make_environment(call, &env, &status) != 0)
			return status;
	}
	for (i = 0; i < VARIABLES; i++)
		shell_put_variable(stdout, shell, environment_names[i],
		    env.values[i]);
	environment_release(&env);
	return EXIT_DONE;
}

/* Become the program; only a failure comes back, with its exit status. */
static int
environment_run(const struct call *call, char **argv)
{
	struct strvec	 command;
	struct error	 error;
	char		*path;
	int		 status;

	strvec_init(&command);
	status = applet_find_program(argv, &path, &command, &error);
	if (status == 0) {
		(void)execv(path, command.items);
		(void)error_set_errno(&error, "cannot execute %s", path);
		free(path);
		status = PROGRAM_CANNOT_EXECUTE;
	}
	strvec_release(&command);
	fprintf(stderr, "%s: %s\n", call->applet->name, error.text);
	return status;
}

/* PROGRAM takes this process's place, so its exit status is ours. */
int
environment_exec(const struct call *call)
{
	struct printed_environment	env = { { NULL } };
	int			i, status;

	if (!call->dashes)
		return call_misuse(call, "exec: put -- before the program");
	if (call->operand_count < 2)
		return call_misuse(call, "exec: which program?");
	if (make_environment(call, &env, &status) != 0)
		return status;
	for (i = 0; i < VARIABLES; i++) {
		if (env.values[i] != NULL)
			(void)setenv(environment_names[i], env.values[i], 1);
		else
			(void)unsetenv(environment_names[i]);
	}
	environment_release(&env);
	return environment_run(call, call->operands + 1);
}
