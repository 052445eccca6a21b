/*
 * A copy of the working folder for one command, where no overlay can be made of it; or of an upper layer that somebody may still
 * write, so that what is judged stays what is kept. Contents are shared with the file system's
 * help (FICLONE), or copied as far as the bounds go. What lies where is remembered, so that afterwards a name that was kept can
 * be told from one that was taken away or moved there.
 */
#ifndef BULKHEAD_CLONE_H
#define BULKHEAD_CLONE_H

#include "object.h"
#include "text.h"

/* Of names. Beyond it a walk alone takes longer than a command should wait. */
#define CLONE_MAX_ENTRIES 50000UL
/* Of contents that the file system does not share. */
#define CLONE_MAX_COPIED_BYTES (64UL << 20)
#define CLONE_MAX_SECONDS 3
/* The same of an upper layer: the command has ended, and only what it made is copied. */
#define LAYER_MAX_ENTRIES 100000UL
#define LAYER_MAX_COPIED_BYTES (512UL << 20)
#define LAYER_MAX_SECONDS 10
#define CLONE_TABLE 131072UL

/* One name of the working folder as the copy was made. */
struct original {
    struct original *parent;
    struct original *next;
    struct original *first;
    /* Others in the same place of the tables. */
    struct original *same_number;
    struct original *same_source;
    /* Inode in the working folder, and in the copy; 0: not copied, and not there for the command. */
    uint64_t source;
    uint64_t number;
    enum kind kind;
    /* Owner, group or attributes could not be given to the copy: it can't take the original's place. */
    int foreign;
    /* Found again once the command has ended: at its place, and changed there, with this mode and owner. */
    int seen;
    int touched;
    uint32_t mode;
    uint32_t owner;
    uint32_t group;
    char name[];
};

struct clone {
    struct original *top;
    int to;
    uint64_t device;
    unsigned long entries;
    unsigned long copied_bytes;
    long deadline;
    /* An upper layer: its marks and whiteouts are copied, and what can't be copied is an error. */
    int layer;
    /* The file system shares no contents: not asked again. */
    int plain;
    /* What could not be copied, for the message. */
    char path[PATH_BYTES];
    struct original *by_number[CLONE_TABLE];
    struct original *by_source[CLONE_TABLE];
};

/*
 * Fills the empty folder `to`. Special files are left out (of a layer, a pipe without content stands for each), and what this user
 * can't read. 0 or -errno, with `path` set:
 * -E2BIG, -EFBIG and -ETIME are the three bounds, -EXDEV a file system or subvolume inside.
 */
long clone_tree(struct clone *clone, int from, int to);
/* The name in `parent` that was `number` and of that kind when the copy was made; NULL if there was none. */
struct original *clone_find(const struct clone *clone, const struct original *parent, const char *name,
                            const struct object *object);
/* Path below the working folder; false if it is longer than `size`. */
int clone_path(const struct original *original, char *path, size_t size);

#endif
