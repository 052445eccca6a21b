/* Descriptors that are sent to another process, over a unix socket. */
#ifndef BULKHEAD_PASS_H
#define BULKHEAD_PASS_H

#include "kernel.h"

/* Sends `size` bytes and, unless it is -1, a descriptor; the kernel's answer. */
long pass_send(int line, const void *bytes, size_t size, int descriptor);
/* Takes as much, closed at exec; `descriptor` is -1 if none came. The kernel's answer. */
long pass_take(int line, void *bytes, size_t size, int *descriptor);

#endif
