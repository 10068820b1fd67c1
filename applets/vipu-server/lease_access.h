/*
 * Who may hold devices through the server: whoever sees their partition.
 */
#ifndef APPLETS_VIPU_SERVER_LEASE_ACCESS_H
#define APPLETS_VIPU_SERVER_LEASE_ACCESS_H

#include "ipu/device/device.h"

struct daemon;

/* The options of the daemon's leases. */
struct lease_service_options	lease_access_options(struct daemon *);

#endif
