#include "unlinked.h"

#include <linux/openat2.h>
#include <linux/stat.h>

#include "text.h"

/* `folder`'s own entry `name`, not what a link of that name leads to. Closes `folder`. */
static long step(long folder, const char *name)
{
    struct statx facts;
    long fd = kernel(openat, folder, name, O_PATH_ | O_NOFOLLOW | O_CLOEXEC_);
    kernel(close, folder);
    if (fd < 0)
        return fd;
    long result = kernel(statx, fd, "", AT_EMPTY_PATH, STATX_TYPE, &facts);
    if (result >= 0 && (facts.stx_mode & S_IFMT) == S_IFLNK)
        result = -ELOOP_;
    if (result >= 0)
        return fd;
    kernel(close, fd);
    return result;
}

/* The same where the call is kept from us. */
static long walk(int folder, const char *start, const char *path)
{
    char name[PATH_BYTES];
    long fd = kernel(openat, folder, start, O_PATH_ | O_CLOEXEC_);
    while (fd >= 0) {
        size_t length = 0;
        while (*path == '/')
            path++;
        if (*path == 0)
            break;
        for (; *path != 0 && *path != '/'; path++) {
            if (length + 1 == sizeof name) {
                kernel(close, fd);
                return -ENAMETOOLONG_;
            }
            name[length++] = *path;
        }
        name[length] = 0;
        fd = step(fd, name);
    }
    return fd;
}

static long open_plain(int folder, const char *start, const char *path)
{
    /* Without O_NOFOLLOW, which together with O_PATH would open a link at the end instead of refusing it. */
    struct open_how how = {.flags = O_PATH_ | O_CLOEXEC_, .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
    long fd = kernel(openat2, folder, *path == 0 ? start : path, &how, sizeof how);
    return fd == -ENOSYS_ ? walk(folder, start, path) : fd;
}

long open_unlinked(const char *path)
{
    return open_plain(AT_FDCWD, "/", path);
}

long open_unlinked_below(int folder, const char *path)
{
    return open_plain(folder, ".", path);
}
