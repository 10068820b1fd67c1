/*
 * The ipubox that wrote this SDK, by its absolute path: a program uses it where
 * IPUBOX_FILE names none.  ipubox --install-sdk fills it in, and Python reads
 * it as well.
 */
#define IPUBOX_WRITTEN_BY ""
