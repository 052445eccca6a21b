/*
 * By the change time of the copy, which no program can set, and by identity: a name is the one that was copied if it is in the same
 * folder, the same inode and of the same kind. So neither a renamed folder nor two that were swapped are taken for what they were.
 */
#include "difference.h"

#include "arena.h"
#include "attributes.h"
#include "commit.h"

#define NAMES_BYTES 32768
#define MAX_FRESH 1000000UL
#define OWNER_ALL 0700U

/* A name that the command made. */
struct fresh {
    struct fresh *next;
    struct object object;
    char name[];
};

/* A folder on the way down. Its twin in the upper layer is made when the first thing goes there. */
struct level {
    struct level *above;
    struct original *folder;
    int copy;
    long upper;
};

static void tell(struct difference *difference, const char *code, const struct level *level, const char *name)
{
    char path[PATH_BYTES];
    difference->problems++;
    if (!clone_path(level->folder, path, sizeof path - 1))
        path[0] = 0;
    if (path[0] != 0 && name[0] != 0)
        text_append(path, sizeof path, "/");
    text_append(path, sizeof path, name);
    difference->problem(code, path);
}

static void tell_error(struct difference *difference, long error, const struct level *level, const char *name)
{
    char code[32] = "errno-";
    text_append_number(code, sizeof code, -error);
    tell(difference, code, level, name);
}

/* The folder's twin in the upper layer; the kernel's answer. */
static long twin(struct level *level)
{
    struct object made;
    if (level->upper >= 0)
        return level->upper;
    const char *name = level->folder->name;
    long above = twin(level->above);
    if (above < 0)
        return above;
    long result = kernel(mkdirat, above, name, OWNER_ALL);
    if (result >= 0)
        result = object_at((int)above, name, &made);
    if (result >= 0)
        result = attributes_mark_copied((int)above, name, &made);
    if (result >= 0)
        result = level->upper = folder_enter((int)above, name);
    return result;
}

static void take(struct difference *difference, struct level *level, const char *name, const struct object *object, int fresh)
{
    long result = twin(level);
    if (result >= 0)
        result = commit_move(level->copy, name, level->upper, name, 0, object);
    if (result >= 0 && !fresh)
        result = attributes_mark_copied((int)level->upper, name, object);
    if (result >= 0 && fresh && object->kind == KIND_FOLDER)
        result = attributes_mark_opaque((int)level->upper, name, object);
    if (result < 0)
        tell_error(difference, result, level, name);
}

/* Marks what is at its place, and gives what isn't. */
static struct fresh *read_folder(struct difference *difference, const struct level *level)
{
    static char names[NAMES_BYTES];
    struct fresh *first = NULL;
    struct entries entries;
    const char *name;
    long error = 0;
    entries_begin(&entries, level->copy, names, sizeof names);
    while ((name = entries_next(&entries, &error)) != NULL) {
        struct object object;
        long result = object_at(level->copy, name, &object);
        struct original *original = clone_find(difference->clone, level->folder, name, &object);
        if (result >= 0 && original != NULL) {
            original->seen = 1;
            original->mode = object.mode;
            original->owner = object.owner;
            original->group = object.group;
            original->touched = difference->clock_set || moment_after(object.changed, difference->made);
            continue;
        }
        size_t length = text_length(name);
        struct fresh *fresh = result < 0 || difference->fresh == MAX_FRESH ? NULL : arena_take(sizeof *fresh + length + 1);
        if (fresh == NULL) {
            if (result < 0)
                tell_error(difference, result, level, name);
            else
                tell(difference, "too-many", level, name);
            continue;
        }
        difference->fresh++;
        fresh->object = object;
        memcpy(fresh->name, name, length + 1);
        fresh->next = first;
        first = fresh;
    }
    if (error < 0)
        tell_error(difference, error, level, "");
    return first;
}

static void take_folder(struct difference *difference, struct level *level);

static void descend(struct difference *difference, struct level *above, struct original *folder)
{
    if ((folder->mode & OWNER_ALL) != OWNER_ALL)
        kernel(fchmodat, above->copy, folder->name, folder->mode | OWNER_ALL);
    struct level level = {above, folder, (int)folder_enter(above->copy, folder->name), -1};
    if (level.copy < 0) {
        tell_error(difference, level.copy, above, folder->name);
        return;
    }
    long result = folder->touched ? twin(&level) : 0;
    if (result < 0)
        tell_error(difference, result, above, folder->name);
    else
        take_folder(difference, &level);
    kernel(close, level.copy);
    if (level.upper < 0)
        return;
    /* As the command left it: another's, if it gave it away; closed, if it closed it. */
    kernel(fchown, level.upper, folder->owner, folder->group);
    kernel(fchmod, level.upper, folder->mode);
    kernel(close, level.upper);
}

static void take_known(struct difference *difference, struct level *level, struct original *original)
{
    if (original->seen && original->kind == KIND_FOLDER) {
        descend(difference, level, original);
    } else if (original->seen && original->touched) {
        struct object object = {.kind = original->kind, .mode = original->mode};
        if (original->foreign)
            tell(difference, "not-yours", level, original->name);
        take(difference, level, original->name, &object, 0);
    } else if (!original->seen && original->number != 0) {
        long result = twin(level);
        if (result >= 0)
            result = attributes_make_whiteout((int)level->upper, original->name);
        /* Something new has the name. */
        if (result < 0 && result != -EEXIST_)
            tell_error(difference, result, level, original->name);
    }
}

static void take_folder(struct difference *difference, struct level *level)
{
    struct fresh *fresh = read_folder(difference, level);
    for (; fresh != NULL; fresh = fresh->next)
        take(difference, level, fresh->name, &fresh->object, 1);
    for (struct original *at = level->folder->first; at != NULL; at = at->next)
        take_known(difference, level, at);
}

void difference_take(struct difference *difference)
{
    struct clone *clone = difference->clone;
    struct level top = {NULL, clone->top, clone->to, difference->upper};
    take_folder(difference, &top);
}
