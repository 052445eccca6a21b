/*
 * Read leases: the kernel grants one only while no program has the file open, or mapped, to write it. Readers keep the old content,
 * as with any file that is replaced by its name; a running program is one of them.
 */
#ifndef BULKHEAD_LEASE_H
#define BULKHEAD_LEASE_H

#include "object.h"

/*
 * Opens `name` in `folder`, which must still be `expected`, and takes a lease on it.
 * The descriptor; -EAGAIN if somebody has it open to write it, -ENOENT if it is another object by now, else -errno.
 */
long lease_take(int folder, const char *name, const struct object *expected);
/* Whether one could be had of the file now: 0, -EAGAIN if somebody has it open or mapped to write it, else -errno. */
long lease_could_be_had(int folder, const char *name, const struct object *expected);
/* True if nobody has tried to open the file for writing since. */
int lease_unbroken(int fd);
void lease_end(int fd);

#endif
