/*
 * Devices for C: a program takes IPUs and holds them as long as it lives.  A
 * child of the program, an ipubox, holds the locks for it; gc-monitor(1) shows
 * the program.  See popdist(3).
 *
 * All functions may be called by several threads at the same time.  Those that
 * return an int return -1 when they fail, and those that return a pointer NULL;
 * ipubox_error_text() says why.
 */
#ifndef IPUBOX_H
#define IPUBOX_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A device that the program has attached to. */
struct ipubox_device;

/* The last error of the calling thread: "" where there was none yet.  It may
   have several lines; the text is the library's, good until the thread's next
   error. */
const char	*ipubox_error_text(void);
/* One word: "invalid", "not-found", "busy" (somebody else holds an IPU of it),
   "unavailable" (there is no ipubox here) or "failed"; "" like the text. */
const char	*ipubox_error_word(void);

/*
 * Take device `device_id`; -1: the one of this instance, and outside poprun any
 * free one of that size.  `ipus` is the number of its IPUs; 0: whatever size
 * the device has, and with -1 local replicas x IPUs per replica.  What
 * popdist_device_id() holds already is taken from there.  Fails at once where
 * others hold an IPU of it, in PopTorch's words: "Failed to acquire 4 IPU(s)"
 * and, on a second line, why.
 *
 * The device is the program's until it detaches or ends, whatever ends it.  A
 * process that was forked from the program has no part in it.
 */
struct ipubox_device	*ipubox_attach(int ipus, int device_id);
/* Give it back and free what belongs to it.  NULL is fine. */
int		 ipubox_detach(struct ipubox_device *);

/* The id of the device, and the number of its IPUs.  Do not fail. */
int		 ipubox_device_id(const struct ipubox_device *);
int		 ipubox_ipu_count(const struct ipubox_device *);
/* The graph compile domain in which it is. */
int		 ipubox_gcd(const struct ipubox_device *);

/*
 * Ask for the attributes, those that `gc-info --device-info` prints.  Returns
 * how many there are.  What was read before is no longer valid.
 */
int		 ipubox_read_attributes(struct ipubox_device *);
/* The name and the value of the one with that index, as they were read; NULL
   where there is none.  They are the device's. */
const char	*ipubox_attribute_name(const struct ipubox_device *, int index);
const char	*ipubox_attribute_value(const struct ipubox_device *,
		    int index);
/* The value of an attribute, read now where none were read before; NULL also
   where there is none of that name. */
const char	*ipubox_attribute(struct ipubox_device *, const char *name);

/* 0 while all is well: no IPU has an error, and their machine is there. */
int		 ipubox_check(struct ipubox_device *);

#ifdef __cplusplus
}
#endif

#endif
