/*
 * SHA-512 of a file, with libmd.
 */
#include "core/base/formats/encoding.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { DIGEST_READ_SIZE = 64 * 1024 };

int
digest_file(const char *path, int64_t most, char text[DIGEST_SIZE],
    struct error *e)
{
	unsigned char digest[SHA512_DIGEST_LENGTH];
	static uint8_t data[DIGEST_READ_SIZE];
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	SHA512_CTX c;
	int64_t done = 0;
	ssize_t n = 0;
	int reason;

	if (fd == -1)
		return error_set_errno(e, "cannot open %s", path);
	SHA512Init(&c);
	while ((most == 0 || done < most) &&
	    ((n = read(fd, data, sizeof(data))) > 0 ||
		(n == -1 && errno == EINTR)))
		if (n > 0) {
			SHA512Update(&c, data, (size_t)n);
			done += n;
		}
	reason = errno;
	(void)close(fd);
	if (n == -1)
		return error_set_number(e, reason, "cannot read %s", path);
	SHA512Final(digest, &c);
	hex_text(digest, sizeof(digest), text);
	return 0;
}
