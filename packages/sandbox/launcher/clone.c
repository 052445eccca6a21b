#include "clone.h"

#include <linux/fs.h>
#include <linux/stat.h>
#include <linux/time_types.h>

#include "arena.h"
#include "attributes.h"

#define CLOCK_MONOTONIC_ 1
#define NAMES_BYTES 32768
#define MAX_DEPTH 200
#define CHUNK_BYTES (1UL << 20)
#define OMIT_TIME 0x3ffffffe
#define NOBODY (~0U)
#define READ_FLAGS (O_RDONLY_ | O_NOFOLLOW | O_CLOEXEC_ | O_NONBLOCK_)
#define MAKE_FLAGS (O_WRONLY_ | O_CREAT_ | O_EXCL_ | O_NOFOLLOW | O_CLOEXEC_)

static long now_seconds(void)
{
    struct __kernel_timespec now = {0, 0};
    kernel(clock_gettime, CLOCK_MONOTONIC_, &now);
    return (long)now.tv_sec;
}

int clone_path(const struct original *original, char *path, size_t size)
{
    size_t length = 0;
    for (const struct original *at = original; at->parent != NULL; at = at->parent)
        length += text_length(at->name) + 1;
    if (length > size || length == 0) {
        path[0] = 0;
        return length == 0;
    }
    path[length - 1] = 0;
    for (const struct original *at = original; at->parent != NULL; at = at->parent) {
        size_t name = text_length(at->name);
        length -= name + 1;
        memcpy(path + length, at->name, name);
        if (length > 0)
            path[length - 1] = '/';
    }
    return 1;
}

struct original *clone_find(const struct clone *clone, const struct original *parent, const char *name,
                            const struct object *object)
{
    struct original *found = clone->by_number[object->number % CLONE_TABLE];
    while (found != NULL && (found->number != object->number || found->parent != parent ||
                             found->kind != object->kind || !text_equal(found->name, name)))
        found = found->same_number;
    return found;
}

static struct original *add(struct clone *clone, struct original *parent, const char *name)
{
    size_t length = text_length(name);
    struct original *original = arena_take(sizeof *original + length + 1);
    if (original == NULL)
        return NULL;
    memset(original, 0, sizeof *original);
    memcpy(original->name, name, length + 1);
    original->parent = parent;
    if (parent != NULL) {
        original->next = parent->first;
        parent->first = original;
    }
    clone->entries++;
    return original;
}

static long list(struct clone *clone, int folder, struct original *into)
{
    static char names[NAMES_BYTES];
    struct entries entries;
    const char *name;
    long error = 0;
    entries_begin(&entries, folder, names, sizeof names);
    while ((name = entries_next(&entries, &error)) != NULL) {
        if (clone->entries > (clone->layer ? LAYER_MAX_ENTRIES : CLONE_MAX_ENTRIES))
            return -E2BIG_;
        if (add(clone, into, name) == NULL)
            return -ENOMEM_;
    }
    return now_seconds() > clone->deadline ? -ETIME_ : error;
}

static unsigned long max_copied_bytes(const struct clone *clone)
{
    return clone->layer ? LAYER_MAX_COPIED_BYTES : CLONE_MAX_COPIED_BYTES;
}

static long copy_bytes(struct clone *clone, int from, int to)
{
    for (;;) {
        long got = kernel(copy_file_range, from, NULL, to, NULL, CHUNK_BYTES, 0);
        if (got == -EINTR_)
            continue;
        if (got <= 0)
            return got;
        clone->copied_bytes += (unsigned long)got;
        if (clone->copied_bytes > max_copied_bytes(clone))
            return -EFBIG_;
    }
}

static long copy_content(struct clone *clone, int from, int to, uint64_t size)
{
    if (size == 0)
        return 0;
    if (!clone->plain) {
        long result = kernel(ioctl, to, FICLONE, from);
        if (result >= 0)
            return 0;
        /* Else this file only: one that must not be shared, for one. */
        clone->plain = result == -EOPNOTSUPP_ || result == -EXDEV_ || result == -ENOTTY_;
    }
    if (size > max_copied_bytes(clone) - clone->copied_bytes)
        return -EFBIG_;
    return copy_bytes(clone, from, to);
}

