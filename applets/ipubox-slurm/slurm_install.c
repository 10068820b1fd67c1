/*
 * ipubox slurm install: the files for Slurm's administrator.
 */
#include <sys/stat.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/ipubox-slurm/ipubox-slurm.h"
#include "core/base/alloc.h"
#include "core/base/embedded.h"
#include "core/base/files/file.h"
#include "core/base/strvec.h"
#include "core/base/text.h"
#include "core/process/process.h"
#include "core/server/server.h"

/* Variables that lead commands to a pod.  Slurm's scripts get the values that
   they have at the installation, because Slurm passes no environment on. */
static const char *const kept[] = { "IPUBOX_STATE_DIR", "IPUBOX_REGISTRY",
	"VIPU_CLI_API_HOST", "VIPU_CLI_API_PORT" };

/* Texts for the words @IPUS@, @DIRECTORY@, @PROGRAM@ and @ENVIRONMENT@. */
enum { IPUS, DIRECTORY, PROGRAM, ENVIRONMENT, WORDS };
static const char *const words[WORDS] = { "@IPUS@", "@DIRECTORY@", "@PROGRAM@",
	"@ENVIRONMENT@" };

static int
count_ipus(char **text, struct error *e)
{
	struct controller *c = server_open_controller(NULL, NULL, e);
	struct snapshot s;
	int status = -1;

	if (c != NULL && transaction_list(c, &s, e) == 0) {
		*text = xasprintf("%d", pod_ipu_count(&s.pod));
		snapshot_release(&s);
		status = 0;
	}
	controller_close(c);
	return status;
}

/* Return the shell's commands that set the kept variables. */
static char *
make_environment(void)
{
	const struct shell *sh = shell_find("sh");
	struct memstream out;
	const char *value;
	size_t i;

	(void)memstream_open(&out);
	for (i = 0; i < ARRAY_SIZE(kept); i++)
		if ((value = getenv(kept[i])) != NULL && *value != '\0')
			shell_put_variable(out.file, sh, kept[i], value);
	return memstream_close(&out, NULL);
}

/* Return the path of this program, quoted for a shell; NULL: not found. */
static char *
quote_program(struct error *e)
{
	struct strvec command;
	char *quoted = NULL;

	strvec_init(&command);
	if (own_program_add(&command, e) == 0) {
		char *const path[] = { command.items[0], NULL };

		quoted = strvec_quoted(path);
	}
	strvec_release(&command);
	return quoted;
}

/* Return the text with the words replaced. */
static char *
fill_in(const char *text, char *const *values)
{
	struct memstream out;
	int i;

	(void)memstream_open(&out);
	while (*text != '\0') {
		for (i = 0; i < WORDS; i++)
			if (strncmp(text, words[i], strlen(words[i])) == 0)
				break;
		if (i < WORDS) {
			fputs(values[i], out.file);
			text += strlen(words[i]);
		} else
			fputc(*text++, out.file);
	}
	return memstream_close(&out, NULL);
}

/* Write a file; a script becomes executable. */
static int
write_file(const struct embedded_file *file, char *const *values,
    struct error *e)
{
	char *text = fill_in(file->text, values), *path;
	int status = file_replace(values[DIRECTORY], file->name, text,
	    strlen(text), e);

	path = xasprintf("%s/%s", values[DIRECTORY], file->name);
	if (status == 0 &&
	    chmod(path, strncmp(text, "#!", 2) == 0 ? 0755 : 0644) != 0)
		status = error_set_errno(e, "%s", path);
	free(path);
	free(text);
	return status;
}

static void
print_steps(char *const *values)
{
	printf(
	    "The files for a Slurm with %s IPUs are in %s.  On each host:\n"
	    "    make -C %s\n"
	    "    ln -s %s/job_submit.lua /etc/slurm/\n"
	    "    cat %s/plugstack.conf >> /etc/slurm/plugstack.conf\n"
	    "    echo Include %s/include.conf >> /etc/slurm/slurm.conf\n"
	    "Add Gres=ipu:no_consume:%s to the lines NodeName of slurm.conf, "
	    "and restart\nSlurm.  pod.conf and laptop.conf are whole "
	    "examples; see ipubox-slurm(7).\n",
	    values[IPUS], values[DIRECTORY], values[DIRECTORY],
	    values[DIRECTORY], values[DIRECTORY], values[DIRECTORY],
	    values[IPUS]);
}

int
slurm_install(const char *directory, struct error *e)
{
	char *values[WORDS] = { NULL };
	const struct embedded_file *file;
	int status = 0, i;

	if (mkdir(directory, 0755) != 0 && errno != EEXIST)
		return error_set_errno(e, "cannot make %s", directory);
	if ((values[DIRECTORY] = realpath(directory, NULL)) == NULL)
		return error_set_errno(e, "%s", directory);
	values[ENVIRONMENT] = make_environment();
	values[PROGRAM] = quote_program(e);
	if (values[PROGRAM] == NULL || count_ipus(&values[IPUS], e) != 0)
		status = -1;
	for (file = embedded_slurm; status == 0 && file->name != NULL; file++)
		status = write_file(file, values, e);
	if (status == 0)
		print_steps(values);
	for (i = 0; i < WORDS; i++)
		free(values[i]);
	return status;
}
