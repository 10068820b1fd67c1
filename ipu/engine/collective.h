/*
 * Collectives over the replicas of one job: barrier and a sum of float
 * vectors whose order of additions is fixed (replica 0, 1, 2, ...), so that
 * every replica holds the same bits.
 *
 * The replicas of one process are threads; those of other instances meet in
 * shared memory that poprun made: IPUBOX_COLLECTIVE names it (a memory file of
 * the keeper, as /proc/PID/fd/N, or a file).  Without that variable a job is
 * one process.
 *
 * The file: zeroes when the job starts.  Its owner makes it
 * COLLECTIVE_BYTES large (sparse); what stands inside is this module's own.
 */
#ifndef IPU_ENGINE_COLLECTIVE_H
#define IPU_ENGINE_COLLECTIVE_H

#include <stddef.h>

#include "core/base/error.h"

#define COLLECTIVE_VARIABLE	"IPUBOX_COLLECTIVE"
#define COLLECTIVE_BYTES	((size_t)1 << 30)

#endif
