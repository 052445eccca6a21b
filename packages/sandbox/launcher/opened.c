#include "opened.h"

#include <linux/inotify.h>

#include "mount.h"
#include "tell.h"

/* Settings of a project are few; the rest of the hidden files is only hidden. */
#define MAX_WATCHED 64
#define MASKS "/.hidden/"

static int watch = -1;
/* Watches have the numbers 1, 2, 3 …: the order of the files. */
static long made;

void opened_begin(void)
{
    watch = (int)kernel(inotify_init1, O_CLOEXEC_ | O_NONBLOCK_);
}

const char *opened_mask(void)
{
    static char path[64];
    if (watch < 0 || made == MAX_WATCHED)
        return NULL;
    path[0] = 0;
    text_append(path, sizeof path, MASKS);
    text_append_number(path, sizeof path, made + 1);
    make_file(path);
    /* Once: a program that opens it again and again fills no queue. */
    if (kernel(inotify_add_watch, watch, path, IN_OPEN | IN_ONESHOT) != made + 1) {
        opened_ready();
        return NULL;
    }
    made++;
    return path;
}

void opened_ready(void)
{
    if (watch >= 0)
        kernel(close, watch);
    watch = -1;
}

/* The hidden path of the working folder with this number; NULL if there is none. */
static const char *hidden_path(const struct options *options, long number)
{
    for (size_t index = 0; index < options->path_count; index++) {
        const struct named_path *named = &options->paths[index];
        if (named->use == USE_HIDE && text_is_below(named->path, options->work) && --number == 0)
            return named->path + text_length(options->work) + 1;
    }
    return NULL;
}

void opened_tell(const struct options *options)
{
    static union {
        struct inotify_event first;
        char bytes[4096];
    } events;
    if (watch < 0)
        return;
    for (;;) {
        long length = kernel(read, watch, events.bytes, sizeof events.bytes);
        if (length <= 0)
            break;
        for (long at = 0; at + (long)sizeof events.first <= length;) {
            struct inotify_event event;
            memcpy(&event, events.bytes + at, sizeof event);
            const char *path = event.mask & IN_OPEN ? hidden_path(options, event.wd) : NULL;
            if (path != NULL)
                tell("opened", NULL, path);
            at += (long)(sizeof event + event.len);
        }
    }
    opened_ready();
}
