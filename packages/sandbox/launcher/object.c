#include "object.h"

#include <linux/openat2.h>
#include <linux/stat.h>

#include "text.h"

#define MODE_BITS 07777U
#define REMOVE_DEPTH 200U
#define ENTRY_NAME 19
#define MOST_LINKS 65535U
#define NEVER 0x7fffffffffffffffL

static void fill(struct object *object, const struct statx *facts)
{
    uint32_t type = facts->stx_mode & S_IFMT;
    object->kind = type == S_IFREG   ? KIND_FILE
                   : type == S_IFDIR ? KIND_FOLDER
                   : type == S_IFLNK ? KIND_LINK
                   : type == S_IFCHR && facts->stx_rdev_major == 0 && facts->stx_rdev_minor == 0 ? KIND_WHITEOUT
                                                                                               : KIND_OTHER;
    object->mode = facts->stx_mode & MODE_BITS;
    object->links = facts->stx_nlink < MOST_LINKS ? facts->stx_nlink : MOST_LINKS;
    object->owner = facts->stx_uid;
    object->group = facts->stx_gid;
    object->number = facts->stx_ino;
    object->device = ((uint64_t)facts->stx_dev_major << 32) | facts->stx_dev_minor;
    object->size = facts->stx_size;
    object->modified = (struct moment){facts->stx_mtime.tv_sec, facts->stx_mtime.tv_nsec};
    object->changed = (struct moment){facts->stx_ctime.tv_sec, facts->stx_ctime.tv_nsec};
}

long object_at(int folder, const char *name, struct object *object)
{
    struct statx facts;
    memset(object, 0, sizeof *object);
    long result = kernel(statx, folder, name, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &facts);
    if (result == -ENOENT_)
        return 0;
    if (result < 0)
        return result;
    fill(object, &facts);
    return 0;
}

long object_of(int fd, struct object *object)
{
    struct statx facts;
    memset(object, 0, sizeof *object);
    long result = kernel(statx, fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &facts);
    if (result >= 0)
        fill(object, &facts);
    return result;
}

struct moment object_born(int folder, const char *name)
{
    struct statx facts;
    long result = kernel(statx, folder, name, AT_SYMLINK_NOFOLLOW, STATX_BTIME, &facts);
    if (result < 0 || (facts.stx_mask & STATX_BTIME) == 0)
        return (struct moment){NEVER, 0};
    return (struct moment){facts.stx_btime.tv_sec, facts.stx_btime.tv_nsec};
}

int moment_after(struct moment a, struct moment b)
{
    return a.seconds > b.seconds || (a.seconds == b.seconds && a.nanoseconds > b.nanoseconds);
}

int moment_same(struct moment a, struct moment b)
{
    return a.seconds == b.seconds && a.nanoseconds == b.nanoseconds;
}

int object_same(const struct object *a, const struct object *b)
{
    return a->kind == b->kind && a->number == b->number && a->device == b->device && a->size == b->size &&
           moment_same(a->modified, b->modified);
}

int object_same_owner(const struct object *a, const struct object *b)
{
    return a->owner == b->owner && a->group == b->group;
}

long folder_open(int root, const char *path)
{
    struct open_how how = {
        .flags = O_RDONLY_ | O_DIRECTORY | O_CLOEXEC_ | O_NOFOLLOW,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV,
    };
    return kernel(openat2, root, path[0] == 0 ? "." : path, &how, sizeof how);
}

long folder_of(int root, const char *path, const char **name)
{
    char folder[PATH_BYTES];
    size_t length = text_length(path);
    size_t cut = length;
    if (length == 0 || length >= sizeof folder)
        return -ENAMETOOLONG_;
    while (cut > 0 && path[cut - 1] != '/')
        cut--;
    *name = path + cut;
    if (cut == 0)
        return folder_open(root, "");
    memcpy(folder, path, cut - 1);
    folder[cut - 1] = 0;
    return folder_open(root, folder);
}

long folder_enter(int folder, const char *name)
{
    return kernel(openat, folder, name, O_RDONLY_ | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC_ | O_NONBLOCK_);
}

void entries_begin(struct entries *entries, int fd, char *buffer, size_t size)
{
    /* Some file systems (btrfs) give a descriptor only the entries that were there when it was opened, or last rewound. */
    kernel(lseek, fd, 0, 0);
    *entries = (struct entries){fd, buffer, size, 0, 0};
}

