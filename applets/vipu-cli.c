/*
 * vipu-cli: the oldest command line of V-IPU, one program for users and
 * administrators.  It was split into vipu and vipu-admin, which do its work.
 */
#include <string.h>

#include "applets/vipu-admin/vipu-admin_internal.h"
#include "applets/vipu/vipu_internal.h"

static const struct option_row vipu_cli_options[] = {
	{ 'a', NULL, NULL, "do the work of vipu-admin, not of vipu" },
	{ 'h', "help", NULL, "print this help, or the help of a command" },
	{ 0 },
};

static int vipu_cli_main(int, char **);

const struct applet vipu_cli_applet = {
	.name = "vipu-cli",
	.purpose = "the old name of vipu and, with -a, of vipu-admin",
	.synopsis = "[-a] VERB ENTITY [NAME] [option ...]",
	.options = vipu_cli_options,
	.main = vipu_cli_main,
	.examples = "  vipu-cli create partition p --size 4\n"
		    "  vipu-cli -a --showjson list cluster",
};

/* -a may stand at any place, like the options of vipu; source: PopTorch's and
   PopART's scripts of 2020. */
static int
vipu_cli_main(int argc, char **argv)
{
	bool admin = false;
	int i, n = 1;

	if (argc == 2 &&
	    (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0))
		return applet_help(&vipu_cli_applet);
	for (i = 1; i < argc; i++)
		if (strcmp(argv[i], "-a") == 0)
			admin = true;
		else
			argv[n++] = argv[i];
	argv[n] = NULL;
	return admin ? vipu_admin_run(&vipu_cli_applet, n, argv) :
		       vipu_run(&vipu_cli_applet, n, argv);
}
