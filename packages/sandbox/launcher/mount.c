#include "mount.h"

#include <linux/mount.h>
#include <linux/stat.h>

#include "unlinked.h"

#define AT_RECURSIVE_ 0x8000
#define MOUNT_ROOT_ATTRIBUTE 0x2000

static void facts_of(int fd, const char *path, struct statx *facts)
{
    must(kernel(statx, fd, "", AT_EMPTY_PATH, STATX_TYPE, facts), "look at", path);
}

int is_folder(int fd, const char *path)
{
    struct statx facts;
    facts_of(fd, path, &facts);
    return (facts.stx_mode & S_IFMT) == S_IFDIR;
}

int mount_is_root(int point)
{
    struct statx facts;
    facts_of(point, NULL, &facts);
    return (facts.stx_attributes & MOUNT_ROOT_ATTRIBUTE) != 0;
}

int mount_copy(int folder, const char *path, unsigned flags, const char *step)
{
    unsigned self = path[0] == 0 ? AT_EMPTY_PATH : 0;
    long copy = kernel(open_tree, folder, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE_ | self);
    must(copy, step, path);
    struct mount_attr attributes = {.attr_set = MOUNT_ATTR_NOSUID};
    if ((flags & MOUNT_DEVICES) == 0)
        attributes.attr_set |= MOUNT_ATTR_NODEV;
    if ((flags & MOUNT_READ_ONLY) != 0)
        attributes.attr_set |= MOUNT_ATTR_RDONLY;
    if ((flags & MOUNT_NO_PROGRAMS) != 0)
        attributes.attr_set |= MOUNT_ATTR_NOEXEC;
    must(kernel(mount_setattr, copy, "", AT_EMPTY_PATH | AT_RECURSIVE_, &attributes, sizeof attributes),
         "restrict mount of", path);
    return (int)copy;
}

long mount_point(const char *path, enum links links)
{
    if (links == LINKS_REFUSED)
        return open_unlinked(path);
    return kernel(openat, AT_FDCWD, path, O_PATH_ | O_CLOEXEC_);
}

void mount_attach_open(int copy, int point, const char *path)
{
    must(kernel(move_mount, copy, "", point, "", MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_EMPTY_PATH),
         "mount", path);
    kernel(close, point);
}

void mount_attach(int copy, int point, const char *path)
{
    mount_attach_open(copy, point, path);
    kernel(close, copy);
}

static void set_option(int fs, const char *name, const char *value)
{
    must(kernel(fsconfig, fs, FSCONFIG_SET_STRING, name, value, 0), "set up an empty folder's", name);
}

int mount_nothing(void)
{
    int fs = (int)must(kernel(fsopen, "tmpfs", FSOPEN_CLOEXEC), "open an empty folder", NULL);
    set_option(fs, "mode", "0555");
    set_option(fs, "size", "4k");
    must(kernel(fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0), "make an empty folder", NULL);
    unsigned attributes = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
    int mounted = (int)must(kernel(fsmount, fs, FSMOUNT_CLOEXEC, attributes), "mount an empty folder", NULL);
    kernel(close, fs);
    return mounted;
}

void mount_empty(const char *path, const char *options)
{
    must(kernel(mount, "tmpfs", path, "tmpfs", MS_NOSUID | MS_NODEV, options), "mount empty folder", path);
}

void make_folders(const char *path, int mode)
{
    char part[PATH_BYTES];
    size_t length = text_length(path);
    for (size_t at = 0; at <= length; at++) {
        part[at] = path[at];
        if (at == 0 || (path[at] != '/' && path[at] != 0))
            continue;
        part[at] = 0;
        long result = kernel(mkdirat, AT_FDCWD, part, at == length ? mode : 0755);
        /* A folder of a read-only mount is as good as made; a missing one shows at the next step. */
        if (result < 0 && result != -EEXIST_ && result != -30)
            fail("make folder", part, result);
        part[at] = path[at];
    }
}

void make_file(const char *path)
{
    char folder[PATH_BYTES] = "";
    size_t slash = text_length(path);
    while (slash > 0 && path[slash] != '/')
        slash--;
    for (size_t at = 0; at < slash; at++)
        folder[at] = path[at];
    folder[slash] = 0;
    if (slash > 0)
        make_folders(folder, 0755);
    long fd = kernel(openat, AT_FDCWD, path, O_WRONLY_ | O_CREAT_ | O_EXCL_ | O_CLOEXEC_, 0444);
    if (fd >= 0)
        kernel(close, fd);
    else if (fd != -EEXIST_ && fd != -30)
        fail("make file", path, fd);
}
