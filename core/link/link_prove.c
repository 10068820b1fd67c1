/*
 * The proof of a link, without the link.
 */
#include "core/link/link_prove.h"

#include <fcntl.h>
#include <poll.h>

#include "core/base/clock.h"

int
link_prove(int fd, enum link_side side, const unsigned char *secret,
    int *instance, int64_t deadline_ms, struct error *e)
{
	struct link		*l = link_new(fd, side, secret, *instance);
	struct pollfd		 p = { .fd = fd };
	struct link_message	 m;
	int64_t			 left = 1;
	int			 status = 0, proved = -1;

	while (status == 0 && !link_is_open(l) && left > 0) {
		p.events = link_events(l);
		left = deadline_ms - clock_monotonic_ms();
		if (left > 0 && poll(&p, 1, (int)left) != -1)
			status = link_receive(l, &m, e);
	}
	if (link_is_open(l)) {
		*instance = link_instance(l);
		proved = fcntl(fd, F_DUPFD_CLOEXEC, 0);
		if (proved == -1)
			(void)error_set_errno(e, "cannot keep a connection");
	} else if (status == 0)
		(void)error_set_code(e, ERROR_TIMED_OUT, "the other end did "
		    "not prove in time that it knows the job's secret");
	link_free(l);
	return proved;
}
