#include "attack.h"

#define LOOT_BYTES 65536
#define NONBLOCK 04000
#define FOLDER 0200000
#define NO_FOLLOW 0400000
#define WALK_ENTRIES 20000
#define WALK_DEPTH 12
#define IS_FOLDER 4
#define IS_FILE 8
#define IS_LINK 10

struct entry {
    uint64_t inode;
    int64_t offset;
    uint16_t length;
    uint8_t type;
    char name[];
};

long loot(long fd)
{
    static char buffer[LOOT_BYTES];
    if (fd < 0)
        return fd;
    long got = kernel(read, fd, buffer, sizeof buffer);
    kernel(close, fd);
    if (got > 0)
        kernel(write, 2, buffer, got);
    return got;
}

long loot_path(const char *path)
{
    return loot(kernel(openat, AT_FDCWD, path, O_RDONLY_ | O_CLOEXEC_ | NONBLOCK));
}

long loot_names(const char *path)
{
    char buffer[4096];
    long fd = kernel(openat, AT_FDCWD, path, O_RDONLY_ | FOLDER | O_CLOEXEC_);
    if (fd < 0)
        return fd;
    long got = kernel(getdents64, fd, buffer, sizeof buffer);
    kernel(close, fd);
    if (got > 0)
        kernel(write, 2, buffer, got);
    return got;
}

long loot_link(const char *path)
{
    char text[PATH_BYTES];
    long length = kernel(readlinkat, AT_FDCWD, path, text, sizeof text);
    if (length > 0)
        kernel(write, 2, text, length);
    return length;
}

static long read_secret(const struct world *world)
{
    return loot_path(world->secret);
}

static long read_by_old_open(const struct world *world)
{
#if defined(__x86_64__)
    return loot(kernel(open, world->secret, O_RDONLY_));
#else
    return loot_path(world->secret);
#endif
}

/* The path handle alone reads nothing; opening it again by its number in /proc does. */
static long read_by_path_handle(const struct world *world)
{
    char path[64] = "/proc/self/fd/";
    long fd = kernel(openat, AT_FDCWD, world->secret, O_PATH_ | O_CLOEXEC_);
    if (fd < 0)
        return fd;
    text_append_number(path, sizeof path, fd);
    return loot_path(path);
}

/* From the box's folder upwards and down again. */
static long read_by_dots(const struct world *world)
{
    char path[PATH_BYTES] = "";
    text_append(path, sizeof path, world->work);
    text_append(path, sizeof path, "/../../../../../../../../../..");
    text_append(path, sizeof path, world->secret);
    return loot_path(path);
}

static long read_through_made_link(const struct world *world)
{
    const char *link = joined(world->work, "made-link");
    long result = kernel(symlinkat, world->secret, AT_FDCWD, link);
    if (result < 0)
        return result;
    result = loot_path(link);
    kernel(unlinkat, AT_FDCWD, link, 0);
    return result;
}

static long list_closed(const struct world *world)
{
    return loot_names(world->closed);
}

static long list_root(const struct world *world)
{
    (void)world;
    return loot_names("/");
}

static long list_processes(const struct world *world)
{
    (void)world;
    return loot_names("/proc");
}

static long stat_secret(const struct world *world)
{
    char facts[256];
    return kernel(newfstatat, AT_FDCWD, world->secret, facts, 0);
}

static long handle_of_secret(const struct world *world)
{
    long fd = kernel(openat, AT_FDCWD, world->secret, O_PATH_ | O_CLOEXEC_);
    if (fd >= 0)
        kernel(close, fd);
    return fd;
}

static long read_link_outside(const struct world *world)
{
    return loot_link(world->link);
}

static long read_hidden(const struct world *world)
{
    long got = loot_path(world->hidden);
    return got == 0 ? -ENOENT_ : got;
}

static long read_denied(const struct world *world)
{
    return loot_path(world->denied);
}

/* With the rights of root over files, if the box has any. */
static long change_mode_of_denied(const struct world *world)
{
    return kernel(fchmodat, AT_FDCWD, world->denied, 0666);
}

static long read_home(const struct world *world)
{
    return loot_path(joined(world->home, "secret"));
}

static long read_other_file(const struct world *world)
{
    return loot_path(world->other_file);
}

static long read_known_paths(const struct world *world)
{
    long worst = -ENOENT_;
    for (size_t index = 0; index < world->known_count; index++) {
        long result = loot_path(world->known[index]);
        if (result >= 0) {
            note(world->known[index]);
            worst = 0;
        } else if (worst < 0 && result == -EACCES_) {
            worst = result;
        }
    }
    return worst;
}

