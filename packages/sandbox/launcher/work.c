#include "work.h"

#include "mount.h"
#include "neighbour.h"
#include "opened.h"
#include "unlinked.h"

/*
 * No process in the box can open it, not even root with its rights over files: it belongs to init, which no process may trace. To
 * `stat` it is an empty file.
 */
#define CLOSED_FILE "/proc/1/environ"

/* The attached working folder. */
static int work_root = -1;

void work_opened(int root)
{
    work_root = root;
}

/* The rest of a path in the working folder, without the folder's own. */
static const char *below_work(const char *path, const struct options *options)
{
    const char *rest = path + text_length(options->work);
    return *rest == '/' ? rest + 1 : rest;
}

/* A path in the working folder, whatever stands above it by now. */
long work_point(const char *path, const struct options *options, enum links links)
{
    const char *rest = below_work(path, options);
    if (links == LINKS_REFUSED)
        return open_unlinked_below(work_root, rest);
    return kernel(openat, work_root, *rest == 0 ? "." : rest, O_PATH_ | O_CLOEXEC_);
}

/* Mounts the object at `path` onto itself: it can then be neither renamed nor removed in the box. */
static void pin(const char *path, const struct options *options, unsigned flags)
{
    int point = (int)must(work_point(path, options, LINKS_REFUSED), "protect", path);
    if ((flags & MOUNT_READ_ONLY) == 0 && mount_is_root(point)) {
        kernel(close, point);
        return;
    }
    mount_attach(mount_copy(point, "", flags, "protect"), point, path);
}

/* The folders on the way are pinned, too: else one could be renamed and a new path put in its place. */
static void protect(const char *path, const struct options *options)
{
    char part[PATH_BYTES] = "";
    size_t length = text_length(path);
    size_t from = text_length(options->work) + 1;
    for (size_t at = 0; at < length; at++) {
        if (at > from && path[at] == '/') {
            part[at] = 0;
            pin(part, options, MOUNT_WRITABLE);
        }
        part[at] = path[at];
    }
    pin(path, options, MOUNT_READ_ONLY);
}

/* Links are followed here: the new root holds nothing outside, and what a link leads to gets hidden. */
static void hide(const char *path, const struct options *options, const char *file)
{
    long point;
    if (text_is_below(path, options->work)) {
        point = work_point(path, options, LINKS_FOLLOWED);
    } else {
        point = neighbour_point(path, LINKS_REFUSED);
        if (point != -ELOOP_)
            must(point, "hide", path);
        else
            point = neighbour_point(path, LINKS_FOLLOWED);
    }
    if (point == -ENOENT_ || point == -ENOTDIR_)
        return;
    must(point, "hide", path);
    int folder = is_folder((int)point, path);
    int cover = folder ? mount_nothing() : mount_copy(AT_FDCWD, file, MOUNT_READ_ONLY, "hide");
    mount_attach(cover, (int)point, path);
}

/* What the path leads to must be a plain file: its place may have been taken since the caller looked. */
static void fill(const struct named_path *named, const struct options *options)
{
    char source[PATH_BYTES] = "";
    text_append(source, sizeof source, options->fill_from);
    text_append(source, sizeof source, "/");
    text_append_number(source, sizeof source, named->number);
    int point = (int)must(work_point(named->path, options, LINKS_REFUSED), "show", named->path);
    if (is_folder(point, named->path))
        fail("show: not a file:", named->path, 0);
    mount_attach(mount_copy(AT_FDCWD, source, MOUNT_READ_ONLY, "show"), point, named->path);
}

void work_shield(const struct options *options)
{
    for (size_t length = 2; length < PATH_BYTES; length++)
        for (size_t index = 0; index < options->path_count; index++)
            if (options->paths[index].use == USE_PROTECT && text_length(options->paths[index].path) == length)
                protect(options->paths[index].path, options);
    for (size_t index = 0; index < options->path_count; index++) {
        const struct named_path *named = &options->paths[index];
        const char *mask = NULL;
        if (named->use == USE_HIDE && text_is_below(named->path, options->work))
            mask = opened_mask();
        if (named->use == USE_HIDE)
            hide(named->path, options, mask == NULL ? EMPTY_FILE : mask);
        else if (named->use == USE_DENY)
            hide(named->path, options, CLOSED_FILE);
        else if (named->use == USE_FILL)
            fill(named, options);
    }
    opened_ready();
    kernel(close, work_root);
    neighbours_close();
}
