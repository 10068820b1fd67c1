/*
 * What the messages of a job's programs do: each goes to the rules of
 * collective_table, and what these decide is done and answered.  For
 * collective_server.c alone.
 */
#ifndef CORE_COLLECTIVE_COLLECTIVE_SERVICE_H
#define CORE_COLLECTIVE_COLLECTIVE_SERVICE_H

#include <stdint.h>

#include "core/collective/collective_connection.h"
#include "core/collective/collective_message.h"
#include "core/collective/collective_table.h"

struct collective_service {
	struct collective_table *table;
	unsigned char *scratch; /* a result for messages */
};

/* For a job of so many instances; the service does not move. */
void collective_service_init(struct collective_service *, int instances);
void collective_service_release(struct collective_service *);

/* A message has come; what is against the rules makes the connection over. */
void collective_service_take(struct collective_service *,
    struct collective_connection *, const struct collective_head *,
    const unsigned char *body);

/* The program does not keep the rules: it learns why, and is left. */
void collective_service_reject(struct collective_connection *, uint32_t request,
    const char *text);

#endif
