/*
 * Recordings: what gc-info and gc-monitor see of a pod, over time, in a file.
 * gc-monitor(1) has the format, which is that of the wire: a look has only
 * what changed since the one before it.  Files may come from strangers.
 *
 * A look of a recording is a device_look like any other, so tools print it as
 * they print a pod: with its moment as the present, and with the recorder as
 * the reader.
 */
#ifndef IPU_DEVICE_RECORDING_H
#define IPU_DEVICE_RECORDING_H

#include "ipu/device/visible_devices.h"

struct recording;

/* Create the file, which must not exist.  With `commands` looks have the whole
   command lines that this user may see, else the programs' names.  The caller
   closes it with recording_close(). */
struct recording *recording_create(const char *path, bool commands,
    struct error *);

/* Append a look by one write(2), so that the file is whole at any time.  -1:
   the file cannot be written; it is then closed by recording_close() as
   usual. */
int recording_add(struct recording *, const struct device_look *,
    struct error *);

/* Open a file for reading. */
struct recording *recording_open(const char *path, struct error *);
/* Close it; NULL is fine. */
void recording_close(struct recording *);

/* Read the next look.  Returns 1, 0 at the end of the file, or -1, with a
   sentence that names the file: not a recording, damaged, or cut off. */
int recording_step(struct recording *, struct error *);
/* Return the moment of the look that was read last, CLOCK_REALTIME; 0: none was
   read yet. */
int64_t recording_now_ns(const struct recording *);
/* Open the look that was read last; `all` as in device_look_open(). */
int recording_look(const struct recording *, bool all, struct device_look *,
    struct error *);

/*
 * Open the look that "FILE", "FILE@SECONDS" or "FILE@loop" means: the last one,
 * the first one after that many seconds, or, by the clock, all of them again
 * and again (replay.c).  Errors begin with `what` ("--replay").
 */
int replay_show(const char *what, const char *text, bool all,
    struct device_look *, struct error *);

/* Open the file for its looks from that moment on, of which it reads the first;
   "FILE" is from the start.  *r is NULL for "FILE@loop", of which each
   replay_show() is another look. */
int replay_open(const char *what, const char *text, struct recording **r,
    struct error *);

#endif
