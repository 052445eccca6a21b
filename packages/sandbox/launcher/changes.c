#include "changes.h"

#include "arena.h"
#include "attributes.h"
#include "lease.h"
#include "text.h"

#define MAX_DEPTH 200
#define MAX_CHANGES 1000000UL
#define NAMES_BYTES 8192
#define BLOCK_BYTES 65536
#define SET_ID_BITS 06000U
#define NONE (-1)

/* A walk: the path it is at, and for each level a buffer that its folder's names are read into. */
struct walk {
    struct changes *changes;
    const struct layers *layers;
    const struct listener *listener;
    unsigned depth;
    size_t length;
    char path[PATH_BYTES];
    char names[MAX_DEPTH + 1][NAMES_BYTES];
};

static struct walk walk;

static void problem(const char *code)
{
    walk.changes->problems++;
    walk.listener->problem(code, walk.path);
}

static void system_problem(long error)
{
    char code[32] = "errno-";
    text_append_number(code, sizeof code, -error);
    problem(code);
}

int untouched(const struct layers *layers, const struct object *object)
{
    return object->kind == KIND_MISSING || (!layers->clock_set && !moment_after(object->changed, layers->began));
}

/* Steps down to `name`; false if that is too deep to be kept. */
static int down(const char *name, size_t *before)
{
    size_t room = text_length(name) + 2;
    *before = walk.length;
    if (walk.depth == MAX_DEPTH || walk.length + room > sizeof walk.path) {
        problem("too-deep");
        return 0;
    }
    if (walk.length > 0)
        walk.path[walk.length++] = '/';
    walk.path[walk.length] = 0;
    text_append(walk.path, sizeof walk.path, name);
    walk.length += room - 2;
    walk.depth++;
    return 1;
}

static void up(size_t before)
{
    walk.length = before;
    walk.path[before] = 0;
    walk.depth--;
}

static void add(enum what what, int operate, const struct object *now, const struct object *was, int upper, const char *name)
{
    static char target[PATH_BYTES];
    struct change *change = arena_take(sizeof *change + walk.length + 1);
    if (change == NULL || walk.changes->count == MAX_CHANGES) {
        if (walk.changes->problems == 0 || walk.changes->count < MAX_CHANGES)
            problem("too-many");
        walk.changes->problems++;
        return;
    }
    change->what = what;
    change->operate = operate;
    change->now = *now;
    change->was = *was;
    memcpy(change->path, walk.path, walk.length + 1);
    if (walk.changes->last == NULL)
        walk.changes->first = change;
    else
        walk.changes->last->next = change;
    walk.changes->last = change;
    walk.changes->count++;
    long length = 0;
    if (now->kind == KIND_LINK)
        length = kernel(readlinkat, upper, name, target, sizeof target - 1);
    target[length > 0 ? length : 0] = 0;
    walk.listener->change(change, now->kind == KIND_LINK ? target : NULL);
}

/* What a commit would displace must be as it was when the command began, and in nobody's use. */
static void check_displaced(int work, const char *name, const struct object *was)
{
    if (!untouched(walk.layers, was)) {
        problem("changed-meanwhile");
        return;
    }
    if (was->kind != KIND_FILE)
        return;
    long lease = lease_take(work, name, was);
    if (lease >= 0)
        lease_end((int)lease);
    else if (lease == -EAGAIN_)
        problem("open-elsewhere");
    else if (lease == -ENOENT_)
        problem("changed-meanwhile");
    else
        problem("not-yours");
}

typedef void (*visitor)(int folder, int other, const char *name, int operate);

static void each(int fd, int other, visitor visit)
{
    struct entries entries;
    const char *name;
    long error = 0;
    entries_begin(&entries, fd, walk.names[walk.depth], NAMES_BYTES);
    while ((name = entries_next(&entries, &error)) != NULL) {
        size_t before;
        if (!down(name, &before))
            continue;
        visit(fd, other, name, 0);
        up(before);
    }
    if (error < 0)
        system_problem(error);
}

