#include "prepare.h"

#include "attributes.h"

/* So many objects are brought to the disk one by one; more, and all that the file system holds. */
#define SINGLE_SYNCS 32
#define OWNER_ALL 0700U

static int moves(const struct change *change)
{
    return change->what == CREATED || change->what == CHANGED || change->what == REPLACED;
}


/* What we can't open is brought to the disk with all that its file system holds. */
static long sync_object(int folder, const char *name)
{
    long fd = kernel(openat, folder, name, O_RDONLY_ | O_NOFOLLOW | O_CLOEXEC_ | O_NONBLOCK_);
    if (fd < 0)
        return kernel(syncfs, folder);
    long result = kernel(fsync, fd);
    kernel(close, fd);
    return result;
}

static long sync_at(int root, const char *path, enum kind kind)
{
    const char *name;
    long folder = folder_of(root, path, &name);
    if (folder < 0)
        return folder;
    /* A link's text lies with its name. */
    long result = kind == KIND_LINK ? kernel(fsync, folder) : sync_object((int)folder, name);
    kernel(close, folder);
    return result;
}

long prepare_sync(const struct changes *changes, const struct places *places)
{
    unsigned long objects = 0;
    for (const struct change *change = changes->first; change != NULL; change = change->next)
        objects += moves(change);
    if (objects > SINGLE_SYNCS)
        return kernel(syncfs, places->scratch);
    for (const struct change *change = changes->first; change != NULL; change = change->next) {
        long result = moves(change) ? sync_at(places->upper, change->path, change->now.kind) : 0;
        if (result < 0)
            return result;
    }
    return 0;
}

/* What moves out of a folder needs it open to its owner; its mode in the scratch folder is of no more use. */
static long open_folder(int folder, const char *name, const struct object *object)
{
    return kernel(fchmodat, folder, name, object->mode | OWNER_ALL);
}

static int is_folder_set(const struct change *change)
{
    return change->what == METADATA && change->now.kind == KIND_FOLDER;
}

long prepare_strip(const struct changes *changes, const struct places *places)
{
    for (const struct change *change = changes->first; change != NULL; change = change->next) {
        const char *name;
        if (!moves(change) && !is_folder_set(change))
            continue;
        long folder = folder_of(places->upper, change->path, &name);
        if (folder < 0)
            return folder;
        long result = is_folder_set(change) ? open_folder((int)folder, name, &change->now)
                                            : attributes_strip((int)folder, name);
        kernel(close, folder);
        if (result < 0)
            return result;
    }
    return 0;
}

static int is_as_listed(int work, const struct change *change)
{
    const char *name;
    struct object found;
    long folder = folder_of(work, change->path, &name);
    if (folder < 0)
        return 0;
    long result = object_at((int)folder, name, &found);
    kernel(close, folder);
    return result >= 0 && object_same(&found, &change->was) && !moment_after(found.changed, change->was.changed);
}

const char *prepare_recheck(const struct changes *changes, const struct places *places)
{
    for (const struct change *change = changes->first; change != NULL; change = change->next)
        if (change->was.kind != KIND_MISSING && !is_as_listed(places->work, change))
            return change->path;
    return NULL;
}

/* A mode and a time are the object's own. A folder that is closed to its owner was opened and closed again to be moved. */
static int is_set(const struct step *step)
{
    return step->motion == SET || commit_is_closed(&step->now) || commit_is_closed(&step->was);
}

long prepare_sync_folders(const struct plan *plan, const struct places *places)
{
    if (plan->count > SINGLE_SYNCS)
        return kernel(syncfs, places->work);
    for (const struct step *step = plan->first; step != NULL; step = step->next) {
        struct object found;
        const char *name;
        long folder = folder_of(places->work, step->path, &name);
        /* What we can't open, or is gone: with all that its file system holds. */
        if (folder < 0)
            return kernel(syncfs, places->work);
        long result = kernel(fsync, folder);
        if (result >= 0 && is_set(step) && object_at((int)folder, name, &found) >= 0 && found.kind != KIND_MISSING)
            result = sync_object((int)folder, name);
        kernel(close, folder);
        if (result < 0)
            return result;
    }
    return 0;
}
