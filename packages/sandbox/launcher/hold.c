#include "hold.h"

#include <linux/inotify.h>
#include <linux/poll.h>
#include <linux/time_types.h>

#include "text.h"

/* The kernel needs a few milliseconds, on a busy machine some more. */
#define LET_GO_SECONDS 2
#define FOLDER_FLAGS (O_RDONLY_ | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC_)

/* Of the overlay's root, where nothing else can happen: unmounting is always told. */
void hold_watch(int watch, int mounted)
{
    char path[64] = "/proc/self/fd/";
    text_append_number(path, sizeof path, mounted);
    kernel(inotify_add_watch, watch, path, IN_DELETE_SELF);
}

static int says_unmounted(int watch)
{
    static union {
        struct inotify_event first;
        char bytes[4096];
    } events;
    long length = kernel(read, watch, events.bytes, sizeof events.bytes);
    for (long at = 0; at + (long)sizeof events.first <= length;) {
        struct inotify_event event;
        memcpy(&event, events.bytes + at, sizeof event);
        if (event.mask & IN_UNMOUNT)
            return 1;
        at += (long)(sizeof event + event.len);
    }
    return 0;
}

int hold_let_go(const struct overlay *overlay)
{
    struct pollfd unmounted = {overlay->watch, POLLIN, 0};
    struct __kernel_timespec left = {LET_GO_SECONDS, 0};
    if (overlay->watch < 0)
        return 0;
    for (;;) {
        /* What was not waited stays in `left`. */
        long ready = kernel(ppoll, &unmounted, 1, &left, NULL, 8);
        if (ready == 0 || (ready < 0 && ready != -EINTR_))
            return 0;
        if (ready > 0 && says_unmounted(overlay->watch))
            return 1;
    }
}

/* Moves the upper layer to `held`. An empty one in its place, or -errno. */
static long begin_anew(const struct places *places)
{
    long result = kernel(mkdirat, places->scratch, HELD, 0700);
    if (result >= 0)
        result = kernel(renameat2, places->scratch, "upper", places->scratch, HELD "/upper", 0);
    if (result >= 0)
        result = kernel(renameat2, places->scratch, "work", places->scratch, HELD "/work", 0);
    if (result >= 0)
        result = kernel(mkdirat, places->scratch, "upper", 0700);
    return result < 0 ? result : kernel(openat, places->scratch, "upper", FOLDER_FLAGS);
}

static void use_upper(struct overlay *overlay, int upper)
{
    kernel(close, overlay->places.upper);
    overlay->places.upper = upper;
    overlay->layers.upper = upper;
}

long hold_copy_upper(struct overlay *overlay, const char **path)
{
    static struct clone storage;
    storage.layer = 1;
    *path = "";
    long copy = begin_anew(&overlay->places);
    if (copy < 0)
        return copy;
    long result = clone_tree(&storage, overlay->places.upper, (int)copy);
    *path = storage.path;
    use_upper(overlay, (int)copy);
    return result;
}

long hold_set_apart(struct overlay *overlay)
{
    long upper = begin_anew(&overlay->places);
    if (upper < 0)
        return upper;
    use_upper(overlay, (int)upper);
    return 0;
}

long hold_enter(struct overlay *overlay)
{
    struct places *places = &overlay->places;
    long scratch = kernel(openat, places->scratch, HELD, FOLDER_FLAGS);
    if (scratch < 0)
        return scratch;
    long result = kernel(mkdirat, scratch, "parked", 0700);
    long parked = result < 0 ? result : kernel(openat, scratch, "parked", FOLDER_FLAGS);
    long upper = parked < 0 ? parked : kernel(openat, scratch, "upper", FOLDER_FLAGS);
    if (upper < 0)
        return upper;
    kernel(close, places->upper);
    kernel(close, places->parked);
    places->scratch = (int)scratch;
    places->parked = (int)parked;
    places->upper = (int)upper;
    overlay->layers.upper = (int)upper;
    return 0;
}

long hold_take_back(struct overlay *overlay)
{
    struct places *places = &overlay->places;
    struct object held;
    long result = object_at(places->scratch, HELD, &held);
    if (result < 0 || held.kind == KIND_MISSING)
        return result;
    long original = kernel(openat, places->scratch, HELD "/upper", FOLDER_FLAGS);
    /* It never left its place. */
    if (original < 0)
        return tree_remove(places->scratch, HELD);
    kernel(close, original);
    result = tree_remove(places->scratch, "upper");
    if (result >= 0 || result == -ENOENT_)
        result = kernel(renameat2, places->scratch, HELD "/upper", places->scratch, "upper", 0);
    if (result >= 0)
        result = kernel(renameat2, places->scratch, HELD "/work", places->scratch, "work", 0);
    if (result >= 0)
        result = tree_remove(places->scratch, HELD);
    if (result < 0)
        return result;
    long upper = kernel(openat, places->scratch, "upper", FOLDER_FLAGS);
    if (upper < 0)
        return upper;
    kernel(close, places->upper);
    places->upper = (int)upper;
    overlay->layers.upper = (int)upper;
    return 0;
}
