/*
 * Test Anything Protocol.  Each check prints "ok N - NAME", or "not ok N -
 * NAME" with file:line and both values.  main() ends with `return tap_done();`.
 */
#ifndef TESTS_UNIT_TAP_H
#define TESTS_UNIT_TAP_H

#include <stdbool.h>

#define ok(condition, name) \
	tap_ok(__FILE__, __LINE__, (condition), #condition, (name))
#define is_int(got, wanted, name) \
	tap_is_int(__FILE__, __LINE__, (got), (wanted), (name))
#define is_str(got, wanted, name) \
	tap_is_str(__FILE__, __LINE__, (got), (wanted), (name))
/* |got - wanted| <= tolerance */
#define is_near(got, wanted, tolerance, name) \
	tap_is_near(__FILE__, __LINE__, (got), (wanted), (tolerance), (name))

bool tap_ok(const char *file, int line, bool, const char *text,
    const char *name);
bool tap_is_int(const char *file, int line, long long got, long long wanted,
    const char *name);
bool tap_is_str(const char *file, int line, const char *got, const char *wanted,
    const char *name);
bool tap_is_near(const char *file, int line, double got, double wanted,
    double tolerance, const char *name);
/* Print "ok N # SKIP REASON" for a check that this machine cannot do. */
void tap_skip(const char *name, const char *reason);
/* Return a new directory, removed after the test; the name is the same for the
   whole run.  It is below $TEST_SHM (tests/one; other users may pass), else
   /dev/shm, $TMPDIR or /tmp.  Ends the program on failure. */
const char *tap_directory(void);
/* Return the amount of work of a long test: `all` with FULL=1, else `few`. */
int tap_amount(int few, int all);
/* Print the plan; return the exit status, 0 if all checks passed. */
int tap_done(void);

#endif
