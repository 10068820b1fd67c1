/*
 * Carries out the messages of a job's programs: it passes each to the rules of
 * collective_table, and does and answers what they decide.  For
 * collective_server.c alone.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_SERVICE_H
#define CORE_COLLECTIVE_COLLECTIVE_SERVICE_H

#include "core/collective/collective_connection.h"
#include "core/collective/collective_table.h"

struct collective_service {
	struct collective_table *table;
	unsigned char *scratch; /* COLLECTIVE_MESSAGE_MAX bytes, for a sum */
};

/* Begin for a job of `instances` instances.  The service must not move in
   memory. */
void collective_service_init(struct collective_service *, int instances);
void collective_service_release(struct collective_service *);

/* Handle the message with this head and body.  A violation of the protocol is
   rejected as by collective_service_reject(), so look at `over` afterwards. */
void collective_service_take(struct collective_service *,
    struct collective_connection *, const struct collective_head *,
    const unsigned char *body);

/* Answer with COLLECTIVE_MALFORMED and the text, and set the connection's
   `over`; the caller then ends it. */
void collective_service_reject(struct collective_connection *, uint32_t request,
    const char *text);

#endif
