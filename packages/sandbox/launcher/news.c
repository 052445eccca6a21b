#include "news.h"

#include <linux/inotify.h>

#include "arena.h"
#include "object.h"
#include "text.h"

#define PLACES 4096U
#define MOST_FOLDERS 20000UL
#define MOST_DEPTH 100U
#define NAMES_BYTES 2048
#define KIND_UNTOLD 0
#define KIND_TOLD_FOLDER 4
/* A file counts once it is closed: one that is written on and on is not read again each time. */
#define CHANGES                                                                                       \
    (IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_ATTRIB | IN_ONLYDIR | IN_EXCL_UNLINK)

struct folder {
    struct folder *next;
    struct folder *above;
    /* Those in it. */
    struct folder *below;
    struct folder *beside;
    int watch;
    char name[];
};

static struct folder *table[PLACES];
static unsigned long count;
static int events;
static int root;
static news_listener changed;
static void (*missed)(const char *path, long error);

static struct folder *find(int watch)
{
    struct folder *at = table[(unsigned)watch % PLACES];
    while (at != NULL && at->watch != watch)
        at = at->next;
    return at;
}

/* False if it is longer than a path may be. */
static int path_of(const struct folder *folder, const char *name, char *path)
{
    path[0] = 0;
    if (folder->above != NULL && !path_of(folder->above, folder->name, path))
        return 0;
    if (text_length(path) + text_length(name) + 2 > PATH_BYTES)
        return 0;
    if (path[0] != 0 && name[0] != 0)
        text_append(path, PATH_BYTES, "/");
    text_append(path, PATH_BYTES, name);
    return 1;
}

static void miss(const struct folder *above, const char *name, long error)
{
    char path[PATH_BYTES];
    if (above == NULL || !path_of(above, name, path))
        path[0] = 0;
    missed(path, error);
}

static void take_out(struct folder *folder)
{
    struct folder **at = &folder->above->below;
    while (*at != folder)
        at = &(*at)->beside;
    *at = folder->beside;
}

static void forget(struct folder *folder)
{
    while (folder->below != NULL)
        forget(folder->below);
    if (folder->above != NULL)
        take_out(folder);
    kernel(inotify_rm_watch, events, folder->watch);
    struct folder **at = &table[(unsigned)folder->watch % PLACES];
    while (*at != folder)
        at = &(*at)->next;
    *at = folder->next;
    count--;
}

static struct folder *below_of(struct folder *above, const char *name)
{
    struct folder *at = above->below;
    while (at != NULL && !text_equal(at->name, name))
        at = at->beside;
    return at;
}

/* The folder behind `fd`, watched, at its place; NULL with the reason told. */
static struct folder *watch(struct folder *above, const char *name, int fd)
{
    char path[64] = "/proc/self/fd/";
    text_append_number(path, sizeof path, fd);
    long watch = count < MOST_FOLDERS ? kernel(inotify_add_watch, events, path, CHANGES) : -ENOSPC_;
    size_t length = text_length(name);
    struct folder *known = watch < 0 ? NULL : find((int)watch);
    /* It has moved: the kernel knows it by itself, whatever its name. */
    if (known != NULL)
        forget(known);
    if (known != NULL)
        watch = kernel(inotify_add_watch, events, path, CHANGES);
    struct folder *folder = watch < 0 ? NULL : arena_take(sizeof *folder + length + 1);
    if (folder == NULL) {
        miss(above, name, watch < 0 ? watch : -ENOMEM_);
        return NULL;
    }
    *folder = (struct folder){table[(unsigned)watch % PLACES], above, NULL, above == NULL ? NULL : above->below, (int)watch};
    memcpy(folder->name, name, length + 1);
    table[(unsigned)watch % PLACES] = folder;
    if (above != NULL)
        above->below = folder;
    count++;
    return folder;
}

static void tell_of(const struct folder *folder, const char *name)
{
    char path[PATH_BYTES];
    if (path_of(folder, name, path))
        changed(path);
    else
        missed("", -ENAMETOOLONG_);
}

/* With all below it; `is_news`: each name is told. */
static void enter(struct folder *above, const char *name, int fd, int is_news, unsigned depth)
{
    char names[NAMES_BYTES];
    struct entries entries;
    struct object object;
    const char *entry;
    long error = 0;
    /* Before its names are read: what comes later is told. */
    struct folder *folder = watch(above, name, fd);
    if (folder == NULL)
        return;
    entries_begin(&entries, fd, names, sizeof names);
    while ((entry = entries_next(&entries, &error)) != NULL) {
        if (is_news)
            tell_of(folder, entry);
        /* The kind stands before the name, where the file system tells it. */
        int kind = entry[-1];
        if (kind == KIND_UNTOLD && object_at(fd, entry, &object) >= 0 && object.kind == KIND_FOLDER)
            kind = KIND_TOLD_FOLDER;
        if (kind != KIND_TOLD_FOLDER)
            continue;
        long below = depth == 0 ? -E2BIG_ : folder_enter(fd, entry);
        if (below < 0) {
            miss(folder, entry, below);
            continue;
        }
        enter(folder, entry, (int)below, is_news, depth - 1);
        kernel(close, below);
    }
    if (error < 0)
        miss(folder, "", error);
}

long news_begin(int work, news_listener on_change, void (*on_miss)(const char *path, long error))
{
    long made = kernel(inotify_init1, O_CLOEXEC_ | O_NONBLOCK_);
    if (made < 0)
        return made;
    events = (int)made;
    root = work;
    changed = on_change;
    missed = on_miss;
    long fd = folder_open(work, "");
    if (fd < 0)
        return fd;
    enter(NULL, "", (int)fd, 0, MOST_DEPTH);
    kernel(close, fd);
    return events;
}

/* A folder came to that name. It may be another by now, or gone: then more is told of it. */
static void came(struct folder *above, const char *name)
{
    char path[PATH_BYTES];
    const char *last;
    if (!path_of(above, name, path))
        return;
    long folder = folder_of(root, path, &last);
    long fd = folder < 0 ? folder : folder_enter((int)folder, last);
    if (folder >= 0)
        kernel(close, folder);
    if (fd < 0)
        return;
    enter(above, name, (int)fd, 1, MOST_DEPTH);
    kernel(close, fd);
}

static void take(const struct inotify_event *event, const char *name)
{
    if (event->mask & IN_Q_OVERFLOW)
        missed(NULL, -E2BIG_);
    struct folder *folder = find(event->wd);
    /* Of the folder itself, or of one that is not ours any more. */
    if (folder == NULL || event->len == 0)
        return;
    struct folder *below = below_of(folder, name);
    int is_folder = (event->mask & IN_ISDIR) != 0;
    if (is_folder && below != NULL && (event->mask & (IN_MOVED_FROM | IN_DELETE)) != 0)
        forget(below);
    tell_of(folder, name);
    if (is_folder && (event->mask & (IN_MOVED_TO | IN_CREATE)) != 0)
        came(folder, name);
}

void news_read(void)
{
    static char bytes[65536];
    long length;
    while ((length = kernel(read, events, bytes, sizeof bytes)) > 0) {
        for (long at = 0; at + (long)sizeof(struct inotify_event) <= length;) {
            struct inotify_event event;
            memcpy(&event, bytes + at, sizeof event);
            take(&event, bytes + at + sizeof event);
            at += (long)(sizeof event + event.len);
        }
    }
}
