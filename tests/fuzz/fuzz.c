#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char directory[64];
static int file = -1;

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

static void
remove_directory(void)
{
	(void)nftw(directory, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

const char *
fuzz_directory(void)
{
	if (directory[0] == '\0') {
		(void)snprintf(directory, sizeof(directory),
		    "%s/ipubox-fuzz.XXXXXX",
		    access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
		require(mkdtemp(directory) != NULL);
		(void)atexit(remove_directory);
	}
	return directory;
}

const char *
fuzz_file(const uint8_t *data, size_t size)
{
	static char path[128];

	if (file == -1) {
		(void)snprintf(path, sizeof(path), "%s/file", fuzz_directory());
		file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	}
	require(ftruncate(file, 0) == 0);
	require(pwrite(file, data, size, 0) == (ssize_t)size);
	return path;
}

char *
fuzz_text(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	require(text != NULL);
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}
