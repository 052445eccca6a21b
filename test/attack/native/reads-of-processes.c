/* What /proc would tell of the launching process, of another box, and of the first process of this one. */
#include "attack.h"

static long read_parent_environment(const struct world *world)
{
    return loot_path(in_proc(world->parent, "environ"));
}

static long read_parent_arguments(const struct world *world)
{
    return loot_path(in_proc(world->parent, "cmdline"));
}

static long read_parent_maps(const struct world *world)
{
    return loot_path(in_proc(world->parent, "maps"));
}

static long open_parent_memory(const struct world *world)
{
    long fd = kernel(openat, AT_FDCWD, in_proc(world->parent, "mem"), O_RDONLY_ | O_CLOEXEC_);
    if (fd >= 0)
        kernel(close, fd);
    return fd;
}

static long read_parent_folder_link(const struct world *world)
{
    return loot_link(in_proc(world->parent, "cwd"));
}

static long list_parent_descriptors(const struct world *world)
{
    return loot_names(in_proc(world->parent, "fd"));
}

static long read_through_parent_root(const struct world *world)
{
    char name[PATH_BYTES] = "root";
    text_append(name, sizeof name, world->secret);
    return loot_path(in_proc(world->parent, name));
}

static long read_other_environment(const struct world *world)
{
    return loot_path(in_proc(world->other, "environ"));
}

static long read_through_other_root(const struct world *world)
{
    char name[PATH_BYTES] = "root";
    text_append(name, sizeof name, world->other_file);
    return loot_path(in_proc(world->other, name));
}

/* Only a box of its own process name space has a first process of its own: the one that ends it. */
static long read_init_environment(const struct world *world)
{
    (void)world;
    return loot_path("/proc/1/environ");
}

static long read_through_init_root(const struct world *world)
{
    (void)world;
    return loot_names("/proc/1/root/");
}

#define SEIZE 0x4206
#define MOST_NUMBERS 4096
#define MOST_DESCRIPTORS 64
#define NO_PROCESS (-3)
#define NOT_ALLOWED (-13)
#define FOLDERS_TRIED 3

/*
 * Beside init, this process and its parent a box on an overlay has those that help its command: they rename folders, replay the
 * folder's changes and refresh the view. The attempt on each: 0 if one got through, else what the last one said.
 */
static long each_companion(long (*attempt)(long process))
{
    long result = NO_PROCESS;
    for (long process = 2; process < MOST_NUMBERS && result != 0; process++)
        if (process != kernel(getpid) && process != kernel(getppid) && kernel(kill, process, 0) >= 0)
            result = attempt(process);
    return result;
}

static long trace(long process)
{
    return kernel(ptrace, SEIZE, process, 0, 0);
}

static long trace_companion(const struct world *world)
{
    (void)world;
    return each_companion(trace);
}

static long open_memory(long process)
{
    return close_if_open(kernel(openat, AT_FDCWD, in_proc(process, "mem"), O_RDONLY_ | O_CLOEXEC_));
}

static long open_companion_memory(const struct world *world)
{
    (void)world;
    return each_companion(open_memory);
}

/* Where a process is, or what its name spaces are: a way to its mounts. */
static long open_folders(long process)
{
    static const char *const names[FOLDERS_TRIED] = {"root/", "cwd/", "ns/mnt"};
    long result = NO_PROCESS;
    for (long at = 0; at < FOLDERS_TRIED && result != 0; at++)
        result = close_if_open(kernel(openat, AT_FDCWD, in_proc(process, names[at]), O_RDONLY_ | O_CLOEXEC_));
    return result;
}

static long open_companion_folders(const struct world *world)
{
    (void)world;
    return each_companion(open_folders);
}

/* Without looking into /proc. */
static long take_descriptors(long process)
{
    long result = NO_PROCESS;
    long handle = kernel(pidfd_open, process, 0);
    for (long number = 0; handle >= 0 && result != 0 && number < 4; number++)
        result = close_if_open(kernel(pidfd_getfd, handle, number, 0));
    close_if_open(handle);
    return handle < 0 ? handle : result;
}

static long take_companion_descriptors(const struct world *world)
{
    (void)world;
    return each_companion(take_descriptors);
}

/* One has the listener that answers for every rename of the box, one a context that may mount. */
static long open_descriptors(long process)
{
    long result = NO_PROCESS;
    for (long number = 0; result != 0 && number < MOST_DESCRIPTORS; number++) {
        char name[32] = "fd/";
        text_append_number(name, sizeof name, number);
        result = close_if_open(kernel(openat, AT_FDCWD, in_proc(process, name), O_RDONLY_ | O_CLOEXEC_ | O_NONBLOCK_));
        if (result == NOT_ALLOWED)
            break;
    }
    return result;
}

static long open_companion_descriptors(const struct world *world)
{
    (void)world;
    return each_companion(open_descriptors);
}

const struct attempt process_read_attempts[] = {
    {"read-parent-environment", read_parent_environment},
    {"read-parent-arguments", read_parent_arguments},
    {"read-parent-maps", read_parent_maps},
    {"open-parent-memory", open_parent_memory},
    {"read-parent-folder-link", read_parent_folder_link},
    {"list-parent-descriptors", list_parent_descriptors},
    {"read-through-parent-root", read_through_parent_root},
    {"read-other-environment", read_other_environment},
    {"read-through-other-root", read_through_other_root},
    {"read-init-environment", read_init_environment},
    {"read-through-init-root", read_through_init_root},
    {"trace-companion", trace_companion},
    {"open-companion-memory", open_companion_memory},
    {"open-companion-folders", open_companion_folders},
    {"open-companion-descriptors", open_companion_descriptors},
    {"take-companion-descriptors", take_companion_descriptors},
};

const size_t process_read_attempt_count = COUNT(process_read_attempts);
