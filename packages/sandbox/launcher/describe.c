#include "describe.h"

#include "filter.h"
#include "system-paths.h"

static int print(const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        long written = kernel(write, 1, at, size);
        if (written == -EINTR_)
            continue;
        if (written <= 0)
            return 1;
        at += written;
        size -= (size_t)written;
    }
    return 0;
}

int describe_system_paths(void)
{
    for (size_t index = 0; index < COUNT(system_paths); index++)
        if (print(system_paths[index], text_length(system_paths[index]) + 1) != 0)
            return 1;
    return 0;
}

int describe_shell_filter(void)
{
    static struct filter filter;
    filter_begin(&filter);
    filter_shell(&filter);
    return print(filter.code, filter.length * sizeof *filter.code);
}
