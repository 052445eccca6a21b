#include "obstacle.h"

#include "lease.h"
#include "walk.h"

#define NAMES_BYTES 4096
#define MAX_DEPTH 200U

const char *obstacle(int work, const char *name, const struct object *was)
{
    if (!untouched(walk_layers(), was))
        return "changed-meanwhile";
    if (was->kind != KIND_FILE)
        return NULL;
    long lease = lease_take(work, name, was);
    if (lease >= 0)
        lease_end((int)lease);
    return lease >= 0           ? NULL
           : lease == -EAGAIN_  ? "open-elsewhere"
           : lease == -ENOENT_ ? "changed-meanwhile"
                               : "not-yours";
}

static const char *look_below(int work, const char *name, const struct object *was, unsigned depth)
{
    char buffer[NAMES_BYTES];
    struct entries entries;
    const char *entry;
    const char *code = obstacle(work, name, was);
    long error = 0;
    if (code != NULL || was->kind != KIND_FOLDER)
        return code;
    long folder = depth == 0 ? -EINVAL_ : folder_enter(work, name);
    if (folder < 0)
        return "not-yours";
    entries_begin(&entries, (int)folder, buffer, sizeof buffer);
    while (code == NULL && (entry = entries_next(&entries, &error)) != NULL) {
        struct object below;
        if (object_at((int)folder, entry, &below) < 0)
            code = "not-yours";
        else if (below.kind != KIND_MISSING)
            code = look_below((int)folder, entry, &below, depth - 1);
    }
    kernel(close, folder);
    return error < 0 ? "not-yours" : code;
}

const char *obstacle_below(int work, const char *name, const struct object *was)
{
    return look_below(work, name, was, MAX_DEPTH);
}
