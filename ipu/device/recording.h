/*
 * Recordings: the looks of gc-monitor at a pod, over time, in a file.  A look
 * has only the values that changed since the one before it, as a message of the
 * wire; gc-monitor(1) has the format.  Files may come from strangers.
 *
 * A look of a recording is a device_look like any other, so tools print it as
 * they print a pod.  Its moment is the present, and the recorder is the reader.
 */
#ifndef IPU_DEVICE_RECORDING_H
#define IPU_DEVICE_RECORDING_H

#include "ipu/device/visible_devices.h"

struct recording;

/* Create the file, which must not exist.  With `commands`, record the whole
   command lines that this user may see, else the programs' names.  The caller
   closes it with recording_close(). */
struct recording *recording_create(const char *path, bool commands,
    struct error *);

/* Append a look by one write(2), so that the file is whole at any time.  -1:
   the file cannot be written; the caller still closes the recording. */
int recording_add(struct recording *, const struct device_look *,
    struct error *);

/* Open a file for reading.  NULL: it cannot be read, or is not a recording. */
struct recording *recording_open(const char *path, struct error *);
/* Close it; NULL is fine. */
void recording_close(struct recording *);

/* Read the next look.  Returns 1, or 0 at the end of the file.  -1: the file is
   damaged or cut off; the error names it. */
int recording_step(struct recording *, struct error *);
/* Return the moment of the look that was read last, CLOCK_REALTIME; 0 before
   the first. */
int64_t recording_now_ns(const struct recording *);
/* Open the look that was read last; `all` as in device_look_open(). */
int recording_look(const struct recording *, bool all, struct device_look *,
    struct error *);

/*
 * Open a recording at one of its looks (replay.c).  "FILE" means the last one
 * or, with `from_start`, the first.  "FILE@SECONDS" means the first one that is
 * at least so many seconds after the first of the file, else the last.
 * "FILE@loop" plays all looks again and again: the clock chooses one.  The
 * caller closes it.  Errors begin with `what` ("--replay").
 */
struct recording *replay_open(const char *what, const char *text,
    bool from_start, struct error *);

/* Open only that look. */
int replay_show(const char *what, const char *text, bool all,
    struct device_look *, struct error *);

#endif
