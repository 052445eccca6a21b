#include "overlay.h"

#include <linux/mount.h>
#include <linux/time_types.h>

#include "attributes.h"
#include "difference.h"
#include "hold.h"
#include "mount.h"
#include "nested.h"
#include "opened.h"
#include "text.h"
#include "unlinked.h"

#define CLOCK_REALTIME_ 0
#define CLOCK_MONOTONIC_ 1
#define CLOCK_REALTIME_COARSE_ 5
#define ABSOLUTE_AND_CANCELLED 3
#define FOLDER_FLAGS (O_RDONLY_ | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC_)
#define EXCHANGED 2U
#define FAR_FUTURE 0x7fffffffffL
#define TICK_NANOSECONDS 500000

static int open_folder(const char *path)
{
    int found = (int)must(open_unlinked(path), "open without links", path);
    int fd = (int)must(kernel(openat, found, ".", FOLDER_FLAGS), "open", path);
    kernel(close, found);
    return fd;
}

static int make_folder(int scratch, const char *name, uint32_t mode)
{
    must(kernel(mkdirat, scratch, name, 0700), "make in the scratch folder", name);
    int fd = (int)must(kernel(openat, scratch, name, FOLDER_FLAGS), "open in the scratch folder", name);
    must(kernel(fchmod, fd, mode), "set the mode of", name);
    return fd;
}

/* A timer that never ends, but that setting the wall clock cancels. */
static int watch_clock(void)
{
    struct __kernel_itimerspec far = {{0, 0}, {FAR_FUTURE, 0}};
    long fd = must(kernel(timerfd_create, CLOCK_REALTIME_, O_CLOEXEC_ | O_NONBLOCK_), "watch the clock", NULL);
    must(kernel(timerfd_settime, fd, ABSOLUTE_AND_CANCELLED, &far, NULL), "watch the clock", NULL);
    return (int)fd;
}

static struct moment just_before(struct moment moment)
{
    return moment.nanoseconds > 0 ? (struct moment){moment.seconds, moment.nanoseconds - 1}
                                  : (struct moment){moment.seconds - 1, 999999999};
}

/*
 * A time after which every change is later than what it gives. File systems that stamp finer than the clock's tick what has
 * been looked at (Linux 6.13, "multigrain timestamps") never stamp earlier than a time they have given out: two changes of
 * the same folder with a look between them tell whether this one does. Else everything in one tick looks alike, and whoever
 * relies on it has to wait for the next.
 */
static struct moment note(struct overlay *overlay, uint32_t mode)
{
    struct object first;
    struct object again;
    must(object_of(overlay->places.upper, &first), "look at", "upper");
    must(kernel(fchmod, overlay->places.upper, mode), "set the mode of", "upper");
    must(object_of(overlay->places.upper, &again), "look at", "upper");
    overlay->fine = moment_after(again.changed, first.changed);
    return overlay->fine ? just_before(again.changed) : again.changed;
}

/* What comes from a copy is put in place by exchange and known by its marks: neither must fail only afterwards. */
static void need_exchange_and_marks(const struct places *places)
{
    struct object parked;
    must(object_of(places->parked, &parked), "look at", "parked");
    must(attributes_mark_opaque(places->scratch, "parked", &parked), "mark a folder in", "the scratch folder");
    for (int twice = 0; twice < 2; twice++)
        must(kernel(renameat2, places->scratch, "parked", places->scratch, "upper", EXCHANGED), "exchange folders in",
             "the scratch folder");
}

static void copy_work(struct overlay *overlay, int inner, uint32_t mode)
{
    static struct clone storage;
    need_exchange_and_marks(&overlay->places);
    /* What the user changes from now on is later than the begin, whether the copy has it or not. */
    overlay_wait_for_tick(overlay);
    overlay->clone = &storage;
    long result = clone_tree(overlay->clone, overlay->places.work, inner);
    const char *path = overlay->clone->path;
    if (result == -E2BIG_)
        fail("copy the working folder: more than 50000 files and folders in it", NULL, 0);
    if (result == -EFBIG_)
        fail("copy the working folder: its disk shares no contents, and it holds more than 64 MiB, up to", path, 0);
    if (result == -ETIME_)
        fail("copy the working folder: it took more than 3 seconds", NULL, 0);
    must(result, "copy to the scratch folder", path);
    overlay->ready = note(overlay, mode);
}

void overlay_begin(struct overlay *overlay, const struct options *options)
{
    struct object work;
    struct object upper;
    struct places *places = &overlay->places;
    refuse_nested_mounts(options->work, NULL, "a file system is mounted inside the working folder:");
    places->work = open_folder(options->work);
    places->scratch = open_folder(options->overlay);
    must(object_of(places->work, &work), "look at", options->work);
    int inner = make_folder(places->scratch, "work", options->copy ? work.mode : 0700);
    places->parked = make_folder(places->scratch, "parked", 0700);
    places->upper = make_folder(places->scratch, "upper", work.mode);
    overlay->clock = watch_clock();
    opened_begin();
    overlay->watch = options->copy ? -1 : (int)kernel(inotify_init1, O_CLOEXEC_ | O_NONBLOCK_);
    must(object_of(places->upper, &upper), "look at", options->overlay);
    if (upper.device != work.device)
        fail("the scratch folder lies on another file system than", options->work, 0);
    overlay->ready = note(overlay, work.mode);
    overlay->layers = (struct layers){places->upper, places->work, overlay->ready, 0, 0, 0};
    if (options->copy)
        copy_work(overlay, inner, work.mode);
    else
        kernel(close, inner);
}

