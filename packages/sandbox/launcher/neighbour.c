#include "neighbour.h"

#include <linux/mount.h>
#include <linux/stat.h>

#include "nested.h"
#include "unlinked.h"

/* Its tree is copied already. As a second layer an empty folder is needed: an overlay of one takes no less. */
#define EMPTY_LAYER "/usr"

static struct {
    const char *path;
    int root;
} neighbours[MAX_NEIGHBOURS];
static size_t neighbour_count;
static int empty_layer = -1;

static int open_layer(const char *path)
{
    int found = (int)must(open_unlinked(path), "open without links", path);
    int fd = (int)must(kernel(openat, found, ".", O_RDONLY_ | O_DIRECTORY | O_CLOEXEC_), "open", path);
    kernel(close, found);
    return fd;
}

static void set_option(int fs, const char *key, const char *value)
{
    must(kernel(fsconfig, fs, FSCONFIG_SET_STRING, key, value, 0), "set up the view's", key);
}

static int mount_layers(int folder, const char *path)
{
    char layers[128] = "/proc/self/fd/";
    text_append_number(layers, sizeof layers, folder);
    text_append(layers, sizeof layers, ":/proc/self/fd/");
    text_append_number(layers, sizeof layers, empty_layer);
    int fs = (int)must(kernel(fsopen, "overlay", FSOPEN_CLOEXEC), "open a view of", path);
    set_option(fs, "lowerdir", layers);
    /* Git compares the numbers of files with those that it saw outside. */
    set_option(fs, "xino", "off");
    must(kernel(fsconfig, fs, FSCONFIG_SET_FLAG, "userxattr", NULL, 0), "set up the view's", "attributes");
    must(kernel(fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0), "make a view of", path);
    unsigned attributes = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
    int mounted = (int)must(kernel(fsmount, fs, FSMOUNT_CLOEXEC, attributes), "mount a view of", path);
    kernel(close, fs);
    return mounted;
}

static const char *below(const char *path, const char *folder)
{
    const char *rest = path + text_length(folder);
    return *rest == '/' ? rest + 1 : rest;
}

/* What was listed under another name would be seen under its new one. */
static void need_hidden(int folder, const char *path, const struct options *options)
{
    for (size_t index = 0; index < options->path_count; index++) {
        const struct named_path *named = &options->paths[index];
        if ((named->use != USE_HIDE && named->use != USE_DENY) || text_is_below(named->path, options->work) ||
            !text_is_below(named->path, path))
            continue;
        long found = open_unlinked_below(folder, below(named->path, path));
        if (found != -ELOOP_)
            must(found, "find what is hidden at", named->path);
        kernel(close, found);
    }
}

int neighbour_mount(const struct named_path *neighbour, const struct options *options)
{
    struct statx facts;
    const char *path = neighbour->path;
    const char *except = text_is_below(options->work, path) ? options->work : NULL;
    refuse_nested_mounts(path, except, "a file system is mounted in a folder that is shown:");
    int folder = open_layer(path);
    must(kernel(statx, folder, "", AT_EMPTY_PATH, STATX_INO, &facts), "look at", path);
    if (facts.stx_ino != (unsigned long)neighbour->number)
        fail("was replaced while the box was made:", path, 0);
    need_hidden(folder, path, options);
    if (empty_layer < 0) {
        mount_attach(mount_nothing(), (int)must(mount_point(EMPTY_LAYER, LINKS_REFUSED), "find", EMPTY_LAYER), EMPTY_LAYER);
        empty_layer = open_layer(EMPTY_LAYER);
    }
    int mounted = mount_layers(folder, path);
    kernel(close, folder);
    return mounted;
}

void neighbour_opened(const char *path, int root)
{
    neighbours[neighbour_count].path = path;
    neighbours[neighbour_count++].root = root;
}

static int find(const char *path)
{
    for (size_t index = 0; index < neighbour_count; index++)
        if (text_is_below(path, neighbours[index].path))
            return (int)index;
    return -1;
}

int neighbour_around(const char *path)
{
    return find(path) >= 0;
}

long neighbour_point(const char *path, enum links links)
{
    int index = find(path);
    const char *rest = below(path, neighbours[index].path);
    if (links == LINKS_REFUSED)
        return open_unlinked_below(neighbours[index].root, rest);
    return kernel(openat, neighbours[index].root, *rest == 0 ? "." : rest, O_PATH_ | O_CLOEXEC_);
}

void neighbours_close(void)
{
    for (size_t index = 0; index < neighbour_count; index++)
        kernel(close, neighbours[index].root);
    if (empty_layer >= 0)
        kernel(close, empty_layer);
}