static void each_below(int folder, const char *name, visitor visit)
{
    long fd = folder_enter(folder, name);
    if (fd < 0) {
        system_problem(fd);
        return;
    }
    each((int)fd, NONE, visit);
    kernel(close, fd);
}

/* The working folder's object at the path, with all below it, as deleted. */
static void list_deleted(int work, int other, const char *name, int operate)
{
    static const struct object missing;
    struct object was;
    (void)other;
    long result = object_at(work, name, &was);
    if (result < 0) {
        system_problem(result);
        return;
    }
    if (was.kind == KIND_MISSING)
        return;
    check_displaced(work, name, &was);
    add(DELETED, operate, &missing, &was, NONE, name);
    if (was.kind == KIND_FOLDER)
        each_below(work, name, list_deleted);
}

static int keepable(int upper, const char *name, struct object *now)
{
    if (now->kind == KIND_OTHER) {
        walk.listener->note("special-file", walk.path);
        /* In the scratch folder only: it must not travel with the folder it lies in. */
        kernel(unlinkat, upper, name, 0);
        return 0;
    }
    if (now->kind == KIND_FILE && (now->mode & SET_ID_BITS) != 0) {
        walk.listener->note("set-id-dropped", walk.path);
        now->mode &= ~SET_ID_BITS;
        kernel(fchmodat, upper, name, now->mode);
    }
    return 1;
}

/* The upper layer's object at the path, with all below it, as new. */
static void list_created(int upper, int other, const char *name, int operate)
{
    static const struct object missing;
    struct object now;
    (void)other;
    long result = object_at(upper, name, &now);
    if (result < 0) {
        system_problem(result);
        return;
    }
    if (now.kind == KIND_MISSING || !keepable(upper, name, &now))
        return;
    /* Below a folder that hides the lower one, an absent file is just absent. */
    if (now.kind == KIND_WHITEOUT || (now.kind == KIND_FILE && now.size == 0 && attributes_whiteout(upper, name))) {
        kernel(unlinkat, upper, name, 0);
        return;
    }
    add(CREATED, operate, &now, &missing, upper, name);
    if (now.kind == KIND_FOLDER)
        each_below(upper, name, list_created);
}

static int same_content(int upper, int work, const char *name, uint64_t size)
{
    static char blocks[2][BLOCK_BYTES];
    long a = kernel(openat, upper, name, O_RDONLY_ | O_NOFOLLOW | O_CLOEXEC_ | O_NONBLOCK_);
    long b = kernel(openat, work, name, O_RDONLY_ | O_NOFOLLOW | O_CLOEXEC_ | O_NONBLOCK_);
    int same = a >= 0 && b >= 0;
    for (uint64_t at = 0; same && at < size;) {
        long got = kernel(pread64, a, blocks[0], BLOCK_BYTES, at);
        same = got > 0 && kernel(pread64, b, blocks[1], got, at) == got;
        for (long byte = 0; same && byte < got; byte++)
            same = blocks[0][byte] == blocks[1][byte];
        at += same ? (uint64_t)got : 0;
    }
    if (a >= 0)
        kernel(close, a);
    if (b >= 0)
        kernel(close, b);
    return same;
}

static int same_link(int upper, int work, const char *name)
{
    static char texts[2][PATH_BYTES];
    long a = kernel(readlinkat, upper, name, texts[0], PATH_BYTES - 1);
    long b = kernel(readlinkat, work, name, texts[1], PATH_BYTES - 1);
    if (a < 0 || a != b)
        return 0;
    texts[0][a] = texts[1][b] = 0;
    return text_equal(texts[0], texts[1]);
}

static int same_moment(struct moment a, struct moment b)
{
    return !moment_after(a, b) && !moment_after(b, a);
}

