/* Facts about one object of a file tree, and its name by descriptor. Nothing here follows a symbolic link. */
#ifndef BULKHEAD_OBJECT_H
#define BULKHEAD_OBJECT_H

#include "kernel.h"

enum kind { KIND_MISSING, KIND_FILE, KIND_FOLDER, KIND_LINK, KIND_OTHER, KIND_WHITEOUT };

/* Seconds and nanoseconds of the file system's clock. */
struct moment {
    int64_t seconds;
    uint32_t nanoseconds;
};

/* In a journal as it is here: what is added to it must find room (plan.c). */
struct object {
    enum kind kind : 16;
    uint32_t links : 16; /* 65535: so many or more */
    uint32_t mode; /* permission and set-id bits only */
    uint32_t group;
    uint32_t owner;
    uint64_t number; /* inode */
    uint64_t device;
    uint64_t size;
    struct moment modified;
    struct moment changed;
};

/* Fills `object`; one that is not there is KIND_MISSING and no error. The kernel's answer, 0 or -errno. */
long object_at(int folder, const char *name, struct object *object);
long object_of(int fd, struct object *object);
/* When the object came to be; never where the file system does not know. */
struct moment object_born(int folder, const char *name);
/* True if both are one object, and nobody has changed its content or, for a folder, its names. */
int object_same(const struct object *a, const struct object *b);
int object_same_owner(const struct object *a, const struct object *b);
/* True if `a` is later than `b`. */
int moment_after(struct moment a, struct moment b);
int moment_same(struct moment a, struct moment b);

/* Opens the folder `path` below `root` ("" is root itself), crossing neither links nor mounts. */
long folder_open(int root, const char *path);
/* Opens the folder that holds `path`, and points `name` at its last component. */
long folder_of(int root, const char *path, const char **name);
/* Opens a folder by its name for reading its entries. */
long folder_enter(int folder, const char *name);

/* Reads a folder's entries one by one from the first on, as they are now, without `.` and `..`. `buffer` must stay until the end. */
struct entries {
    int fd;
    char *buffer;
    size_t size;
    long filled;
    long at;
};
void entries_begin(struct entries *entries, int fd, char *buffer, size_t size);
/* The next name, NULL at the end; `error` is then 0 or -errno. Valid until the next call. */
const char *entries_next(struct entries *entries, long *error);

/*
 * A number for the names in a folder and the inodes they stand for, whatever their order; 0 or -errno. For telling whether a name
 * came or went: it is no defence against names that are chosen to look alike.
 */
long folder_digest(int folder, const char *name, uint64_t *digest);

/* Removes the object and all below it, as far as that goes; 0 or the first -errno. */
long tree_remove(int folder, const char *name);

#endif
