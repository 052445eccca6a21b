/*
 * A folder that was removed outside stays in the command's view as one that can't be read, as long as the kernel remembers its
 * name. Mounting the view anew with what it has already makes the kernel forget all names that nobody holds.
 */
#ifndef BULKHEAD_REFRESH_H
#define BULKHEAD_REFRESH_H

#include "kernel.h"

/*
 * In init, while it has the rights over the mount at `work`: starts a process which keeps them, and can do nothing else by the time
 * this returns: before any command begins. The end of a line to it for refresh(), or -1 if the kernel has no such thing. In the
 * process itself it does not return.
 */
int refresh_start(const char *work);
/* 0 or -errno. */
long refresh(int line);

#endif
