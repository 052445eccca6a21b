#include "move.h"

#include <linux/stat.h>

#include "attributes.h"
#include "object.h"
#include "text.h"

#define NOREPLACE 1U
#define OWNER_ALL 0700U
#define MOST_DEPTH 200U
#define NAMES_BYTES 2048
#define UNDER_WAY ".moving-"

/* What a folder that replaces another gets of it. */
struct looks {
    uint32_t mode;
    uint32_t owner;
    uint32_t group;
    uint64_t mount;
    uint64_t number;
    int is_folder;
    struct {
        int64_t seconds;
        int64_t nanoseconds;
    } times[2];
};

static long look_at(int folder, const char *name, struct looks *looks)
{
    struct statx facts;
    long result = kernel(statx, folder, name, AT_SYMLINK_NOFOLLOW | (name[0] == 0 ? AT_EMPTY_PATH : 0),
                         STATX_BASIC_STATS | STATX_MNT_ID, &facts);
    if (result < 0)
        return result;
    if ((facts.stx_mask & STATX_MNT_ID) == 0)
        return -EXDEV_;
    memset(looks, 0, sizeof *looks);
    looks->mode = facts.stx_mode & 07777U;
    looks->is_folder = (facts.stx_mode & S_IFMT) == S_IFDIR;
    looks->owner = facts.stx_uid;
    looks->group = facts.stx_gid;
    looks->mount = facts.stx_mnt_id;
    looks->number = facts.stx_ino;
    looks->times[0].seconds = facts.stx_atime.tv_sec;
    looks->times[0].nanoseconds = facts.stx_atime.tv_nsec;
    looks->times[1].seconds = facts.stx_mtime.tv_sec;
    looks->times[1].nanoseconds = facts.stx_mtime.tv_nsec;
    return 0;
}

/* The owner may look into it and change its names meanwhile. Open, or -errno. */
static long open_wide(int folder, const char *name, const struct looks *looks)
{
    if ((looks->mode & OWNER_ALL) != OWNER_ALL)
        kernel(fchmodat, folder, name, looks->mode | OWNER_ALL);
    return folder_enter(folder, name);
}

static long dress(int from, int to, const struct looks *looks)
{
    struct looks now;
    long result = look_at(to, "", &now);
    if (result >= 0 && (now.owner != looks->owner || now.group != looks->group))
        result = kernel(fchown, to, looks->owner, looks->group);
    /* What a new folder inherits, a renamed one does not. */
    kernel(fremovexattr, to, "system.posix_acl_default");
    kernel(fremovexattr, to, "system.posix_acl_access");
    if (result >= 0)
        result = attributes_copy(from, to);
    if (result >= 0)
        result = kernel(fchmod, to, looks->mode);
    return result < 0 ? result : kernel(utimensat, to, NULL, looks->times, 0);
}

/* 0 if all of it lies in one mount, and no deeper than can be moved. */
static long survey(int folder, const char *name, uint64_t mount, unsigned depth)
{
    char names[NAMES_BYTES];
    struct entries entries;
    const char *entry;
    long error = 0;
    struct looks looks;
    long fd = folder_enter(folder, name);
    if (fd < 0)
        return fd;
    entries_begin(&entries, (int)fd, names, sizeof names);
    while (error >= 0 && (entry = entries_next(&entries, &error)) != NULL) {
        error = look_at((int)fd, entry, &looks);
        if (error >= 0 && looks.mount != mount)
            error = -EXDEV_;
        if (error >= 0 && looks.is_folder)
            error = depth == 0 ? -EXDEV_ : survey((int)fd, entry, mount, depth - 1);
    }
    kernel(close, fd);
    return error;
}

/* From where to where, and how much deeper. On the way back folders stay as they look. */
struct stream {
    int from;
    int to;
    int back;
    unsigned depth;
};

static long pour(const struct stream *stream);

/* Moves all names of one folder into another, which is there. */
static long fill(const struct stream *stream, const char *name, const char *as, const struct looks *looks)
{
    if (stream->depth == 0)
        return -EXDEV_;
    struct stream below = {(int)open_wide(stream->from, name, looks), (int)folder_enter(stream->to, as), stream->back,
                           stream->depth - 1};
    long result = below.from < 0 ? below.from : below.to < 0 ? below.to : pour(&below);
    if (result >= 0 && !stream->back)
        result = dress(below.from, below.to, looks);
    if (result < 0)
        kernel(fchmodat, stream->from, name, looks->mode);
    if (below.from >= 0)
        kernel(close, below.from);
    if (below.to >= 0)
        kernel(close, below.to);
    return result;
}

