/*
 * Releases that an emulated IPU-Machine says it runs.
 */
#ifndef CORE_POD_VERSIONS_H
#define CORE_POD_VERSIONS_H

#define GATEWAY_VERSION		"2.4.2"
#define MACHINE_VERSION		"2.5.0"
#define IPUOF_SERVER_VERSION	"1.9.0"

#endif