void overlay_of_everyone(struct overlay *overlay)
{
    struct object work;
    const struct places *places = &overlay->places;
    overlay->layers.owners = 1;
    must(object_of(places->work, &work), "look at", "the working folder");
    /* On a disk without owners it stays the launcher's, as everything there. */
    kernel(fchown, places->upper, work.owner, work.group);
    if (overlay->clone != NULL)
        kernel(fchown, overlay->clone->to, work.owner, work.group);
}

void overlay_wait_for_tick(const struct overlay *overlay)
{
    while (!overlay->fine) {
        struct __kernel_timespec now;
        struct __kernel_timespec pause = {0, TICK_NANOSECONDS};
        must(kernel(clock_gettime, CLOCK_REALTIME_COARSE_, &now), "read the clock", NULL);
        struct moment moment = {now.tv_sec, (uint32_t)now.tv_nsec};
        if (moment_after(moment, overlay->ready))
            return;
        kernel(clock_nanosleep, CLOCK_MONOTONIC_, 0, &pause, NULL);
    }
}

static void set_layer(int fs, const char *key, int folder)
{
    char value[64] = "/proc/self/fd/";
    text_append_number(value, sizeof value, folder);
    must(kernel(fsconfig, fs, FSCONFIG_SET_STRING, key, value, 0), "set up the overlay's", key);
}

static void same_or_fail(int a, int b, const char *path)
{
    struct object first;
    struct object second;
    must(object_of(a, &first), "look at", path);
    must(object_of(b, &second), "look at", path);
    if (first.number != second.number || first.device != second.device)
        fail("was replaced while the box was made:", path, 0);
}

/* Layers are opened anew: the kernel takes them only from the mount name space that mounts them. */
int overlay_mount(const struct overlay *overlay, const struct options *options)
{
    int work = open_folder(options->work);
    int scratch = open_folder(options->overlay);
    int upper = (int)must(kernel(openat, scratch, "upper", FOLDER_FLAGS), "open", "upper");
    int inner = (int)must(kernel(openat, scratch, "work", FOLDER_FLAGS), "open", "work");
    same_or_fail(work, overlay->places.work, options->work);
    same_or_fail(upper, overlay->places.upper, options->overlay);
    if (overlay->clone != NULL) {
        same_or_fail(inner, overlay->clone->to, options->overlay);
        return mount_copy(inner, "", MOUNT_WRITABLE, "take");
    }
    int fs = (int)must(kernel(fsopen, "overlay", FSOPEN_CLOEXEC), "open an overlay", NULL);
    set_layer(fs, "lowerdir", work);
    set_layer(fs, "upperdir", upper);
    set_layer(fs, "workdir", inner);
    must(kernel(fsconfig, fs, FSCONFIG_SET_FLAG, "userxattr", NULL, 0), "set up the overlay's", "attributes");
    /* What is kept is brought to the disk when it is committed, not each time a program asks. */
    must(kernel(fsconfig, fs, FSCONFIG_SET_FLAG, "volatile", NULL, 0), "set up the overlay's", "syncing");
    must(kernel(fsconfig, fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0), "make the overlay", NULL);
    int mounted =
        (int)must(kernel(fsmount, fs, FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV), "mount the overlay", NULL);
    hold_watch(overlay->watch, mounted);
    kernel(close, overlay->watch);
    kernel(close, fs);
    kernel(close, inner);
    kernel(close, upper);
    kernel(close, scratch);
    kernel(close, work);
    return mounted;
}

unsigned long overlay_ended(struct overlay *overlay, void (*problem)(const char *code, const char *path))
{
    uint64_t times;
    /* Anything but "not yet" means that the clock can't be relied on. */
    overlay->layers.clock_set |= kernel(read, overlay->clock, &times, sizeof times) != -EAGAIN_;
    if (overlay->clone == NULL)
        return 0;
    struct difference difference = {overlay->clone,  overlay->places.upper, overlay->ready, overlay->layers.clock_set,
                                    problem, 0, 0};
    difference_take(&difference);
    return difference.problems;
}

static int open_if_there(int scratch, const char *name)
{
    long fd = kernel(openat, scratch, name, FOLDER_FLAGS);
    return fd < 0 ? -1 : (int)fd;
}

long overlay_open(struct places *places, const char *scratch, const char *work)
{
    long found = open_unlinked(work);
    if (found < 0)
        return found;
    places->work = (int)kernel(openat, found, ".", FOLDER_FLAGS);
    kernel(close, found);
    found = open_unlinked(scratch);
    if (found < 0)
        return found;
    places->scratch = (int)kernel(openat, found, ".", FOLDER_FLAGS);
    kernel(close, found);
    if (places->work < 0 || places->scratch < 0)
        return -EACCES_;
    places->upper = open_if_there(places->scratch, "upper");
    places->parked = open_if_there(places->scratch, "parked");
    return 0;
}
