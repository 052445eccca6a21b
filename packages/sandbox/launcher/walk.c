#include "walk.h"

#include "arena.h"
#include "text.h"

#define MAX_DEPTH 200
#define MAX_CHANGES 1000000UL
/* Of all paths together: the engine holds the list as well. */
#define MAX_PATH_BYTES (64UL << 20)
#define NAMES_BYTES 8192

/* A walk: the path it is at, and for each level a buffer that its folder's names are read into. */
struct walk {
    struct changes *changes;
    const struct layers *layers;
    const struct listener *listener;
    unsigned depth;
    /* Said once that there is too much. */
    int full;
    size_t length;
    char path[PATH_BYTES];
    char names[MAX_DEPTH + 1][NAMES_BYTES];
};

static struct walk walk;

const struct layers *walk_layers(void)
{
    return walk.layers;
}

const char *walk_path(void)
{
    return walk.path;
}

void walk_note(const char *code)
{
    walk.listener->note(code, walk.path);
}

void walk_problem(const char *code)
{
    walk.changes->problems++;
    walk.listener->problem(code, walk.path);
}

void walk_system_problem(long error)
{
    char code[32] = "errno-";
    text_append_number(code, sizeof code, -error);
    walk_problem(code);
}

/* Steps down to `name`; false if that is too deep to be kept. */
static int down(const char *name, size_t *before)
{
    size_t room = text_length(name) + 2;
    *before = walk.length;
    if (walk.depth == MAX_DEPTH || walk.length + room > sizeof walk.path) {
        walk_problem("too-deep");
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

void walk_add(enum what what, int operate, const struct object *now, const struct object *was, int upper, const char *name)
{
    static char target[PATH_BYTES];
    struct change *change = NULL;
    walk.changes->bytes += walk.length;
    if (walk.changes->count < MAX_CHANGES && walk.changes->bytes <= MAX_PATH_BYTES)
        change = arena_take(sizeof *change + walk.length + 1);
    if (change == NULL) {
        if (!walk.full)
            walk_problem("too-many");
        walk.full = 1;
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

void walk_each(int fd, int other, visitor visit)
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
        walk_system_problem(error);
}

void walk_below(int folder, const char *name, visitor visit)
{
    long fd = folder_enter(folder, name);
    if (fd < 0) {
        walk_system_problem(fd);
        return;
    }
    walk_each((int)fd, -1, visit);
    kernel(close, fd);
}

void walk_begin(struct changes *changes, const struct layers *layers, const struct listener *listener)
{
    memset(changes, 0, sizeof *changes);
    walk.changes = changes;
    walk.layers = layers;
    walk.listener = listener;
    walk.depth = 0;
    walk.full = 0;
    walk.length = 0;
    walk.path[0] = 0;
}
