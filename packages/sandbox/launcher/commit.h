/* Puts a plan's steps into the working folder, all or none of them. */
#ifndef BULKHEAD_COMMIT_H
#define BULKHEAD_COMMIT_H

#include "plan.h"

/* Descriptors of the folders that take part. */
struct places {
    int scratch;
    int upper;
    int parked;
    int work;
};

/* How it went. `code` is NULL if all was done, else what stood in the way and at which path; `error` is 0 or -errno. */
struct answer {
    const char *code;
    const char *path;
    long error;
    /* Not all that was done could be taken back: what lies in the scratch folder is still needed. */
    int stuck;
};

/* True of a folder that its owner may not write: it is opened to be moved. */
int commit_is_closed(const struct object *object);
/* Renames an object, also a folder that is closed to its owner. `flags` as for renameat2. The kernel's answer. */
long commit_move(long from, const char *name, long to, const char *as, unsigned flags, const struct object *object);

/*
 * Applies the steps until one meets something that is not as it was when the changes were listed: those before it are then to be
 * taken back. The journal must be on the disk.
 */
struct answer commit_apply(const struct plan *plan, const struct places *places);

/*
 * Takes back whatever of the plan was done, last step first. Repeatable. A step whose object somebody has changed since is
 * left and named: code `edited-since`.
 */
struct answer commit_roll_back(const struct plan *plan, const struct places *places);

#endif
