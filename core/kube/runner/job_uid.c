/*
 * Identities of objects.
 */
#include "core/kube/runner/job_uid.h"

#include <bsd/stdlib.h>

#include <stdint.h>
#include <stdio.h>

void
job_uid_draw(char uid[JOB_UID_SIZE])
{
	uint8_t	b[16];

	arc4random_buf(b, sizeof(b));
	b[6] = (uint8_t)((b[6] & 0x0f) | 0x40);		/* version 4 */
	b[8] = (uint8_t)((b[8] & 0x3f) | 0x80);		/* its variant */
	(void)snprintf(uid, JOB_UID_SIZE, "%02x%02x%02x%02x-%02x%02x-%02x%02x"
	    "-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1], b[2], b[3],
	    b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13],
	    b[14], b[15]);
}
