/*
 * Files: reading, changing and starting by named paths only. Network and signals: refused where the kernel
 * can (ABI 4 and 6), but the system call filter refuses them too and does not rely on it.
 */
#include <linux/stat.h>

#include "confine.h"
#include "unlinked.h"

#define RIGHT_EXECUTE (1ULL << 0)
#define RIGHT_WRITE_FILE (1ULL << 1)
#define RIGHT_READ_FILE (1ULL << 2)
#define RIGHT_READ_FOLDER (1ULL << 3)
#define RIGHT_REMOVE_FOLDER (1ULL << 4)
#define RIGHT_REMOVE_FILE (1ULL << 5)
#define RIGHT_MAKE_FOLDER (1ULL << 7)
#define RIGHT_MAKE_FILE (1ULL << 8)
#define RIGHT_MAKE_LINK (1ULL << 12)
#define RIGHT_REFER (1ULL << 13)
#define RIGHT_TRUNCATE (1ULL << 14)
#define RIGHT_DEVICE_CONTROL (1ULL << 15)

#define READ (RIGHT_READ_FILE | RIGHT_READ_FOLDER)
/* No devices, pipes or sockets are made. */
#define CHANGE                                                                                        \
    (READ | RIGHT_WRITE_FILE | RIGHT_REMOVE_FOLDER | RIGHT_REMOVE_FILE | RIGHT_MAKE_FOLDER |          \
     RIGHT_MAKE_FILE | RIGHT_MAKE_LINK | RIGHT_REFER | RIGHT_TRUNCATE)
#define START (RIGHT_EXECUTE | RIGHT_READ_FILE)
#define ON_FILES                                                                                      \
    (RIGHT_EXECUTE | RIGHT_WRITE_FILE | RIGHT_READ_FILE | RIGHT_TRUNCATE | RIGHT_DEVICE_CONTROL)

#define TCP_BIND_AND_CONNECT 3ULL
#define SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS 3ULL

struct ruleset_attributes {
    uint64_t files;
    uint64_t network;
    uint64_t scoped;
};

struct path_rule {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

long landlock_version(void)
{
    static long version;
    if (version == 0)
        version = kernel(landlock_create_ruleset, NULL, 0, 1);
    return version;
}

int landlock_confines_signals(void)
{
    return landlock_version() >= 6;
}

static uint64_t file_rights(long version)
{
    uint64_t rights = (1ULL << 13) - 1;
    if (version >= 2)
        rights |= RIGHT_REFER;
    if (version >= 3)
        rights |= RIGHT_TRUNCATE;
    if (version >= 5)
        rights |= RIGHT_DEVICE_CONTROL;
    return rights;
}

/* Grants the open object and closes it. */
static void grant_open(int ruleset, long fd, const char *path, uint64_t rights)
{
    struct statx facts;
    must(kernel(statx, fd, "", AT_EMPTY_PATH, STATX_TYPE, &facts), "look at granted", path);
    if ((facts.stx_mode & S_IFMT) != S_IFDIR)
        rights &= ON_FILES;
    struct path_rule rule = {rights, (int32_t)fd};
    must(kernel(landlock_add_rule, ruleset, 1, &rule, 0), "grant", path);
    kernel(close, fd);
}

static void grant(int ruleset, const char *path, uint64_t rights)
{
    long fd = must(kernel(openat, AT_FDCWD, path, O_PATH_ | O_CLOEXEC_), "open granted", path);
    grant_open(ruleset, fd, path, rights);
}

static void grant_change(int ruleset, const char *path, uint64_t rights)
{
    grant_open(ruleset, must(open_unlinked(path), "open without links", path), path, rights);
}

static void grant_program(int ruleset, const char *path, uint64_t rights)
{
    char interpreter[PATH_BYTES];
    long fd = must(kernel(openat, AT_FDCWD, path, O_RDONLY_ | O_CLOEXEC_), "open program", path);
    read_interpreter((int)fd, path, interpreter, sizeof interpreter);
    kernel(close, fd);
    grant(ruleset, path, rights);
    if (interpreter[0] != 0)
        grant(ruleset, interpreter, rights);
}

void restrict_files(const struct options *options, const char *program)
{
    long version = must(landlock_version(), "Landlock is not available", NULL);
    uint64_t handled = file_rights(version);
    struct ruleset_attributes attributes = {handled, version >= 4 ? TCP_BIND_AND_CONNECT : 0,
                                            version >= 6 ? SCOPE_ABSTRACT_SOCKETS_AND_SIGNALS : 0};
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int ruleset = (int)must(kernel(landlock_create_ruleset, &attributes, size, 0), "make Landlock rules", NULL);
    for (size_t index = 0; index < options->path_count; index++) {
        const struct named_path *named = &options->paths[index];
        if (named->use == USE_READ)
            grant(ruleset, named->path, READ & handled);
        else if (named->use == USE_WRITE)
            grant_change(ruleset, named->path, CHANGE & handled);
        else if (named->use == USE_EXECUTE)
            grant_program(ruleset, named->path, START & handled);
    }
    if (program != NULL)
        grant_program(ruleset, program, START & handled);
    if (options->profile == PROFILE_WORKER)
        grant(ruleset, "/dev/null", (RIGHT_READ_FILE | RIGHT_WRITE_FILE) & handled);
    must(kernel(landlock_restrict_self, ruleset, 0), "apply Landlock rules", NULL);
    kernel(close, ruleset);
}
