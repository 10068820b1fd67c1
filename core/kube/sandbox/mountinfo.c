/*
 * Reading /proc/PID/mountinfo: "ID PARENT MAJOR:MINOR ROOT PATH OPTIONS ...".
 */
#include "core/kube/sandbox/mount_call.h"

#include <stdlib.h>
#include <string.h>

enum { FIELDS_BEFORE_PATH = 4 };

int
mountinfo_open(struct mountinfo *m, pid_t pid)
{
	char path[64] = "/proc/self/mountinfo";

	*m = (struct mountinfo){ .line = NULL };
	if (pid != 0)
		(void)snprintf(path, sizeof(path), "/proc/%ld/mountinfo",
		    (long)pid);
	m->file = fopen(path, "re");
	return m->file != NULL ? 0 : -1;
}

void
mountinfo_close(struct mountinfo *m)
{
	(void)fclose(m->file);
	free(m->line);
}

static bool
is_octal(const char *digits)
{
	return digits[0] >= '0' && digits[0] <= '3' && digits[1] >= '0' &&
	    digits[1] <= '7' && digits[2] >= '0' && digits[2] <= '7';
}

/* Decode "\040" and the like: the kernel escapes a space, a tab, a line break
   and a backslash. */
static void
unescape(char *text)
{
	char *to = text;

	for (; *text != '\0'; text++) {
		if (*text != '\\' || !is_octal(text + 1)) {
			*to++ = *text;
			continue;
		}
		*to++ = (char)((text[1] - '0') * 64 + (text[2] - '0') * 8 +
		    (text[3] - '0'));
		text += 3;
	}
	*to = '\0';
}

const char *
mountinfo_next(struct mountinfo *m)
{
	char *path;
	int i;

	while (getline(&m->line, &m->room, m->file) > 0) {
		path = m->line;
		for (i = 0; i < FIELDS_BEFORE_PATH && path != NULL; i++)
			if ((path = strchr(path, ' ')) != NULL)
				path++;
		if (path == NULL)
			continue;
		path[strcspn(path, " \n")] = '\0';
		unescape(path);
		return path;
	}
	return NULL;
}

bool
mountinfo_has(pid_t pid, const char *path)
{
	struct mountinfo m;
	const char *next;
	bool found = false;

	if (mountinfo_open(&m, pid) != 0)
		return false;
	while (!found && (next = mountinfo_next(&m)) != NULL)
		found = strcmp(next, path) == 0;
	mountinfo_close(&m);
	return found;
}
