#include "process.h"

#define IGNORE ((void (*)(int))1)
/* A write that takes nothing would be tried for ever. */
#define INPUT_OUTPUT_ERROR 5

int exit_status(int status)
{
    return (status & 0x7f) ? 128 + (status & 0x7f) : (status >> 8) & 0xff;
}

void ignore_signal(int signal)
{
    struct {
        void (*handler)(int);
        unsigned long flags;
        void (*restorer)(void);
        unsigned long mask;
    } action = {IGNORE, 0, NULL, 0};
    kernel(rt_sigaction, signal, &action, NULL, sizeof action.mask);
}

long write_all(int fd, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        long written = kernel(write, fd, at, size);
        if (written == -EINTR_)
            continue;
        if (written <= 0)
            return written < 0 ? written : -INPUT_OUTPUT_ERROR;
        at += written;
        size -= (size_t)written;
    }
    return 0;
}
