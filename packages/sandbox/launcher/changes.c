#include "changes.h"

#include "attributes.h"
#include "known.h"
#include "obstacle.h"
#include "own.h"
#include "replayer.h"
#include "same.h"
#include "walk.h"

#define SET_ID_BITS 06000U
#define NONE (-1)

int untouched(const struct layers *layers, const struct object *object)
{
    return object->kind == KIND_MISSING || own_is(object) ||
           (!layers->clock_set && !moment_after(object->changed, layers->began));
}

/* True if it is left out, with all below it: the rest can be kept. Else nothing can. */
static int conflict(const char *code)
{
    if (walk_layers()->keeps_rest)
        walk_note("left-out");
    else
        walk_problem(code);
    return walk_layers()->keeps_rest;
}

/* True if it is left out. */
static int check_displaced(int work, const char *name, const struct object *was)
{
    const char *code = obstacle(work, name, was);
    return code != NULL && conflict(code);
}

/* True if the whole tree is left out, of a command whose rest is kept. */
static int tree_left_out(int work, const char *name, const struct object *was)
{
    return walk_layers()->keeps_rest && obstacle_below(work, name, was) != NULL && conflict("");
}

/* The working folder's object at the path, with all below it, as deleted. */
static void list_deleted(int work, int other, const char *name, int operate)
{
    static const struct object missing;
    struct object was;
    (void)other;
    long result = object_at(work, name, &was);
    if (result < 0) {
        walk_system_problem(result);
        return;
    }
    if (was.kind == KIND_MISSING || (operate && tree_left_out(work, name, &was)))
        return;
    const char *code = obstacle(work, name, &was);
    if (code != NULL)
        walk_problem(code);
    walk_add(DELETED, operate, &missing, &was, NONE, name);
    if (was.kind == KIND_FOLDER)
        walk_below(work, name, list_deleted);
}

/* Not the command's: a replay, or a commit before, gave its view what it has there. A folder counts by what lies in it. */
static int is_given(int upper, const char *name, const struct object *now)
{
    return walk_layers()->keeps_rest && now->kind != KIND_FOLDER &&
           (text_equal(name, REPLAY_HALF) || known_is(upper, name, walk_path(), now));
}

static int keepable(int upper, const char *name, struct object *now)
{
    if (now->kind == KIND_OTHER) {
        walk_note("special-file");
        /* In the scratch folder only: it must not travel with the folder it lies in. */
        kernel(unlinkat, upper, name, 0);
        return 0;
    }
    if (now->kind == KIND_FILE && (now->mode & SET_ID_BITS) != 0) {
        walk_note("set-id-dropped");
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
        walk_system_problem(result);
        return;
    }
    if (now.kind == KIND_MISSING || is_given(upper, name, &now) || !keepable(upper, name, &now))
        return;
    /* Below a folder that hides the lower one, an absent file is just absent. */
    if (now.kind == KIND_WHITEOUT || (now.kind == KIND_FILE && now.size == 0 && attributes_whiteout(upper, name))) {
        kernel(unlinkat, upper, name, 0);
        return;
    }
    walk_add(CREATED, operate, &now, &missing, upper, name);
    if (now.kind == KIND_FOLDER)
        walk_below(upper, name, list_created);
}

/* A file or link where one of the same kind was. */
/* Only where all users are mapped can a command give anything away. */
static int given_away(const struct object *now, const struct object *was)
{
    return walk_layers()->owners && !object_same_owner(now, was);
}

static void compare(int upper, int work, const char *name, struct object *now, const struct object *was)
{
    int same = now->kind == KIND_LINK ? same_link(upper, work, name)
                                      : now->size == was->size && same_content(upper, work, name, now->size);
    /* The same content under a second, new name: only by taking its place does the old name stay that file's. */
    if (!same || (now->kind == KIND_FILE && now->links > 1)) {
        if (check_displaced(work, name, was))
            return;
        if (was->kind == KIND_FILE && was->links > 1)
            walk_note("other-links");
        walk_add(CHANGED, 1, now, was, upper, name);
        return;
    }
    int given = given_away(now, was);
    if (!given && (now->kind == KIND_LINK || (now->mode == was->mode && moment_same(now->modified, was->modified))))
        return;
    /*
     * Set in place, it would be set under the other names, too, which may lie anywhere. Times alone are let go. A link can't be
     * opened to be set.
     */
    if (was->links > 1 || now->kind == KIND_LINK) {
        if (!given && now->mode == was->mode)
            return;
        if (check_displaced(work, name, was))
            return;
        if (was->links > 1)
            walk_note("other-links");
        walk_add(CHANGED, 1, now, was, upper, name);
        return;
    }
    if (!untouched(walk_layers(), was) && conflict("changed-meanwhile"))
        return;
    walk_add(METADATA, 1, now, was, upper, name);
}

