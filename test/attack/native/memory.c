#include "attack.h"

#define HIGHEST_DESCRIPTOR 1024
#define AUXILIARY_BYTES 8192
#define MAP_LINES 65536

/* Descriptors left open by whoever launched. Reads them from the start: they may hold something. */
static long use_inherited_descriptors(const struct world *world)
{
    static char buffer[4096];
    long found = -EBADF_;
    (void)world;
    for (long fd = 4; fd < HIGHEST_DESCRIPTOR; fd++) {
        if (kernel(fcntl, fd, 3, 0) < 0)
            continue;
        long got = kernel(pread64, fd, buffer, sizeof buffer, 0);
        if (got > 0)
            kernel(write, 2, buffer, got);
        found = fd;
    }
    return found;
}

static long show_environment(const struct world *world)
{
    long found = -ENOENT_;
    for (char **at = world->environment; *at != NULL; at++) {
        kernel(write, 2, *at, text_length(*at) + 1);
        found = 0;
    }
    return found;
}

/* The end of the stack as the kernel made it: auxiliary vector, arguments, environment, name of the program. */
static long show_start_of_stack(const struct world *world)
{
    const char *from = (const char *)(uintptr_t)world->environment;
    kernel(write, 2, from, AUXILIARY_BYTES / 4);
    return 0;
}

static const char *read_hex(const char *text, unsigned long *value)
{
    *value = 0;
    for (;; text++) {
        unsigned digit = *text >= '0' && *text <= '9'   ? (unsigned)(*text - '0')
                         : *text >= 'a' && *text <= 'f' ? (unsigned)(*text - 'a' + 10)
                                                        : 16;
        if (digit == 16)
            return text;
        *value = *value * 16 + digit;
    }
}

/* Everything mapped: what the launcher left behind in this process would be here. */
static long show_all_memory(const struct world *world)
{
    static char maps[MAP_LINES];
    unsigned long from, to;
    long got;
    size_t length = 0;
    (void)world;
    long fd = kernel(openat, AT_FDCWD, "/proc/self/maps", O_RDONLY_ | O_CLOEXEC_);
    if (fd < 0)
        return fd;
    while ((got = kernel(read, fd, maps + length, sizeof maps - 1 - length)) > 0)
        length += (size_t)got;
    kernel(close, fd);
    maps[length] = 0;
    for (const char *at = maps; *at != 0; at++) {
        at = read_hex(at, &from);
        at = read_hex(at + 1, &to);
        /* Above lie the kernel's own pages, which can't be written from. */
        if (at[1] == 'r' && from < 0x7fff00000000UL + 0xffffffffUL)
            kernel(write, 2, from, to - from);
        while (*at != 0 && *at != '\n')
            at++;
        if (*at == 0)
            break;
    }
    return 0;
}

const struct attempt memory_attempts[] = {
    {"use-inherited-descriptors", use_inherited_descriptors},
    {"show-environment", show_environment},
    {"show-start-of-stack", show_start_of_stack},
    {"show-all-memory", show_all_memory},
};

const size_t memory_attempt_count = COUNT(memory_attempts);