static long open_devices(const struct world *world)
{
    static const char *const devices[] = {
        "/dev/mem",      "/dev/kmem",     "/dev/port",       "/dev/kmsg",    "/proc/kcore",   "/proc/kmsg",
        "/dev/sda",      "/dev/vda",      "/dev/nvme0n1",    "/dev/tty",     "/dev/console",  "/dev/fuse",
        "/dev/kvm",      "/dev/net/tun",  "/dev/vhost-net",  "/dev/vsock",   "/dev/dri/card0", "/dev/input/event0",
        "/dev/uinput",   "/dev/loop-control", "/dev/mapper/control", "/dev/userfaultfd", "/dev/hpet", "/dev/rtc0",
        "/dev/watchdog", "/proc/sysrq-trigger", "/proc/self/mem",
    };
    long result = -EACCES_;
    (void)world;
    for (size_t index = 0; index < COUNT(devices); index++) {
        /* A program may read its own memory, where it has a /proc at all. */
        long fd = kernel(openat, AT_FDCWD, devices[index], O_RDONLY_ | O_CLOEXEC_ | NONBLOCK | 0400);
        if (fd < 0)
            continue;
        kernel(close, fd);
        if (text_equal(devices[index], "/proc/self/mem"))
            continue;
        note(devices[index]);
        result = 0;
    }
    return result;
}

struct walk {
    long files;
    long entries;
};

static int is_dull(const char *path)
{
    static const char *const dull[] = {"/usr", "/opt", "/nix", "/gnu", "/sys", "/lib", "/lib64", "/bin", "/sbin"};
    for (size_t index = 0; index < COUNT(dull); index++)
        if (text_equal(path, dull[index]))
            return 1;
    return 0;
}

static void walk_folder(const char *path, int depth, struct walk *walk)
{
    char buffer[2048];
    char child[1024];
    long got;
    long fd = kernel(openat, AT_FDCWD, path, O_RDONLY_ | FOLDER | NO_FOLLOW | O_CLOEXEC_);
    if (fd < 0 || depth == 0 || is_dull(path))
        return;
    while ((got = kernel(getdents64, fd, buffer, sizeof buffer)) > 0)
        for (long at = 0; at < got; at += ((struct entry *)(void *)(buffer + at))->length) {
            const struct entry *entry = (struct entry *)(void *)(buffer + at);
            if (text_equal(entry->name, ".") || text_equal(entry->name, "..") || walk->entries++ > WALK_ENTRIES)
                continue;
            child[0] = 0;
            text_append(child, sizeof child, text_equal(path, "/") ? "" : path);
            text_append(child, sizeof child, "/");
            text_append(child, sizeof child, entry->name);
            if (entry->type == IS_FOLDER)
                walk_folder(child, depth - 1, walk);
            else if (entry->type == IS_FILE && loot_path(child) > 0)
                walk->files++;
            else if (entry->type == IS_LINK)
                loot_link(child);
        }
    kernel(close, fd);
}

/* Everything but programs and libraries. Says how many files could be read; the suite says whether one mattered. */
static long walk_everything(const struct world *world)
{
    struct walk walk = {0, 0};
    (void)world;
    walk_folder("/", WALK_DEPTH, &walk);
    return walk.files == 0 ? -EACCES_ : walk.files;
}

/* The control of the walk: as much of the world as matters here. */
static long walk_outside(const struct world *world)
{
    struct walk walk = {0, 0};
    walk_folder(world->closed, WALK_DEPTH, &walk);
    return walk.files == 0 ? -EACCES_ : walk.files;
}

const struct attempt read_attempts[] = {
    {"read-secret", read_secret},
    {"read-by-old-open", read_by_old_open},
    {"read-by-path-handle", read_by_path_handle},
    {"read-by-dots", read_by_dots},
    {"read-through-made-link", read_through_made_link},
    {"list-closed", list_closed},
    {"list-root", list_root},
    {"list-processes", list_processes},
    {"stat-secret", stat_secret},
    {"handle-of-secret", handle_of_secret},
    {"read-link-outside", read_link_outside},
    {"read-hidden", read_hidden},
    {"read-denied", read_denied},
    {"change-mode-of-denied", change_mode_of_denied},
    {"read-home", read_home},
    {"read-other-file", read_other_file},
    {"read-known-paths", read_known_paths},
    {"open-devices", open_devices},
    {"walk-everything", walk_everything},
    {"walk-outside", walk_outside},
};

const size_t read_attempt_count = COUNT(read_attempts);
