/*
 * All slots of a registry at one moment, for who shows many IPUs: a copy of the
 * file in a few pieces, of which is kept what is asked for.
 */
#ifndef CORE_STATE_SLOTS_FROZEN_H
#define CORE_STATE_SLOTS_FROZEN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/state/slots.h"

struct slots_frozen;

/*
 * Copy the slots of that many IPUs; now_ns is CLOCK_REALTIME.  What cannot be
 * read is as if it was 0.  The caller frees it; NULL is fine.
 */
struct slots_frozen *slots_frozen_new(const struct slots *, int ipus,
	    int64_t now_ns);
void	slots_frozen_free(struct slots_frozen *);

/* Whether a holder was announced of the IPU. */
bool	slots_frozen_is_held(const struct slots_frozen *, int ipu);
/* Not held, whatever was seen: its partition is another one meanwhile. */
void	slots_frozen_forget(struct slots_frozen *, int ipu);
uint32_t slots_frozen_faults(const struct slots_frozen *, int ipu);
/*
 * A copy of a slot; the ring of an IPU that has not computed in the last two
 * minutes is 0.
 */
void	slots_frozen_read(const struct slots_frozen *, int ipu,
	    struct ipu_slot *);

#endif