/* A file or link where one of the same kind was. */
static void compare(int upper, int work, const char *name, struct object *now, const struct object *was)
{
    int same = now->kind == KIND_LINK ? same_link(upper, work, name)
                                      : now->size == was->size && same_content(upper, work, name, now->size);
    if (!same) {
        check_displaced(work, name, was);
        if (was->kind == KIND_FILE && was->links > 1)
            walk.listener->note("other-links", walk.path);
        add(CHANGED, 1, now, was, upper, name);
        return;
    }
    if (now->kind == KIND_LINK || (now->mode == was->mode && same_moment(now->modified, was->modified)))
        return;
    if (!untouched(walk.layers, was))
        problem("changed-meanwhile");
    add(METADATA, 1, now, was, upper, name);
}

static void list_changed(int upper, int work, const char *name, int operate);

static void merged_folder(int upper, int work, const char *name, const struct object *now, const struct object *was)
{
    if (!attributes_origin_is(upper, work, name)) {
        problem("gone-meanwhile");
        return;
    }
    if (now->mode != was->mode) {
        if (!untouched(walk.layers, was))
            problem("changed-meanwhile");
        add(METADATA, 1, now, was, upper, name);
    }
    long above = folder_enter(upper, name);
    long below = folder_enter(work, name);
    if (above < 0 || below < 0)
        system_problem(above < 0 ? above : below);
    else
        each((int)above, (int)below, list_changed);
    if (above >= 0)
        kernel(close, above);
    if (below >= 0)
        kernel(close, below);
}

/* Another kind of object, or a folder that was removed and made again. */
static void replaced(int upper, int work, const char *name, const struct object *now, const struct object *was)
{
    check_displaced(work, name, was);
    add(REPLACED, 1, now, was, upper, name);
    if (was->kind == KIND_FOLDER)
        each_below(work, name, list_deleted);
    if (now->kind == KIND_FOLDER)
        each_below(upper, name, list_created);
}

/* The name is free in the working folder. Was it when the command began? */
static void appeared(int upper, int work, const char *name, const struct object *now)
{
    struct object folder;
    int copied = now->kind != KIND_LINK && attributes_copied(upper, name);
    if (copied && now->kind == KIND_FOLDER && !attributes_opaque(upper, name)) {
        problem("gone-meanwhile");
        return;
    }
    if (copied && (object_of(work, &folder) < 0 || !untouched(walk.layers, &folder))) {
        problem("gone-meanwhile");
        return;
    }
    list_created(upper, NONE, name, 1);
}

static void list_changed(int upper, int work, const char *name, int operate)
{
    struct object now;
    struct object was;
    long result = object_at(upper, name, &now);
    (void)operate;
    if (result >= 0)
        result = object_at(work, name, &was);
    if (result < 0) {
        system_problem(result);
        return;
    }
    if (now.kind == KIND_MISSING)
        return;
    if (now.kind == KIND_WHITEOUT || (now.kind == KIND_FILE && now.size == 0 && attributes_whiteout(upper, name))) {
        list_deleted(work, NONE, name, 1);
        return;
    }
    if (now.kind == KIND_OTHER && was.kind != KIND_MISSING) {
        problem("special-file");
        return;
    }
    if (!keepable(upper, name, &now))
        return;
    if (was.kind == KIND_MISSING)
        appeared(upper, work, name, &now);
    else if (now.kind != was.kind || (now.kind == KIND_FOLDER && attributes_opaque(upper, name)))
        replaced(upper, work, name, &now, &was);
    else if (now.kind == KIND_FOLDER)
        merged_folder(upper, work, name, &now, &was);
    else
        compare(upper, work, name, &now, &was);
}

void changes_list(struct changes *changes, const struct layers *layers, const struct listener *listener)
{
    memset(changes, 0, sizeof *changes);
    walk.changes = changes;
    walk.layers = layers;
    walk.listener = listener;
    walk.depth = 0;
    walk.length = 0;
    walk.path[0] = 0;
    each(layers->upper, layers->work, list_changed);
}
