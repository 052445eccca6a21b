/* What each recorded system call has done, told once it has ended. */
#include "record.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXCHANGE 2U

static void log_times(const struct stat *facts)
{
    log_number("changedSeconds", facts->st_mtim.tv_sec);
    log_number("changedNanoseconds", facts->st_mtim.tv_nsec);
}

/* Where a write without an offset of its own has ended. */
static int64_t position(pid_t tid, int fd)
{
    char path[64];
    long long at = 0;
    snprintf(path, sizeof path, "/proc/%d/fdinfo/%d", tid, fd);
    FILE *file = fopen(path, "re");
    if (file == NULL || fscanf(file, "pos: %lld", &at) != 1)
        fail("read", path);
    fclose(file);
    return at;
}

/* What lies on the disk now, from `offset`: how the bytes came there does not matter. */
static void log_range(struct call *call, pid_t tid, int fd, int64_t offset, int64_t length)
{
    char link[64];
    char *bytes = malloc((size_t)length + 1);
    snprintf(link, sizeof link, "/proc/%d/fd/%d", tid, fd);
    int own = open(link, O_RDONLY | O_CLOEXEC);
    if (own < 0 || bytes == NULL || pread(own, bytes, (size_t)length, offset) != length || fstat(own, &call->facts) < 0)
        fail("read what was written through", link);
    log_call("wrote", call->begun);
    log_number("number", (int64_t)call->facts.st_ino);
    log_number("offset", offset);
    log_data(bytes, (size_t)length);
    log_times(&call->facts);
    log_end();
    free(bytes);
    close(own);
}

static void log_size(struct call *call, const struct stat *facts)
{
    log_call("sized", call->begun);
    log_number("number", (int64_t)facts->st_ino);
    log_number("size", facts->st_size);
    log_times(facts);
    log_end();
}

static void log_attributes(struct call *call, const struct stat *facts)
{
    log_call("attributes", call->begun);
    log_number("number", (int64_t)facts->st_ino);
    log_number("mode", facts->st_mode & 07777);
    log_times(facts);
    log_end();
}

static void log_name(const char *op, const char *number, const struct place *place)
{
    log_text(op, place->name);
    log_number(number, (int64_t)place->parent);
}

static void open_ended(struct call *call, pid_t tid, int64_t fd)
{
    char link[64];
    struct stat facts;
    snprintf(link, sizeof link, "/proc/%d/fd/%d", tid, (int)fd);
    if (stat(link, &facts) < 0 || !on_disk(&facts))
        return;
    int isUnnamed = (call->args[5] & O_TMPFILE) == O_TMPFILE;
    if (isUnnamed || call->from.facts.st_ino == 0) {
        log_object(isUnnamed ? NULL : &call->from, &facts, link, 0, call->begun);
    } else if ((call->args[5] & O_TRUNC) != 0 && S_ISREG(facts.st_mode)) {
        make_known(call->from.path, &facts);
        log_size(call, &facts);
    }
}

static void renamed(struct call *call, unsigned flags)
{
    if (call->from.facts.st_ino == call->to.facts.st_ino)
        return;
    log_call((flags & EXCHANGE) != 0 ? "exchanged" : "renamed", call->begun);
    log_name("from", "fromParent", &call->from);
    log_name("to", "toParent", &call->to);
    log_end();
    if ((flags & EXCHANGE) == 0 && call->to.facts.st_nlink == 1)
        forget(call->to.facts.st_ino);
}

static void removed(struct call *call)
{
    log_call("removed", call->begun);
    log_name("name", "parent", &call->from);
    log_end();
    if (S_ISDIR(call->from.facts.st_mode) || call->from.facts.st_nlink == 1)
        forget(call->from.facts.st_ino);
}

static void linked(struct call *call)
{
    place_again(&call->to);
    log_call("linked", call->begun);
    log_number("number", (int64_t)call->to.facts.st_ino);
    log_name("name", "parent", &call->to);
    log_end();
}

