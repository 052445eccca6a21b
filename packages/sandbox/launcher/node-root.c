/*
 * As in the shell's root, copies of everything to show are taken from the host's tree before the root changes and
 * attached afterwards, parents before children. In a folder that is shown nothing is ever made for the sake of a
 * mount point: the folder may be the user's.
 */
#include "node-root.h"

#include <linux/mount.h>

#include "confine.h"
#include "mount.h"
#include "root.h"
#include "unlinked.h"

/* Paths, an interpreter for each of them, the program with its own, /dev/null. */
#define MAX_SHOWN (2 * MAX_PATHS + 3)
#define INTERPRETER_BYTES 256
#define DETACH 2
#define BASE "/.base"
#define PROCESSES "/proc"
/* What only the own process name space has in it: processes. */
#define PROCESS_OPTIONS "subset=pid"

enum grant_bits { MAY_READ = 0, MAY_WRITE = 1, MAY_START = 2, DEVICE = 4 };

struct shown {
    const char *path;
    unsigned bits;
    int copy;
    int folder;
};

static struct shown shown[MAX_SHOWN];
static size_t shown_count;
static char interpreters[MAX_PATHS + 1][INTERPRETER_BYTES];
static size_t interpreter_count;

/* A path granted twice gets what both grants give. */
static void add(const char *path, unsigned bits)
{
    for (size_t index = 0; index < shown_count; index++) {
        if (!text_equal(shown[index].path, path))
            continue;
        shown[index].bits |= bits;
        return;
    }
    if (shown_count == MAX_SHOWN)
        fail("too many mounts at", path, 0);
    shown[shown_count++] = (struct shown){path, bits, -1, 0};
}

static void add_program(const char *path)
{
    char *interpreter = interpreters[interpreter_count++];
    long fd = must(kernel(openat, AT_FDCWD, path, O_RDONLY_ | O_CLOEXEC_), "open program", path);
    read_interpreter((int)fd, path, interpreter, INTERPRETER_BYTES);
    kernel(close, fd);
    add(path, MAY_START);
    if (interpreter[0] != 0)
        add(interpreter, MAY_START);
}

static void collect(const struct options *options, const char *program)
{
    for (size_t index = 0; index < options->path_count; index++) {
        const struct named_path *named = &options->paths[index];
        /* A granted /proc is the one that this box has. */
        if (text_equal(named->path, PROCESSES) && options->profile == PROFILE_WORKER)
            continue;
        if (named->use == USE_EXECUTE)
            add_program(named->path);
        else
            add(named->path, named->use == USE_WRITE ? MAY_WRITE : MAY_READ);
    }
    if (program != NULL)
        add_program(program);
    if (options->profile == PROFILE_WORKER)
        add("/dev/null", MAY_WRITE | DEVICE);
}

/* Shorter paths first, so parents come before children. */
static void sort_shown(void)
{
    for (size_t index = 1; index < shown_count; index++) {
        struct shown moved = shown[index];
        size_t length = text_length(moved.path);
        size_t at = index;
        for (; at > 0 && text_length(shown[at - 1].path) > length; at--)
            shown[at] = shown[at - 1];
        shown[at] = moved;
    }
}

/*
 * Code comes from files that are named one by one, as the runtime's libraries are: never from a folder, nor from
 * what the box can write.
 */
static void take(struct shown *one)
{
    unsigned flags = (one->bits & MAY_WRITE) ? MOUNT_WRITABLE : MOUNT_READ_ONLY;
    long found = (one->bits & MAY_WRITE) ? open_unlinked(one->path)
                                         : kernel(openat, AT_FDCWD, one->path, O_PATH_ | O_CLOEXEC_);
    must(found, (one->bits & MAY_WRITE) ? "open without links" : "open granted", one->path);
    one->folder = is_folder((int)found, one->path);
    if (one->bits & DEVICE)
        flags |= MOUNT_DEVICES;
    if (one->folder || (one->bits & (MAY_WRITE | MAY_START)) == MAY_WRITE)
        flags |= MOUNT_NO_PROGRAMS;
    one->copy = mount_copy((int)found, "", flags, "take");
    kernel(close, found);
}

/* True if one of the first `count` is a folder above `path`. */
static int is_inside(const char *path, size_t count)
{
    for (size_t index = 0; index < count; index++) {
        const struct shown *above = &shown[index];
        if (above->folder && (text_equal(above->path, "/") || text_is_below(path, above->path)))
            return 1;
    }
    return 0;
}

/* The whole tree is granted: it is the root, and the rest lies inside it. */
static void show_root(int copy)
{
    make_folders(BASE, 0755);
    mount_attach(copy, (int)must(mount_point(BASE, LINKS_REFUSED), "find", BASE), "/");
    must(kernel(chdir, BASE), "enter the new root", NULL);
    must(kernel(pivot_root, ".", "."), "change the root", NULL);
    must(kernel(umount2, ".", DETACH), "leave the old root", NULL);
    must(kernel(chdir, "/"), "enter the new root", NULL);
    must(kernel(mount, "proc", PROCESSES, "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, PROCESS_OPTIONS),
         "mount", PROCESSES);
}

static void show(size_t index)
{
    const struct shown *one = &shown[index];
    if (text_equal(one->path, "/")) {
        show_root(one->copy);
        return;
    }
    int inside = is_inside(one->path, index);
    if (!inside && one->folder)
        make_folders(one->path, 0755);
    else if (!inside)
        make_file(one->path);
    /* A link leads nowhere but to what is shown. What may be changed has none. */
    long point = mount_point(one->path, (one->bits & MAY_WRITE) ? LINKS_REFUSED : LINKS_FOLLOWED);
    mount_attach(one->copy, (int)must(point, "find", one->path), one->path);
}

static void close_root(void)
{
    struct mount_attr attributes = {
        .attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC};
    must(kernel(mount_setattr, AT_FDCWD, "/", 0, &attributes, sizeof attributes), "close the root", NULL);
}

static void enter_again(const char *folder)
{
    if (!is_inside(folder, shown_count))
        make_folders(folder, 0755);
    long fd = must(open_unlinked(folder), "open without links", folder);
    must(kernel(fchdir, fd), "enter", folder);
    kernel(close, fd);
}

void node_root_enter(const struct options *options, const char *program)
{
    char folder[PATH_BYTES] = "";
    must(kernel(getcwd, folder, sizeof folder), "find the current folder", NULL);
    must(kernel(mount, "none", "/", NULL, MS_REC | MS_PRIVATE, NULL), "make mounts private", NULL);
    collect(options, program);
    sort_shown();
    for (size_t index = 0; index < shown_count; index++)
        take(&shown[index]);
    root_change(options->profile == PROFILE_WORKER ? PROCESS_OPTIONS : NULL);
    for (size_t index = 0; index < shown_count; index++)
        show(index);
    enter_again(folder);
    if (!is_inside("/", shown_count))
        close_root();
}
