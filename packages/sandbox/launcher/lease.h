/* Write leases: the kernel grants one only while no other program has the file open or mapped, for whatever. */
#ifndef BULKHEAD_LEASE_H
#define BULKHEAD_LEASE_H

#include "object.h"

/*
 * Opens `name` in `folder`, which must still be `expected`, and takes a write lease on it.
 * The descriptor; -EAGAIN if somebody has it open, -ENOENT if it is another object by now, else -errno.
 */
long lease_take(int folder, const char *name, const struct object *expected);
/* True if nobody has tried to open the file since. */
int lease_unbroken(int fd);
void lease_end(int fd);

#endif
