/* The title of a forked process, as ps(1) and pkill(1) read it. */
#include "core/process/process.h"

#include <sys/wait.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/files/file.h"
#include "tests/unit/tap.h"

/* The whole of a file of /proc; its NULs, but for the last, are spaces. */
static char *
read_words(const char *path)
{
	size_t size = 0, i;
	char *text = file_read(path, 4096, &size, NULL);

	for (i = 0; text != NULL && i + 1 < size; i++)
		if (text[i] == '\0')
			text[i] = ' ';
	return text;
}

/* In the child: what it sees of itself is what others see of it. */
static int
look(const char *name, const char *command_line)
{
	char *comm, *words;
	int faults;

	title_set(name);
	comm = read_words("/proc/self/comm");
	words = read_words("/proc/self/cmdline");
	if (comm == NULL || words == NULL)
		return -1;
	comm[strcspn(comm, "\n")] = '\0';
	words[strcspn(words, " ")] = '\0';
	faults = (strcmp(comm, name) != 0) +
	    2 * (strcmp(words, command_line) != 0);
	free(comm);
	free(words);
	return faults;
}

/* The exit status of a child that looks, or that executes us again. */
static int
in_child(char *const *again)
{
	int status;
	pid_t pid = fork();

	if (pid == 0 && again != NULL)
		(void)execv("/proc/self/exe", again);
	if (pid == 0)
		_exit(look("of-a-process", "of-a-process"));
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ?
	    WEXITSTATUS(status) :
	    -1;
}

/* In a program with the command line "/some/where/prog two -3 four". */
static int
read_own(void)
{
	char text[64];
	int faults = 0;

	faults += title_read(0, true, text, sizeof(text)) != 0 ||
	    strcmp(text, "prog two -3 four") != 0;
	faults += title_read(getpid(), false, text, sizeof(text)) != 0 ||
	    strcmp(text, "prog two") != 0;
	faults += title_read(0, true, text, 8) != 0 ||
	    strcmp(text, "prog tw") != 0;
	return faults;
}

static void
test_read(void)
{
	char word[] = "/some/where/prog", two[] = "two";
	char three[] = "-3", four[] = "four", text[8] = "x";
	char *const again[] = { word, two, three, four, NULL };
	pid_t pid;

	is_int(in_child(again), 0, "a program reads its own command line");
	if ((pid = fork()) == 0)
		_exit(0);
	(void)waitpid(pid, NULL, 0);
	ok(title_read(pid, true, text, sizeof(text)) == -1 && *text == '\0',
	    "a process that is gone has none");
}

/* Again with a command line of 9 bytes, which is shorter than the name. */
int
main(int argc, char **argv)
{
	char word[] = "poprun", other[] = "a";
	char *const again[] = { word, other, NULL };

	title_init(argc, argv);
	if (argc == 4)
		return read_own();
	if (argc > 1)
		return look("of-a-process", "of-a-pro");
	is_int(in_child(NULL), 0, "the name and the command line");
	is_int(in_child(again), 0, "a short command line cuts the name");
	test_read();
	return tap_done();
}
