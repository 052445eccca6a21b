/* Each attempt at something outside has an object of its own there, `closed/v-NAME`; what it makes is `closed/m-NAME`. */
#include <linux/openat2.h>
#include <linux/stat.h>

#include "attack.h"

#define NOBODY_ID 65534
#define EXCHANGE 2
#define SHARED 1
#define READ_AND_WRITE 3
#define FOLDER_FLAG 0200000

long close_if_open(long fd)
{
    if (fd >= 0)
        kernel(close, fd);
    return fd < 0 ? fd : 0;
}

static long open_victim(const struct world *world, const char *name, int flags)
{
    return kernel(openat, AT_FDCWD, joined(world->closed, name), flags | O_CLOEXEC_);
}

long make_in(const char *folder, int flags, int mode)
{
    const char *path = joined(folder, "m-file");
    long fd = kernel(openat, AT_FDCWD, path, O_WRONLY_ | O_CREAT_ | O_EXCL_ | O_CLOEXEC_ | flags, mode);
    if (fd >= 0)
        kernel(unlinkat, AT_FDCWD, path, 0);
    return close_if_open(fd);
}

static long write_open(const struct world *world)
{
    return close_if_open(open_victim(world, "v-write-open", O_WRONLY_));
}

static long write_creat(const struct world *world)
{
    return make_in(world->closed, 0, 0600);
}

static long write_openat2(const struct world *world)
{
    struct open_how how = {.flags = O_WRONLY_ | O_CLOEXEC_};
    return close_if_open(
        kernel(openat2, AT_FDCWD, joined(world->closed, "v-write-openat2"), &how, sizeof how));
}

static long write_by_cutting(const struct world *world)
{
    return close_if_open(open_victim(world, "v-write-by-cutting", O_RDONLY_ | O_TRUNC_));
}

static long write_truncate(const struct world *world)
{
    return kernel(truncate, joined(world->closed, "v-write-truncate"), 0);
}

static long write_nameless(const struct world *world)
{
    return close_if_open(kernel(openat, AT_FDCWD, world->closed, O_WRONLY_ | O_TMPFILE_BIT_ | FOLDER_FLAG, 0600));
}

static long write_mkdir(const struct world *world)
{
    const char *path = joined(world->closed, "m-folder");
    long result = kernel(mkdirat, AT_FDCWD, path, 0700);
    kernel(unlinkat, AT_FDCWD, path, 0x200);
    return result;
}

static long write_symlink(const struct world *world)
{
    const char *path = joined(world->closed, "m-link");
    long result = kernel(symlinkat, "anywhere", AT_FDCWD, path);
    kernel(unlinkat, AT_FDCWD, path, 0);
    return result;
}

static long write_fifo(const struct world *world)
{
    const char *path = joined(world->closed, "m-fifo");
    long result = kernel(mknodat, AT_FDCWD, path, S_IFIFO | 0600, 0);
    kernel(unlinkat, AT_FDCWD, path, 0);
    return result;
}

/* A name in the box's folder for a file outside. */
static long link_in(const struct world *world)
{
    const char *path = joined(world->work, "m-stolen");
    long result = kernel(linkat, AT_FDCWD, world->secret, AT_FDCWD, path, 0);
    if (result >= 0)
        loot_path(path);
    kernel(unlinkat, AT_FDCWD, path, 0);
    return result;
}

static long link_handle_in(const struct world *world)
{
    const char *path = joined(world->work, "m-stolen-handle");
    long fd = kernel(openat, AT_FDCWD, world->secret, O_PATH_ | O_CLOEXEC_);
    if (fd < 0)
        return fd;
    long result = kernel(linkat, fd, "", AT_FDCWD, path, AT_EMPTY_PATH);
    kernel(unlinkat, AT_FDCWD, path, 0);
    return result;
}

static long link_out(const struct world *world)
{
    const char *path = joined(world->closed, "m-linked");
    long result = kernel(linkat, AT_FDCWD, joined(world->work, "own"), AT_FDCWD, path, 0);
    kernel(unlinkat, AT_FDCWD, path, 0);
    return result;
}

long rename_between(const char *from, const char *to, unsigned flags)
{
    long result = kernel(renameat2, AT_FDCWD, from, AT_FDCWD, to, flags);
    if (result >= 0)
        kernel(renameat2, AT_FDCWD, to, AT_FDCWD, from, flags);
    return result;
}

