/*
 * Order: copies of everything to show are taken from the host's tree; an empty root is mounted, gets its
 * /proc and becomes the root; the host's tree is detached; then all is attached, parents before children.
 * The working folder is opened without following links. What lies inside it is attached last and without
 * following links, because earlier commands may have put any link there.
 * /tmp and the home may be folders that other commands write at the same time, and the working folder may lie
 * below them. So once it is attached, every path in it starts at its own descriptor.
 */
#include "root.h"

#include <linux/mount.h>

#include "egress.h"
#include "hosts.h"
#include "mount.h"
#include "neighbour.h"
#include "system-paths.h"
#include "unlinked.h"
#include "work.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define MAX_PLACES (MAX_PATHS + 128)
/* Any folder that every system has; the host's tree under it is already copied when it is covered. */
#define STAGE "/usr"
#define DETACH 2
#define PRIVATE_OPTIONS "mode=0700,size=50%"
#define SHARED_OPTIONS "mode=1777,size=50%"
#define AROUND_OPTIONS "mode=0755,size=16m"

enum place_kind { PLACE_COPY, PLACE_NEIGHBOUR, PLACE_LINK, PLACE_EMPTY };

/* One thing to show at `path`: a detached mount, a link, or an empty folder with tmpfs options. */
struct place {
    enum place_kind kind;
    const char *path;
    int copy;
    int folder;
    const char *text;
};

static struct place places[MAX_PLACES];
static size_t place_count;
static char link_texts[8192];
static size_t link_texts_used;
/* Of the folders around the working folder, where they lie in one that programs may write; "" for none. */
static char around[PATH_BYTES];

static struct place *add(enum place_kind kind, const char *path)
{
    if (place_count == MAX_PLACES)
        fail("too many mounts at", path, 0);
    places[place_count] = (struct place){kind, path, -1, 0, NULL};
    return &places[place_count++];
}

static void add_empty(const char *path, const char *options)
{
    add(PLACE_EMPTY, path)->text = options;
}

static void add_copy(const char *path, unsigned flags)
{
    struct place *place = add(PLACE_COPY, path);
    place->copy = mount_copy(AT_FDCWD, path, flags, "take");
    place->folder = is_folder(place->copy, path);
}

static void add_neighbour(const struct named_path *neighbour, const struct options *options)
{
    struct place *place = add(PLACE_NEIGHBOUR, neighbour->path);
    place->copy = neighbour_mount(neighbour, options);
    place->folder = 1;
}

static void add_overlay(const struct overlay *overlay, const struct options *options)
{
    struct place *place = add(PLACE_COPY, options->work);
    place->copy = overlay_mount(overlay, options);
    place->folder = 1;
}

/* What lies at `from` of the host appears at `path`. */
static void add_found(const char *path, const char *from, unsigned flags)
{
    int found = (int)must(open_unlinked(from), "open without links", from);
    struct place *place = add(PLACE_COPY, path);
    place->copy = mount_copy(found, "", flags, "take");
    place->folder = is_folder(place->copy, path);
    kernel(close, found);
}

/* An empty folder, or one of those that outlive the command. */
static void add_temporary(const char *path, const char *from, const char *name)
{
    static char paths[3][PATH_BYTES];
    static size_t used;
    if (from == NULL) {
        add_empty(path, SHARED_OPTIONS);
        return;
    }
    char *whole = paths[used++];
    text_append(whole, PATH_BYTES, from);
    text_append(whole, PATH_BYTES, name);
    add_found(path, whole, MOUNT_WRITABLE);
}

static void add_home(const struct options *options)
{
    if (options->home_from == NULL)
        add_empty(options->home, PRIVATE_OPTIONS);
    else
        add_found(options->home, options->home_from, options->home_read_only ? MOUNT_READ_ONLY : MOUNT_WRITABLE);
}

/* Shows a system path if the host has it; a link is shown as a link, not as what it leads to. */
static void add_system(const char *path)
{
    char *text = link_texts + link_texts_used;
    size_t room = sizeof link_texts - link_texts_used;
    long length = kernel(readlinkat, AT_FDCWD, path, text, room);
    if (length == -EINVAL_) {
        add_copy(path, MOUNT_READ_ONLY);
    } else if (length >= 0) {
        if ((size_t)length >= room)
            fail("too many links at", path, 0);
        text[length] = 0;
        link_texts_used += (size_t)length + 1;
        add(PLACE_LINK, path)->text = text;
    } else if (length != -ENOENT_ && length != -ENOTDIR_ && length != -EACCES_) {
        fail("look at", path, length);
    }
}

/*
 * Below /tmp or the home the folders around the working folder are not those that the user knows, and nothing written there would
 * reach them: they are read-only, as the folders around a working folder anywhere else.
 */
static void add_around(const struct options *options)
{
    const char *const writable[] = {"/tmp", "/var/tmp", "/dev/shm", options->home};
    for (size_t index = 0; index < COUNT(writable) && around[0] == 0; index++) {
        size_t length = text_length(writable[index]) + 1;
        if (!text_is_below(options->work, writable[index]) || text_equal(options->work, writable[index]))
            continue;
        while (options->work[length] != '/' && options->work[length] != 0)
            length++;
        if (options->work[length] == 0)
            return;
        memcpy(around, options->work, length);
        add_empty(around, AROUND_OPTIONS);
    }
}

static void close_mount(const char *path)
{
    struct mount_attr attributes = {.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV};
    must(kernel(mount_setattr, AT_FDCWD, path, 0, &attributes, sizeof attributes), "close", path);
}