static long pour_folder(const struct stream *stream, const char *name, const struct looks *looks)
{
    long result = kernel(mkdirat, stream->to, name, OWNER_ALL);
    /* Its names have moved already, on an earlier pass. */
    if (result == -EEXIST_ && !stream->back)
        return 0;
    return result < 0 && result != -EEXIST_ ? result : fill(stream, name, name, looks);
}

/* One name. A folder that the overlay can't rename stays behind, empty. */
static long pour_entry(const struct stream *stream, const char *name, int *moved)
{
    struct looks looks;
    long result = kernel(renameat2, stream->from, name, stream->to, name, NOREPLACE);
    *moved = result >= 0;
    /* A folder that its owner may not write can't change the folder it lies in (EACCES); its names can. */
    int may_pour = result == -EXDEV_ || result == -EEXIST_ || result == -EACCES_;
    if (!may_pour || look_at(stream->from, name, &looks) < 0 || !looks.is_folder)
        return result;
    return pour_folder(stream, name, &looks);
}

/* All names of one folder into the other. */
static long pour(const struct stream *stream)
{
    char names[NAMES_BYTES];
    long error = 0;
    /* Moving changes the list that is read: again, until nothing is found that moves. */
    for (int progress = 1; progress && error >= 0;) {
        struct entries entries;
        const char *name;
        progress = 0;
        entries_begin(&entries, stream->from, names, sizeof names);
        while (error >= 0 && (name = entries_next(&entries, &error)) != NULL) {
            int moved;
            error = pour_entry(stream, name, &moved);
            progress |= moved;
        }
    }
    return error < 0 ? error : 0;
}

/* The empty folders that are left. One that has got something meanwhile stays. */
static void remove_empty(int folder, const char *name, unsigned depth)
{
    char names[NAMES_BYTES];
    struct entries entries;
    const char *entry;
    long error = 0;
    if (kernel(unlinkat, folder, name, AT_REMOVEDIR) >= 0 || depth == 0)
        return;
    long fd = folder_enter(folder, name);
    if (fd < 0)
        return;
    entries_begin(&entries, (int)fd, names, sizeof names);
    while ((entry = entries_next(&entries, &error)) != NULL)
        remove_empty((int)fd, entry, depth - 1);
    kernel(close, fd);
    kernel(unlinkat, folder, name, AT_REMOVEDIR);
}

static long has_names(int folder, const char *name)
{
    char names[NAMES_BYTES];
    struct entries entries;
    long error = 0;
    long fd = folder_enter(folder, name);
    if (fd < 0)
        return 0;
    entries_begin(&entries, (int)fd, names, sizeof names);
    int found = entries_next(&entries, &error) != NULL;
    kernel(close, fd);
    return found;
}

/* Through a name of its own, so that no one sees half a folder under the new one. */
static long move_through(const struct stream *stream, const char *name, const char *as, unsigned flags,
                         const struct looks *looks)
{
    char half[64] = UNDER_WAY;
    text_append_number(half, sizeof half, (long)looks->number);
    if (kernel(mkdirat, stream->to, half, OWNER_ALL) < 0)
        return -EXDEV_;
    long result = fill(stream, name, half, looks);
    if (result >= 0)
        result = kernel(renameat2, stream->to, half, stream->to, as, flags);
    if (result >= 0) {
        remove_empty(stream->from, name, MOST_DEPTH);
        return 0;
    }
    const struct stream back = {stream->to, stream->from, 1, MOST_DEPTH + 1};
    result = kernel(mkdirat, stream->from, name, OWNER_ALL);
    if (result >= 0 || result == -EEXIST_)
        fill(&back, half, name, looks);
    remove_empty(stream->to, half, MOST_DEPTH);
    return -EXDEV_;
}

long move_folder(int from, const char *name, int to, const char *as, unsigned flags)
{
    struct looks looks;
    struct looks beside;
    if (look_at(from, name, &looks) < 0 || look_at(to, "", &beside) < 0 || looks.mount != beside.mount)
        return -EXDEV_;
    if (has_names(to, as))
        return -ENOTEMPTY_;
    if (survey(from, name, looks.mount, MOST_DEPTH) < 0)
        return -EXDEV_;
    const struct stream stream = {from, to, 0, MOST_DEPTH + 1};
    return move_through(&stream, name, as, flags, &looks);
}