static void list_changed(int upper, int work, const char *name, int operate);

/*
 * Was the folder put in the place of the one that the command saw? Moving it there changed its change time and the
 * names of the folder above. A change of its own names moves both its times; then the folder above decides.
 */
static int may_be_another(int above, const char *name, const struct object *folder)
{
    struct object parent;
    if (untouched(walk_layers(), folder))
        return 0;
    if (!moment_after(folder->modified, walk_layers()->began))
        return 1;
    /* In the time of a command that goes on, names come and go everywhere: then the folder must be older than the command. */
    if (walk_layers()->keeps_rest)
        return moment_after(object_born(above, name), walk_layers()->began);
    return object_of(above, &parent) < 0 || !untouched(walk_layers(), &parent);
}

/* In a folder that the command itself made no mark says what it took away: what it made before, and is not there now. */
static void list_taken(int work, int upper, const char *name, int operate)
{
    struct object now;
    struct object was;
    (void)operate;
    if (object_at(upper, name, &now) < 0 || object_at(work, name, &was) < 0 || now.kind != KIND_MISSING || !own_is(&was))
        return;
    list_deleted(work, -1, name, 1);
}

static void merged_folder(int upper, int work, const char *name, const struct object *now, const struct object *was)
{
    if (!own_was(was) && may_be_another(work, name, was)) {
        conflict("gone-meanwhile");
        return;
    }
    if (now->mode != was->mode || given_away(now, was)) {
        if (untouched(walk_layers(), was) || !conflict("changed-meanwhile"))
            walk_add(METADATA, 1, now, was, upper, name);
    }
    long above = folder_enter(upper, name);
    long below = folder_enter(work, name);
    if (above < 0 || below < 0)
        walk_system_problem(above < 0 ? above : below);
    else
        walk_each((int)above, (int)below, list_changed);
    /* One that was copied up has marks for what was taken away. */
    if (above >= 0 && below >= 0 && own_was(was) && !attributes_copied(upper, name))
        walk_each((int)below, (int)above, list_taken);
    if (above >= 0)
        kernel(close, above);
    if (below >= 0)
        kernel(close, below);
}

/* Another kind of object, or a folder that was removed and made again. */
static void replaced(int upper, int work, const char *name, const struct object *now, const struct object *was)
{
    if (tree_left_out(work, name, was))
        return;
    const char *code = obstacle(work, name, was);
    if (code != NULL)
        walk_problem(code);
    walk_add(REPLACED, 1, now, was, upper, name);
    if (was->kind == KIND_FOLDER)
        walk_below(work, name, list_deleted);
    if (now->kind == KIND_FOLDER)
        walk_below(upper, name, list_created);
}

/* The name is free in the working folder. Was it when the command began? */
static void appeared(int upper, int work, const char *name, const struct object *now)
{
    struct object folder;
    int copied = now->kind != KIND_LINK && attributes_copied(upper, name);
    if (copied && now->kind == KIND_FOLDER && !attributes_opaque(upper, name)) {
        conflict("gone-meanwhile");
        return;
    }
    if (copied && (object_of(work, &folder) < 0 || !untouched(walk_layers(), &folder))) {
        conflict("gone-meanwhile");
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
        walk_system_problem(result);
        return;
    }
    if (now.kind == KIND_MISSING || is_given(upper, name, &now))
        return;
    if (now.kind == KIND_WHITEOUT || (now.kind == KIND_FILE && now.size == 0 && attributes_whiteout(upper, name))) {
        list_deleted(work, NONE, name, 1);
        return;
    }
    if (now.kind == KIND_OTHER && was.kind != KIND_MISSING) {
        walk_problem("special-file");
        return;
    }
    if (!keepable(upper, name, &now))
        return;
    if (was.kind == KIND_MISSING)
        appeared(upper, work, name, &now);
    else if (now.kind != was.kind || (now.kind == KIND_FOLDER && attributes_opaque(upper, name) && !own_was(&was)))
        replaced(upper, work, name, &now, &was);
    else if (now.kind == KIND_FOLDER)
        merged_folder(upper, work, name, &now, &was);
    else
        compare(upper, work, name, &now, &was);
}

void changes_list(struct changes *changes, const struct layers *layers, const struct listener *listener)
{
    walk_begin(changes, layers, listener);
    walk_each(layers->upper, layers->work, list_changed);
}
