#include "own.h"

#include "arena.h"

#define PLACES 4096U

struct owned {
    struct owned *next;
    uint64_t number;
    enum kind kind;
    struct moment changed;
};

static struct owned *table[PLACES];

static struct owned *find(const struct object *object)
{
    struct owned *at = table[object->number % PLACES];
    while (at != NULL && (at->number != object->number || at->kind != object->kind))
        at = at->next;
    return at;
}

long own_know(const struct object *object)
{
    struct owned *owned = find(object);
    if (owned == NULL) {
        owned = arena_take(sizeof *owned);
        if (owned == NULL)
            return -ENOMEM_;
        *owned = (struct owned){table[object->number % PLACES], object->number, object->kind, object->changed};
        table[object->number % PLACES] = owned;
    }
    owned->changed = object->changed;
    return 0;
}

long own_remember(int work, const struct changes *changes)
{
    long result = 0;
    for (const struct change *change = changes->first; result >= 0 && change != NULL; change = change->next) {
        struct object found;
        const char *name;
        long folder = change->now.kind == KIND_MISSING ? -1 : folder_of(work, change->path, &name);
        if (folder < 0)
            continue;
        /* What was set in place stayed the object that it was. */
        int set = change->what == METADATA;
        const struct object *put = set ? &change->was : &change->now;
        int same = object_at((int)folder, name, &found) >= 0 && found.number == put->number && found.kind == put->kind;
        kernel(close, folder);
        if (same && (found.kind == KIND_FOLDER || (set ? found.size == put->size : object_same(&found, put))))
            result = own_know(&found);
    }
    return result;
}

int own_is(const struct object *object)
{
    const struct owned *owned = find(object);
    return owned != NULL && moment_same(owned->changed, object->changed);
}

int own_was(const struct object *object)
{
    return find(object) != NULL;
}
