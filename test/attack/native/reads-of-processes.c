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

/* Beside init, this process and its parent a box has one more at most: that which renames folders on an overlay. */
static long companion(void)
{
    for (long process = 2; process < MOST_NUMBERS; process++)
        if (process != kernel(getpid) && process != kernel(getppid) && kernel(kill, process, 0) >= 0)
            return process;
    return NO_PROCESS;
}

static long trace_companion(const struct world *world)
{
    long process = companion();
    (void)world;
    return process < 0 ? process : kernel(ptrace, SEIZE, process, 0, 0);
}

static long open_companion_memory(const struct world *world)
{
    long process = companion();
    (void)world;
    return process < 0 ? process : close_if_open(kernel(openat, AT_FDCWD, in_proc(process, "mem"), O_RDONLY_ | O_CLOEXEC_));
}

/* Its listener answers for every rename of the box. */
static long open_companion_descriptors(const struct world *world)
{
    long process = companion();
    long result = process;
    (void)world;
    for (long number = 0; process >= 0 && result != 0 && number < MOST_DESCRIPTORS; number++) {
        char name[32] = "fd/";
        text_append_number(name, sizeof name, number);
        result = close_if_open(kernel(openat, AT_FDCWD, in_proc(process, name), O_RDONLY_ | O_CLOEXEC_ | O_NONBLOCK_));
        if (result == NOT_ALLOWED)
            break;
    }
    return result;
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
    {"open-companion-descriptors", open_companion_descriptors},
};

const size_t process_read_attempt_count = COUNT(process_read_attempts);
