/* What the recorder's parts share: the disk that is watched, its log, and names as another process resolves them. */
#ifndef POWER_RECORD_H
#define POWER_RECORD_H

#define _GNU_SOURCE
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#define PATH_BYTES 8192
/* fchmodat2, which older headers lack. */
#define FCHMODAT2 452

/* Ends the recorder with exit code 99: a record with a hole in it proves nothing. */
void fail(const char *what, const char *about);

/* The watched disk, by any folder of it. Its tree is logged as what was there before. `log` and `log`.data are made. */
void disk_open(const char *root, const char *log);
int on_disk(const struct stat *facts);
void disk_close(void);

/* Nanoseconds of the clock that a client's own times are taken from. */
uint64_t now(void);

/* An object and where it lies. `parent` is 0 where there is no such folder, or where it lies on another disk. */
struct place {
    char path[PATH_BYTES];
    /* The parent as this process names it; empty if it can't. */
    char outside[PATH_BYTES];
    char name[256];
    ino_t parent;
    /* Of the object itself, not followed; st_ino is 0 if it is not there. */
    struct stat facts;
};

/* Fills `place` with what `path` is to the thread `tid`, below `folder` as the `at` calls take it. */
void place_of(struct place *place, pid_t tid, int folder, const char *path);
/* Looks at the object again, after the call. */
void place_again(struct place *place);
/* The object is in the log from now on, if it was not: what the kernel made in an upper layer gets a name elsewhere. */
void place_known(const struct place *place);
/* What a descriptor of `tid` leads to; 0 if it leads to nothing on the disk. */
int descriptor_of(struct stat *facts, char *path, pid_t tid, int fd);

/* Lines of the log. `begun` is when the call began. */
void log_call(const char *op, uint64_t begun);
void log_number(const char *field, int64_t value);
void log_text(const char *field, const char *text);
void log_data(const void *bytes, size_t length);
void log_end(void);

/* An object that came to be: its facts, its name in `place` if it has one, its content if `whole`. */
void log_object(const struct place *place, const struct stat *facts, const char *path, int whole, uint64_t begun);
/*
 * An object must be in the log before a call on it is. What the kernel made itself in an upper layer is found here, with
 * all that lies in it, in the state it has now.
 */
void make_known(const char *path, const struct stat *facts);
void forget(ino_t number);

/* Bytes of the memory of a thread that stands still. */
void memory_of(pid_t tid, uint64_t address, void *bytes, size_t size);

/* One traced call of one thread, from its beginning to its end. */
struct call {
    int active;
    uint64_t number;
    uint64_t args[6];
    uint64_t begun;
    struct place from;
    struct place to;
    struct stat facts;
    char path[PATH_BYTES];
};

/* True if the call may change the disk: then `call_ended` must be called with its result. */
int call_begun(struct call *call, pid_t tid);
void call_ended(struct call *call, pid_t tid, int64_t result);

#endif