static long rename_out(const struct world *world)
{
    return rename_between(joined(world->work, "own"), joined(world->closed, "m-moved"), 0);
}

static long rename_in(const struct world *world)
{
    return rename_between(joined(world->closed, "v-rename-in"), joined(world->work, "m-moved"), 0);
}

static long rename_exchange(const struct world *world)
{
    return rename_between(joined(world->closed, "v-rename-exchange"), joined(world->work, "own"), EXCHANGE);
}

static long remove_file(const struct world *world)
{
    return kernel(unlinkat, AT_FDCWD, joined(world->closed, "v-remove-file"), 0);
}

static long remove_folder(const struct world *world)
{
    return kernel(unlinkat, AT_FDCWD, joined(world->closed, "v-remove-folder"), 0x200);
}

static long map_shared(const struct world *world)
{
    long fd = open_victim(world, "v-map-shared", O_RDWR_);
    if (fd < 0)
        return fd;
    long at = kernel(mmap, NULL, 4096, READ_AND_WRITE, SHARED, fd, 0);
    kernel(close, fd);
    if (at < 0 && at > -4096)
        return at;
    *(volatile char *)at = 'x';
    return 0;
}

static long copy_range(const struct world *world)
{
    long from = kernel(openat, AT_FDCWD, joined(world->work, "own"), O_RDONLY_);
    long to = open_victim(world, "v-copy-range", O_WRONLY_);
    long result = to < 0 ? to : kernel(copy_file_range, from, NULL, to, NULL, 1, 0);
    kernel(close, from);
    kernel(close, to);
    return result;
}

static long splice_out(const struct world *world)
{
    int ends[2];
    long to = open_victim(world, "v-splice", O_WRONLY_);
    if (to < 0)
        return to;
    kernel(pipe2, ends, O_CLOEXEC_);
    kernel(write, ends[1], "x", 1);
    return kernel(splice, ends[0], NULL, to, NULL, 1, 0);
}

static long change_mode(const struct world *world)
{
    return kernel(fchmodat, AT_FDCWD, joined(world->closed, "v-mode"), 0777);
}

static long change_mode_by_handle(const struct world *world)
{
    char path[64] = "/proc/self/fd/";
    long fd = open_victim(world, "v-mode", O_PATH_);
    if (fd < 0)
        return fd;
    text_append_number(path, sizeof path, fd);
    return kernel(fchmodat, AT_FDCWD, path, 0755);
}

static long change_owner(const struct world *world)
{
    return kernel(fchownat, AT_FDCWD, joined(world->closed, "v-owner"), NOBODY_ID, NOBODY_ID, 0);
}

static long change_times(const struct world *world)
{
    static const long times[4] = {1, 0, 1, 0};
    return kernel(utimensat, AT_FDCWD, joined(world->closed, "v-times"), times, 0);
}

static long change_attributes(const struct world *world)
{
    return kernel(setxattr, joined(world->closed, "v-attributes"), "user.attack", "x", 1, 0);
}

static long change_by_closed_link(const struct world *world)
{
    const char *link = joined(world->work, "m-way-out");
    long made = kernel(symlinkat, world->closed, AT_FDCWD, link);
    if (made < 0)
        return made;
    long result = make_in(link, 0, 0600);
    kernel(unlinkat, AT_FDCWD, link, 0);
    return result;
}

const struct attempt write_attempts[] = {
    {"write-open", write_open},
    {"write-creat", write_creat},
    {"write-openat2", write_openat2},
    {"write-by-cutting", write_by_cutting},
    {"write-truncate", write_truncate},
    {"write-nameless", write_nameless},
    {"write-mkdir", write_mkdir},
    {"write-symlink", write_symlink},
    {"write-fifo", write_fifo},
    {"link-in", link_in},
    {"link-handle-in", link_handle_in},
    {"link-out", link_out},
    {"rename-out", rename_out},
    {"rename-in", rename_in},
    {"rename-exchange", rename_exchange},
    {"remove-file", remove_file},
    {"remove-folder", remove_folder},
    {"map-shared", map_shared},
    {"copy-range", copy_range},
    {"splice", splice_out},
    {"change-mode", change_mode},
    {"change-mode-by-handle", change_mode_by_handle},
    {"change-owner", change_owner},
    {"change-times", change_times},
    {"change-attributes", change_attributes},
    {"change-by-closed-link", change_by_closed_link},
};

const size_t write_attempt_count = COUNT(write_attempts);
