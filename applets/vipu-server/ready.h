/*
 * Telling a service manager how the server is: sd_notify(3), without its
 * library.
 */
#ifndef APPLETS_VIPU_SERVER_READY_H
#define APPLETS_VIPU_SERVER_READY_H

/*
 * One datagram, "READY=1" or "STOPPING=1", to the socket that $NOTIFY_SOCKET
 * names: a path, or "@NAME".  Nothing where there is none.
 */
void	ready_notify(const char *state);

#endif