const char *entries_next(struct entries *entries, long *error)
{
    for (;;) {
        if (entries->at >= entries->filled) {
            entries->at = 0;
            entries->filled = kernel(getdents64, entries->fd, entries->buffer, entries->size);
            *error = entries->filled < 0 ? entries->filled : 0;
            if (entries->filled <= 0)
                return NULL;
        }
        /* struct linux_dirent64: inode 8 bytes, offset 8, length 2, type 1, name. */
        char *entry = entries->buffer + entries->at;
        uint16_t length;
        memcpy(&length, entry + 16, sizeof length);
        entries->at += length;
        const char *name = entry + ENTRY_NAME;
        if (!text_equal(name, ".") && !text_equal(name, ".."))
            return name;
    }
}

long folder_digest(int folder, const char *name, uint64_t *digest)
{
    static char names[8192];
    struct entries entries;
    const char *entry;
    long error = 0;
    *digest = 0;
    long fd = folder_enter(folder, name);
    if (fd < 0)
        return fd;
    entries_begin(&entries, (int)fd, names, sizeof names);
    while ((entry = entries_next(&entries, &error)) != NULL) {
        /* FNV-1a over the inode, which comes first in an entry, and the name. */
        uint64_t hash = 0xcbf29ce484222325ULL;
        for (int at = 0; at < 8; at++)
            hash = (hash ^ (unsigned char)entry[at - ENTRY_NAME]) * 0x100000001b3ULL;
        for (const char *at = entry; *at != 0; at++)
            hash = (hash ^ (unsigned char)*at) * 0x100000001b3ULL;
        *digest += hash;
    }
    kernel(close, fd);
    return error;
}

/* A removal under way. What lies too deep for one descent is moved up beside the removed folder first. */
struct removal {
    int top;
    unsigned moved;
};

static void name_of_moved(char *name, size_t size, unsigned number)
{
    name[0] = 0;
    text_append(name, size, ".deep-");
    text_append_number(name, size, number);
}

static long move_up(struct removal *removal, int folder, const char *name)
{
    char moved[32];
    name_of_moved(moved, sizeof moved, removal->moved);
    long result = kernel(renameat2, folder, name, removal->top, moved, 0);
    if (result >= 0)
        removal->moved++;
    return result;
}

static long remove_below(struct removal *removal, int fd, unsigned depth);

static long remove_folder(struct removal *removal, int folder, const char *name, unsigned depth)
{
    /* A command, or the overlay itself, may have closed it to its owner. */
    kernel(fchmodat, folder, name, 0700);
    if (depth == 0)
        return move_up(removal, folder, name);
    long below = folder_enter(folder, name);
    if (below < 0)
        return below;
    long result = remove_below(removal, (int)below, depth - 1);
    kernel(close, below);
    return result < 0 ? result : kernel(unlinkat, folder, name, AT_REMOVEDIR);
}

static long remove_entry(struct removal *removal, int folder, const char *name, unsigned depth)
{
    long result = kernel(unlinkat, folder, name, 0);
    return result == -EISDIR_ ? remove_folder(removal, folder, name, depth) : result;
}

static long remove_below(struct removal *removal, int fd, unsigned depth)
{
    char buffer[2048];
    long first = 0;
    /* Removing moves the entries that are left: read again until a pass finds nothing that it can remove. */
    for (int progress = 1; progress && first == 0;) {
        struct entries entries;
        const char *name;
        long error = 0;
        progress = 0;
        entries_begin(&entries, fd, buffer, sizeof buffer);
        while ((name = entries_next(&entries, &error)) != NULL) {
            long result = remove_entry(removal, fd, name, depth);
            if (result >= 0)
                progress = 1;
            else if (first == 0)
                first = result;
        }
        if (first == 0)
            first = error;
    }
    return first;
}

/* The first number of which nothing is left from a removal that was cut off. */
static unsigned first_free(int folder)
{
    for (unsigned number = 0;; number++) {
        struct object object;
        char moved[32];
        name_of_moved(moved, sizeof moved, number);
        if (object_at(folder, moved, &object) < 0 || object.kind == KIND_MISSING)
            return number;
    }
}

long tree_remove(int folder, const char *name)
{
    struct removal removal = {folder, first_free(folder)};
    long result = remove_entry(&removal, folder, name, REMOVE_DEPTH);
    if (result == -ENOENT_)
        result = 0;
    /* What an earlier removal left goes as well. */
    for (unsigned next = 0; result >= 0 && next < removal.moved; next++) {
        char moved[32];
        name_of_moved(moved, sizeof moved, next);
        result = remove_entry(&removal, folder, moved, REMOVE_DEPTH);
        if (result == -ENOENT_)
            result = 0;
    }
    return result;
}
