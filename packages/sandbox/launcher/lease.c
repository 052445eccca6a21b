#include "lease.h"

#include <linux/time_types.h>

#include "process.h"

#define SET_LEASE 1024
#define GET_LEASE 1025
#define READ_LEASE 0
#define NO_LEASE 2
/* Tells of an attempt to write a leased file, and would end this process. */
#define SIGIO_ 29
/* What ended inside the box may let go of its files a moment later: so many milliseconds are waited in all. */
#define PATIENCE 100

static long take(int fd)
{
    static int patience = PATIENCE;
    struct __kernel_timespec pause = {0, 1000000};
    for (;;) {
        long result = kernel(fcntl, fd, SET_LEASE, READ_LEASE);
        if (result != -EAGAIN_ || patience == 0)
            return result;
        patience--;
        kernel(clock_nanosleep, 1, 0, &pause, NULL);
    }
}

long lease_take(int folder, const char *name, const struct object *expected)
{
    struct object found;
    ignore_signal(SIGIO_);
    long fd = kernel(openat, folder, name, O_RDONLY_ | O_NOFOLLOW | O_CLOEXEC_ | O_NONBLOCK_);
    if (fd < 0)
        return fd;
    long result = object_of((int)fd, &found);
    if (result >= 0)
        result = object_same(&found, expected) ? take((int)fd) : -ENOENT_;
    if (result < 0) {
        kernel(close, fd);
        return result;
    }
    return fd;
}

long lease_could_be_had(int folder, const char *name, const struct object *expected)
{
    struct object found;
    ignore_signal(SIGIO_);
    long fd = kernel(openat, folder, name, O_RDONLY_ | O_NOFOLLOW | O_CLOEXEC_ | O_NONBLOCK_);
    if (fd < 0)
        return fd;
    long result = object_of((int)fd, &found);
    if (result >= 0)
        result = object_same(&found, expected) ? kernel(fcntl, fd, SET_LEASE, READ_LEASE) : -EAGAIN_;
    lease_end((int)fd);
    return result;
}

int lease_unbroken(int fd)
{
    return kernel(fcntl, fd, GET_LEASE) == READ_LEASE;
}

void lease_end(int fd)
{
    kernel(fcntl, fd, SET_LEASE, NO_LEASE);
    kernel(close, fd);
}
