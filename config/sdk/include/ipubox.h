/*
 * Devices for C: a program attaches to IPUs and holds them as long as it lives.
 * An ipubox process, a child of the program, holds the locks for it;
 * gc-monitor(1) shows the program.  See popdist(3).
 *
 * All functions may be called by several threads at the same time.  A function
 * that fails returns -1 or NULL; ipubox_error_text() says why.
 */
#ifndef IPUBOX_H
#define IPUBOX_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A device that the program has attached to. */
struct ipubox_device;

/* Return the last error of the calling thread; "" if it had none.  It may have
   several lines.  The text belongs to the library and is valid until the
   thread's next error. */
const char	*ipubox_error_text(void);
/* Return its kind: "invalid", "not-found", "busy" (another program holds an IPU
   of the device), "unavailable" (ipubox was not found or has ended), "failed",
   or "". */
const char	*ipubox_error_word(void);

/*
 * Attach to the device `device_id`; -1: to that of this instance, or outside
 * poprun to any free one of this size.  `ipus` is the number of its IPUs; 0:
 * any size, and with -1 local replicas x IPUs per replica.  A device that
 * popdist_device_id() already holds is used.  Fails at once if another program
 * holds an IPU of the device, with PopTorch's error: "Failed to acquire 4
 * IPU(s)" and the reason on a second line.
 *
 * The program holds the device until it detaches or ends, however it ends.  A
 * process that was forked from the program cannot use the device.
 */
struct ipubox_device	*ipubox_attach(int ipus, int device_id);
/* Release the device and free its memory.  NULL is fine. */
int		 ipubox_detach(struct ipubox_device *);

/* Return the id of the device, and the number of its IPUs.  Do not fail. */
int		 ipubox_device_id(const struct ipubox_device *);
int		 ipubox_ipu_count(const struct ipubox_device *);
/* Return its graph compile domain. */
int		 ipubox_gcd(const struct ipubox_device *);

/*
 * Read the attributes that `gc-info --device-info` prints, and return their
 * number.  Names and values that were read before are no longer valid.
 */
int		 ipubox_read_attributes(struct ipubox_device *);
/* Return the name and the value of the attribute with this index, as they were
   read; NULL if it does not exist.  They belong to the device. */
const char	*ipubox_attribute_name(const struct ipubox_device *, int index);
const char	*ipubox_attribute_value(const struct ipubox_device *,
		    int index);
/* Return the value of an attribute; the first call reads all.  NULL if that
   fails or no attribute has this name. */
const char	*ipubox_attribute(struct ipubox_device *, const char *name);

/* Return 0 if no IPU has an error and their machine is up. */
int		 ipubox_check(struct ipubox_device *);

#ifdef __cplusplus
}
#endif

#endif
