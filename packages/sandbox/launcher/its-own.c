#include "its-own.h"

#include "attributes.h"
#include "known.h"
#include "text.h"

#define NAMES_BYTES 4096
#define MOST_DEPTH 100U

/* True if the command itself made, changed or removed something there, or below it with `whole`. */
static int made_at(int folder, const char *name, char *path, int whole, unsigned depth)
{
    char names[NAMES_BYTES];
    struct entries entries;
    struct object now;
    const char *entry;
    long error = 0;
    int found = 0;
    if (object_at(folder, name, &now) < 0)
        return 1;
    if (now.kind == KIND_MISSING)
        return 0;
    if (now.kind == KIND_FILE && now.size == 0 && attributes_whiteout(folder, name))
        now.kind = KIND_WHITEOUT;
    if (now.kind != KIND_FOLDER)
        return !known_is(folder, name, path, &now);
    if (attributes_opaque(folder, name) && !known_is(folder, name, path, &now))
        return 1;
    if (!whole)
        return 0;
    long fd = depth == 0 ? -E2BIG_ : folder_enter(folder, name);
    if (fd < 0)
        return 1;
    entries_begin(&entries, (int)fd, names, sizeof names);
    while (!found && (entry = entries_next(&entries, &error)) != NULL) {
        size_t length = text_length(path);
        found = length + text_length(entry) + 2 > PATH_BYTES;
        if (found)
            break;
        text_append(path, PATH_BYTES, "/");
        text_append(path, PATH_BYTES, entry);
        found = made_at((int)fd, entry, path, 1, depth - 1);
        path[length] = 0;
    }
    kernel(close, fd);
    return found || error < 0;
}

int is_its_own(int upper, const char *path, int whole)
{
    char at[PATH_BYTES] = "";
    long folder = folder_open(upper, "");
    int own = folder < 0;
    for (const char *rest = path; !own && folder >= 0;) {
        char name[PATH_BYTES];
        size_t length = 0;
        while (rest[length] != '/' && rest[length] != 0)
            length++;
        memcpy(name, rest, length);
        name[length] = 0;
        if (at[0] != 0)
            text_append(at, sizeof at, "/");
        text_append(at, sizeof at, name);
        int is_last = rest[length] == 0;
        own = made_at((int)folder, name, at, whole && is_last, MOST_DEPTH);
        long next = is_last || own ? -1 : folder_enter((int)folder, name);
        /* Removed by it, or by a replay that did not bring it back. */
        own |= next == -ENOTDIR_ || next == -EACCES_;
        kernel(close, folder);
        folder = next;
        rest += is_last ? length : length + 1;
    }
    if (folder >= 0)
        kernel(close, folder);
    return own;
}
