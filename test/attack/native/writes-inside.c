/* What a box may and may not make where it may write, and in what it only shows. */
#include <linux/stat.h>

#include "attack.h"

#define FOLDER_FLAG 0200000

static long write_own(const struct world *world)
{
    return make_in(world->work, 0, 0600);
}

static long write_protected(const struct world *world)
{
    return make_in(world->protected, 0, 0600);
}

/* Moves the protected folder's parent away, to put another in its place. */
static long replace_protected(const struct world *world)
{
    return rename_between(world->protected, joined(world->work, "m-away"), 0);
}

static long write_system(const struct world *world)
{
    (void)world;
    return close_if_open(kernel(openat, AT_FDCWD, "/usr", O_WRONLY_ | O_TMPFILE_BIT_ | FOLDER_FLAG, 0600));
}

static long write_root(const struct world *world)
{
    (void)world;
    return close_if_open(kernel(openat, AT_FDCWD, "/", O_WRONLY_ | O_TMPFILE_BIT_ | FOLDER_FLAG, 0600));
}

static long write_temporary(const struct world *world)
{
    (void)world;
    return make_in("/tmp", 0, 0600);
}

static long write_kernel_setting(const struct world *world)
{
    (void)world;
    return close_if_open(
        kernel(openat, AT_FDCWD, "/proc/sys/kernel/core_pattern", O_WRONLY_ | O_CLOEXEC_));
}

static long make_fifo(const struct world *world)
{
    const char *path = joined(world->work, "m-fifo");
    long result = kernel(mknodat, AT_FDCWD, path, S_IFIFO | 0600, 0);
    kernel(unlinkat, AT_FDCWD, path, 0);
    return result;
}

static long make_device(const struct world *world)
{
    const char *path = joined(world->work, "m-device");
    long result = kernel(mknodat, AT_FDCWD, path, S_IFCHR | 0600, 0x103);
    kernel(unlinkat, AT_FDCWD, path, 0);
    return result;
}

static long make_set_user_file(const struct world *world)
{
    return make_in(world->work, 0, 04755);
}

static long make_own_set_user(const struct world *world)
{
    const char *path = joined(world->work, "own");
    long result = kernel(fchmodat, AT_FDCWD, path, 04755);
    if (result >= 0)
        kernel(fchmodat, AT_FDCWD, path, 0644);
    return result;
}

static long give_file_capability(const struct world *world)
{
    static const unsigned capability[5] = {0x02000001, 0xffffffff, 0, 0, 0};
    const char *path = joined(world->work, "own");
    long result = kernel(setxattr, path, "security.capability", capability, sizeof capability, 0);
    kernel(removexattr, path, "security.capability");
    return result;
}

static long exceed_file_size(const struct world *world)
{
    const char *path = joined(world->work, "m-large");
    long fd = kernel(openat, AT_FDCWD, path, O_WRONLY_ | O_CREAT_ | O_CLOEXEC_, 0600);
    if (fd < 0)
        return fd;
    kernel(unlinkat, AT_FDCWD, path, 0);
    return kernel(ftruncate, fd, 1L << 40);
}

const struct attempt inside_attempts[] = {
    {"write-own", write_own},
    {"write-protected", write_protected},
    {"replace-protected", replace_protected},
    {"write-system", write_system},
    {"write-root", write_root},
    {"write-temporary", write_temporary},
    {"write-kernel-setting", write_kernel_setting},
    {"make-fifo", make_fifo},
    {"make-device", make_device},
    {"make-set-user-file", make_set_user_file},
    {"make-own-set-user", make_own_set_user},
    {"give-file-capability", give_file_capability},
    {"exceed-file-size", exceed_file_size},
};

const size_t inside_attempt_count = COUNT(inside_attempts);