static void collect(const struct options *options, const struct overlay *overlay)
{
    for (size_t index = 0; index < COUNT(system_paths); index++)
        add_system(system_paths[index]);
    add_empty("/dev", "mode=0755,size=64k");
    add_temporary("/dev/shm", options->temp_from, "/shm");
    add_temporary("/tmp", options->temp_from, "/tmp");
    add_temporary("/var/tmp", options->temp_from, "/var-tmp");
    for (size_t index = 0; index < COUNT(device_paths); index++)
        add_copy(device_paths[index], MOUNT_READ_ONLY | MOUNT_DEVICES);
    for (size_t index = 0; index < COUNT(fixed_links); index++)
        add(PLACE_LINK, fixed_links[index].path)->text = fixed_links[index].target;
    add_home(options);
    add_around(options);
    for (size_t index = 0; index < options->path_count; index++)
        if (options->paths[index].use == USE_SHOW)
            add_copy(options->paths[index].path, MOUNT_READ_ONLY);
    if (options->egress != NULL)
        add(PLACE_COPY, EGRESS_SOCKET)->copy = mount_copy(AT_FDCWD, options->egress, MOUNT_READ_ONLY, "take");
    if (overlay != NULL)
        add_overlay(overlay, options);
    else
        add_found(options->work, options->work, MOUNT_WRITABLE);
    /* Last: the first one covers a folder of the host. */
    for (size_t index = 0; index < options->path_count; index++)
        if (options->paths[index].use == USE_NEIGHBOUR)
            add_neighbour(&options->paths[index], options);
}

/* Shorter paths first, so parents come before children; equal ones keep their order. */
static void sort_places(void)
{
    for (size_t index = 1; index < place_count; index++) {
        struct place moved = places[index];
        size_t length = text_length(moved.path);
        size_t at = index;
        for (; at > 0 && text_length(places[at - 1].path) > length; at--)
            places[at] = places[at - 1];
        places[at] = moved;
    }
}

void root_change(const char *processes)
{
    mount_empty(STAGE, "mode=0755,size=16m");
    must(kernel(chdir, STAGE), "enter the new root", NULL);
    if (processes != NULL) {
        must(kernel(mkdirat, AT_FDCWD, "proc", 0555), "make /proc", NULL);
        must(kernel(mount, "proc", "proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY, processes),
             "mount /proc", NULL);
    }
    must(kernel(pivot_root, ".", "."), "change the root", NULL);
    must(kernel(umount2, ".", DETACH), "leave the old root", NULL);
    must(kernel(chdir, "/"), "enter the new root", NULL);
}

static long point_of(const struct place *place, const struct options *options, int inside)
{
    if (inside)
        return work_point(place->path, options, LINKS_REFUSED);
    return neighbour_around(place->path) ? neighbour_point(place->path, LINKS_REFUSED)
                                         : mount_point(place->path, LINKS_FOLLOWED);
}

static void show(const struct place *place, const struct options *options)
{
    int is_work = text_equal(place->path, options->work);
    int inside = text_is_below(place->path, options->work) && !is_work;
    if (place->kind == PLACE_LINK) {
        /* The folder above is made by making a file of the link's name and taking it away again. */
        make_file(place->path);
        must(kernel(unlinkat, AT_FDCWD, place->path, 0), "make link", place->path);
        must(kernel(symlinkat, place->text, AT_FDCWD, place->path), "make link", place->path);
        return;
    }
    /* Nothing is ever made in the user's folder for the sake of a mount point. */
    int given = inside || neighbour_around(place->path);
    if (!given && (place->kind == PLACE_EMPTY || place->folder))
        make_folders(place->path, 0755);
    else if (!given)
        make_file(place->path);
    long point = point_of(place, options, inside);
    must(point, "find", place->path);
    if (is_work) {
        mount_attach_open(place->copy, (int)point, place->path);
        work_opened(place->copy);
    } else if (place->kind == PLACE_NEIGHBOUR) {
        mount_attach_open(place->copy, (int)point, place->path);
        neighbour_opened(place->path, place->copy);
    } else if (place->kind == PLACE_COPY) {
        mount_attach(place->copy, (int)point, place->path);
    } else {
        kernel(close, point);
        mount_empty(place->path, place->text);
    }
}

/*
 * An own set of terminals, which ends with the box: programs that need one, such as script or tmux, make it here.
 * A kernel without them is no reason to refuse the command.
 */
static void show_terminals(void)
{
    make_folders("/dev/pts", 0755);
    kernel(mount, "devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=0620,max=256");
}

/* Package tools complain where their folder of settings is missing. */
static void make_settings_folders(void)
{
    long fd = kernel(openat, AT_FDCWD, "/etc/apt", O_PATH_ | O_CLOEXEC_);
    if (fd < 0)
        return;
    kernel(close, fd);
    make_folders("/etc/apt/apt.conf.d", 0755);
}

void root_enter(const struct options *options, const struct overlay *overlay)
{
    must(kernel(mount, "none", "/", NULL, MS_REC | MS_PRIVATE, NULL), "make mounts private", NULL);
    /* Takes the caller's mask out of the folders made here. */
    long mask = kernel(umask, 022);
    collect(options, overlay);
    hosts_read();
    sort_places();
    root_change("");
    make_file(EMPTY_FILE);
    make_folders("/run", 0755);
    for (size_t index = 0; index < place_count; index++)
        show(&places[index], options);
    show_terminals();
    hosts_write();
    make_settings_folders();
    work_shield(options);
    close_mount("/");
    close_mount("/dev");
    if (around[0] != 0)
        close_mount(around);
    kernel(umask, mask);
}
