/*
 * Users and changes of them as messages of ipubox.v1, and back.  Messages that
 * are filled are zeroed before; rpc_message_release() frees what they hold.
 */
#ifndef CORE_SERVER_WIRE_USER_H
#define CORE_SERVER_WIRE_USER_H

#include <ipubox_v1.pb.h>

#include "core/base/error.h"
#include "core/control/control.h"
#include "core/pod/pod.h"

/* The hash of the key does not travel: it is "" on the other side. */
void	wire_user_put(const struct user *, ipubox_v1_User *);
int	wire_user_get(const ipubox_v1_User *, struct user *, struct error *);

void	wire_user_put_change(const struct user_change *,
	    ipubox_v1_UserChange *);
/* The texts are those of the message, and last as long. */
void	wire_user_get_change(const ipubox_v1_UserChange *,
	    struct user_change *);

#endif