/* Everything but content. An owner, group or attribute that can't be given makes the copy foreign; a layer has no foreign ones. */
static long dress(const struct clone *clone, struct original *original, int from, int to, const struct statx *facts)
{
    struct statx made;
    struct __kernel_timespec times[2] = {{0, OMIT_TIME}, {facts->stx_mtime.tv_sec, facts->stx_mtime.tv_nsec}};
    long result = kernel(statx, to, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &made);
    if (result < 0)
        return result;
    original->number = made.stx_ino;
    if ((clone->layer ? attributes_copy_layer(from, to) : attributes_copy(from, to)) < 0)
        original->foreign = 1;
    if (made.stx_gid != facts->stx_gid && kernel(fchown, to, NOBODY, facts->stx_gid) < 0)
        original->foreign = 1;
    if (made.stx_uid != facts->stx_uid && kernel(fchown, to, facts->stx_uid, NOBODY) < 0)
        original->foreign = 1;
    if (original->foreign && clone->layer)
        return -EPERM_;
    if (made.stx_mode != facts->stx_mode || made.stx_uid != facts->stx_uid || made.stx_gid != facts->stx_gid)
        result = kernel(fchmod, to, facts->stx_mode & 07777);
    return result < 0 ? result : kernel(utimensat, to, NULL, times, 0);
}

static long copy_file(struct clone *clone, struct original *original, int from, int to, const struct statx *facts)
{
    long source = kernel(openat, from, original->name, READ_FLAGS);
    /* Nor can the command read it; whoever changes what lies at the name is told. */
    if (!clone->layer && (source == -EACCES_ || source == -EPERM_))
        return 0;
    if (source < 0)
        return source == -ENOENT_ ? 0 : source;
    long target = kernel(openat, to, original->name, MAKE_FLAGS, facts->stx_mode & 0777);
    long result = target;
    if (target >= 0) {
        result = copy_content(clone, (int)source, (int)target, facts->stx_size);
        if (result >= 0)
            result = dress(clone, original, (int)source, (int)target, facts);
        kernel(close, target);
    }
    kernel(close, source);
    return result;
}

static long copy_link(struct original *original, int from, int to, const struct statx *facts)
{
    static char text[PATH_BYTES];
    struct object made;
    struct __kernel_timespec times[2] = {{0, OMIT_TIME}, {facts->stx_mtime.tv_sec, facts->stx_mtime.tv_nsec}};
    long length = kernel(readlinkat, from, original->name, text, sizeof text - 1);
    if (length < 0)
        return length == -ENOENT_ ? 0 : length;
    text[length] = 0;
    long result = kernel(symlinkat, text, to, original->name);
    if (result >= 0)
        kernel(fchownat, to, original->name, facts->stx_uid, facts->stx_gid, AT_SYMLINK_NOFOLLOW);
    if (result >= 0)
        result = kernel(utimensat, to, original->name, times, AT_SYMLINK_NOFOLLOW);
    if (result >= 0)
        result = object_at(to, original->name, &made);
    original->number = made.number;
    return result;
}

/* Another name of a file that was copied already; 0 if it is the first. */
static long copy_name(const struct clone *clone, struct original *original, int to)
{
    char path[PATH_BYTES];
    const struct original *first = clone->by_source[original->source % CLONE_TABLE];
    while (first != NULL && (first->source != original->source || first->number == 0))
        first = first->same_source;
    if (first == NULL)
        return 0;
    if (!clone_path(first, path, sizeof path))
        return -ENAMETOOLONG_;
    long result = kernel(linkat, clone->to, path, to, original->name, 0);
    if (result < 0)
        return result;
    original->number = first->number;
    original->foreign = first->foreign;
    return 1;
}