static void made(struct call *call, struct place *place)
{
    place_again(place);
    if (place->facts.st_ino != 0)
        log_object(place, &place->facts, place->path, 0, call->begun);
}

static void attributes_ended(struct call *call, struct place *place)
{
    place_again(place);
    if (on_disk(&place->facts))
        log_attributes(call, &place->facts);
}

static void flushed(struct call *call)
{
    int isAll = call->number == SYS_sync || call->number == SYS_syncfs;
    log_call(isAll ? "flushed-all" : "flushed", call->begun);
    if (!isAll)
        log_number("number", (int64_t)call->facts.st_ino);
    log_end();
}

void call_ended(struct call *call, pid_t tid, int64_t result)
{
    int fd = (int)call->args[0];
    char link[64];
    if (result < 0)
        return;
    snprintf(link, sizeof link, "/proc/%d/fd/%d", tid, fd);
    switch (call->number) {
#ifdef SYS_open
    case SYS_open:
    case SYS_creat:
#endif
    case SYS_openat:
    case SYS_openat2:
        open_ended(call, tid, result);
        return;
    case SYS_write:
    case SYS_writev:
    case SYS_sendfile:
        log_range(call, tid, fd, position(tid, fd) - result, result);
        return;
    case SYS_pwrite64:
    case SYS_pwritev:
    case SYS_pwritev2:
        log_range(call, tid, fd, (int64_t)call->args[3], result);
        return;
    case SYS_copy_file_range:
    case SYS_splice: {
        int to = (int)call->args[2];
        int64_t end = position(tid, to);
        int64_t offset = 0;
        if (call->args[3] != 0)
            memory_of(tid, call->args[3], &offset, sizeof offset);
        log_range(call, tid, to, (call->args[3] != 0 ? offset : end) - result, result);
        return;
    }
    case SYS_ioctl:
    case SYS_fallocate:
        /* Blocks that are shared with another file, or room: what lies there now, whole. */
        stat(link, &call->facts);
        log_size(call, &call->facts);
        if (call->facts.st_size > 0)
            log_range(call, tid, fd, 0, call->facts.st_size);
        return;
    case SYS_ftruncate:
        stat(link, &call->facts);
        log_size(call, &call->facts);
        return;
    case SYS_truncate:
        place_again(&call->from);
        log_size(call, &call->from.facts);
        return;
#ifdef SYS_rename
    case SYS_rename:
#endif
    case SYS_renameat:
        renamed(call, 0);
        return;
    case SYS_renameat2:
        renamed(call, (unsigned)call->args[4]);
        return;
#ifdef SYS_mkdir
    case SYS_mkdir:
    case SYS_mknod:
#endif
    case SYS_mkdirat:
    case SYS_mknodat:
    case SYS_bind:
        made(call, &call->from);
        return;
#ifdef SYS_unlink
    case SYS_unlink:
    case SYS_rmdir:
#endif
    case SYS_unlinkat:
        removed(call);
        return;
#ifdef SYS_link
    case SYS_link:
#endif
    case SYS_linkat:
        linked(call);
        return;
#ifdef SYS_symlink
    case SYS_symlink:
#endif
    case SYS_symlinkat:
        made(call, &call->to);
        return;
    case SYS_fchmod:
        stat(link, &call->facts);
        log_attributes(call, &call->facts);
        return;
    case SYS_utimensat:
        if (call->args[1] != 0) {
            attributes_ended(call, &call->from);
            return;
        }
        stat(link, &call->facts);
        log_attributes(call, &call->facts);
        return;
#ifdef SYS_chmod
    case SYS_chmod:
#endif
    case SYS_fchmodat:
    case FCHMODAT2:
        attributes_ended(call, &call->from);
        return;
    case SYS_mmap:
        log_call("mapped", call->begun);
        log_text("path", call->path);
        log_end();
        return;
    default:
        flushed(call);
    }
}
