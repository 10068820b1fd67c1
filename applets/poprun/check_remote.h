/*
 * poprun --check on another host of the job: this program, started by ssh.
 */
#ifndef APPLETS_POPRUN_CHECK_REMOTE_H
#define APPLETS_POPRUN_CHECK_REMOTE_H

#include <stdio.h>

#include "core/base/error.h"

/* "FILE __ipubox __check": the word. */
#define CHECK_REMOTE_WORD	"__check"

/*
 * Read a request (check_request.h) to its end from the descriptor, look at this
 * host, and print the answer (check_answer.h).  Nothing is created.  -1: there
 * was no request.
 */
int	check_remote_run(int in, FILE *out, struct error *);

#endif