/* What stands for an absent object; anything else by a pipe that is listed as not kept. */
static long copy_special(const struct original *original, int to, const struct statx *facts)
{
    int whiteout = (facts->stx_mode & S_IFMT) == S_IFCHR && facts->stx_rdev_major == 0 && facts->stx_rdev_minor == 0;
    return kernel(mknodat, to, original->name, whiteout ? S_IFCHR : S_IFIFO | 0600, 0);
}

static long copy_folder(struct clone *clone, struct original *original, int from, int to, const struct statx *facts,
                        unsigned depth);

static long copy_entry(struct clone *clone, struct original *original, int from, int to, unsigned depth)
{
    struct statx facts;
    long result = kernel(statx, from, original->name, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &facts);
    if (result < 0)
        return result == -ENOENT_ ? 0 : result;
    uint32_t type = facts.stx_mode & S_IFMT;
    original->source = facts.stx_ino;
    original->kind = type == S_IFREG ? KIND_FILE : type == S_IFDIR ? KIND_FOLDER : type == S_IFLNK ? KIND_LINK : KIND_OTHER;
    if (original->kind == KIND_FOLDER)
        return copy_folder(clone, original, from, to, &facts, depth + 1);
    if (original->kind == KIND_LINK)
        return copy_link(original, from, to, &facts);
    if (original->kind != KIND_FILE)
        return clone->layer ? copy_special(original, to, &facts) : 0;
    if (facts.stx_nlink > 1) {
        result = copy_name(clone, original, to);
        if (result != 0)
            return result;
        original->same_source = clone->by_source[original->source % CLONE_TABLE];
        clone->by_source[original->source % CLONE_TABLE] = original;
    }
    return copy_file(clone, original, from, to, &facts);
}

static long copy_below(struct clone *clone, struct original *folder, int from, int to, unsigned depth)
{
    long result = list(clone, from, folder);
    for (struct original *at = folder->first; result >= 0 && at != NULL; at = at->next) {
        result = copy_entry(clone, at, from, to, depth);
        if (result < 0 && clone->path[0] == 0)
            clone_path(at, clone->path, sizeof clone->path);
        if (at->number == 0)
            continue;
        at->same_number = clone->by_number[at->number % CLONE_TABLE];
        clone->by_number[at->number % CLONE_TABLE] = at;
    }
    return result;
}

static long copy_folder(struct clone *clone, struct original *original, int from, int to, const struct statx *facts,
                        unsigned depth)
{
    if ((((uint64_t)facts->stx_dev_major << 32) | facts->stx_dev_minor) != clone->device)
        return -EXDEV_;
    if (depth > MAX_DEPTH)
        return -ENAMETOOLONG_;
    long source = folder_enter(from, original->name);
    /* Nor can the command look into it. */
    if (source < 0)
        return (!clone->layer && source == -EACCES_) || source == -ENOENT_ ? 0 : source;
    long result = kernel(mkdirat, to, original->name, 0700);
    long target = result < 0 ? result : folder_enter(to, original->name);
    result = target;
    if (target >= 0) {
        result = copy_below(clone, original, (int)source, (int)target, depth);
        /* Last: what is in it moves its time, and it may be closed to its owner. */
        if (result >= 0)
            result = dress(clone, original, (int)source, (int)target, facts);
        kernel(close, target);
    }
    kernel(close, source);
    return result;
}

long clone_tree(struct clone *clone, int from, int to)
{
    struct object work;
    struct object copy;
    long result = object_of(from, &work);
    if (result >= 0)
        result = object_of(to, &copy);
    if (result < 0)
        return result;
    clone->to = to;
    clone->device = work.device;
    clone->deadline = now_seconds() + (clone->layer ? LAYER_MAX_SECONDS : CLONE_MAX_SECONDS);
    clone->top = add(clone, NULL, "");
    if (clone->top == NULL)
        return -ENOMEM_;
    clone->top->kind = KIND_FOLDER;
    clone->top->number = copy.number;
    result = copy_below(clone, clone->top, from, to, 0);
    return result < 0 ? result : 0;
}
