/*
 * Which program reaches other hosts, by what mpirun is told: Open MPI's names
 * of the parameter, its list, and what is not found.
 */

#include <stdlib.h>
#include <unistd.h>

#include "core/base/alloc.h"
#include "core/launch/plan/plan.h"
#include "tests/unit/tap.h"

static const char *const names[] = { "plm_rsh_agent", "pls_rsh_agent",
	"orte_rsh_agent", NULL };

static const struct {
	const char *name;
	const char *global, *local, *first; /* arguments; NULL */
	const char *variable, *value;	    /* of the environment */
	const char *wanted;		    /* the words; NULL: an error */
	const char *origin;		    /* NULL: nobody says it */
	bool has_names;
} cases[] = {
	{ "nobody says one", "--mca a b", "-x A=1", "--mca c d", "OTHER", "x",
	    "", NULL, false },
	{ "the environment", NULL, NULL, NULL, "OMPI_MCA_plm_rsh_agent",
	    "/bin/sh", "/bin/sh", "OMPI_MCA_plm_rsh_agent", true },
	{ "an older name", NULL, NULL, NULL, "OMPI_MCA_pls_rsh_agent",
	    "/bin/sh", "/bin/sh", "OMPI_MCA_pls_rsh_agent", true },
	{ "another one", NULL, NULL, NULL, "OMPI_MCA_orte_rsh_agent", "/bin/sh",
	    "/bin/sh", "OMPI_MCA_orte_rsh_agent", true },
	{ "an empty variable", NULL, NULL, NULL, "OMPI_MCA_plm_rsh_agent", "",
	    "", NULL, false },
	{ "an argument counts before it", "-q --mca plm_rsh_agent /bin/cat",
	    NULL, NULL, "OMPI_MCA_plm_rsh_agent", "/bin/sh", "/bin/cat",
	    "--mca plm_rsh_agent", true },
	{ "of each instance", NULL, "-gmca pls_rsh_agent /bin/cat", NULL,
	    "OTHER", "x", "/bin/cat", "--mca pls_rsh_agent", true },
	{ "of the first instance", NULL, NULL, "-mca orte_rsh_agent /bin/cat",
	    "OTHER", "x", "/bin/cat", "--mca orte_rsh_agent", true },
	{ "a value is missing", "--mca plm_rsh_agent", NULL, NULL, "OTHER", "x",
	    "", NULL, false },
	{ "its own arguments", "--mca plm_rsh_agent ' /bin/sh  -p 22 '", NULL,
	    NULL, "OTHER", "x", "/bin/sh '-p' '22'", "--mca plm_rsh_agent",
	    true },
	{ "the first that is found", NULL, NULL, NULL, "OMPI_MCA_plm_rsh_agent",
	    "nonesuch -x : /bin/cat -u : /bin/sh", "/bin/cat '-u'",
	    "OMPI_MCA_plm_rsh_agent", true },
	{ "none is found", NULL, NULL, NULL, "OMPI_MCA_plm_rsh_agent",
	    "nonesuch : /none/agent", NULL, "OMPI_MCA_plm_rsh_agent", false },
	{ "not a program", NULL, NULL, NULL, "OMPI_MCA_plm_rsh_agent",
	    "/etc/passwd", NULL, "OMPI_MCA_plm_rsh_agent", false },
	{ "a list of nothing", NULL, NULL, NULL, "OMPI_MCA_plm_rsh_agent",
	    " : ", NULL, "OMPI_MCA_plm_rsh_agent", false },
};

static void
add_words(struct strvec *words, const char *text)
{
	if (text != NULL)
		(void)strvec_split(words, text, NULL);
}

static void
test_case(size_t i)
{
	struct launch_settings s = { .program = NULL };
	struct remote_agent agent = { .has_names = false };
	struct strvec first;
	struct error e = { .text = "" };
	char origin[PARAMETER_ORIGIN_SIZE];
	char *text;
	int status;

	strvec_init(&first);
	add_words(&s.global_args, cases[i].global);
	add_words(&s.local_args, cases[i].local);
	add_words(&first, cases[i].first);
	s.instance_args = &first;
	s.instance_args_count = 1;
	(void)setenv(cases[i].variable, cases[i].value, 1);
	if (parameter_get(&s, names, origin) == NULL)
		ok(cases[i].origin == NULL, cases[i].name);
	else
		is_str(origin, cases[i].origin, cases[i].name);
	status = remote_agent_find(&agent, &s, &e);
	is_int(status, cases[i].wanted == NULL ? -1 : 0, "found");
	if (cases[i].wanted == NULL)
		is_int(agent.words.count, 0, "nothing is left");
	else if (*cases[i].wanted == '\0')
		is_str(remote_agent_name(&agent), "ssh", "it is ssh");
	else {
		text = strvec_quoted(agent.words.items);
		is_str(text, cases[i].wanted, "its words");
		free(text);
	}
	ok(agent.has_names == cases[i].has_names, "whether it is ssh");
	(void)unsetenv(cases[i].variable);
	remote_agent_release(&agent);
	strvec_release(&s.global_args);
	strvec_release(&s.local_args);
	strvec_release(&first);
}

/* ssh by any path, and with arguments, is ssh. */
static void
test_ssh(void)
{
	struct launch_settings s = { .program = NULL };
	struct remote_agent agent = { .has_names = true };
	struct error e = { .text = "" };
	char *path = xasprintf("%s/ssh", tap_directory());
	char *value = xasprintf("%s -p 2222 : nonesuch", path);

	if (symlink("/bin/true", path) != 0)
		ok(false, "a link");
	(void)setenv("OMPI_MCA_plm_rsh_agent", value, 1);
	is_int(remote_agent_find(&agent, &s, &e), 0, "ssh with arguments");
	is_str(remote_agent_name(&agent), path, "by its path");
	ok(!agent.has_names, "is ssh");
	(void)unlink(path);
	is_int(remote_agent_find(&agent, &s, &e), -1, "no ssh");
	free(value);
	value = xasprintf("OMPI_MCA_plm_rsh_agent: the agent '%s -p 2222 : "
			  "nonesuch' is missing or cannot be executed",
	    path);
	is_str(e.text, value, "is said");
	remote_agent_release(&agent);
	free(value);
	free(path);
}

int
main(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(cases); i++)
		test_case(i);
	test_ssh();
	return tap_done();
}
