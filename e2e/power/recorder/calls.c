/* What each system call that can change a disk does to the watched one. */
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

/* Clients hear what was sent before a flush begins, before it begins: they are other processes and take a moment. */
#define HOLD_MICROSECONDS 1500

void memory_of(pid_t tid, uint64_t address, void *bytes, size_t size)
{
    struct iovec here = {bytes, size};
    struct iovec there = {(void *)address, size};
    if (process_vm_readv(tid, &here, 1, &there, 1, 0) != (ssize_t)size)
        fail("read the memory of", "a traced process");
}

static void text_of(pid_t tid, uint64_t address, char *text)
{
    struct iovec here = {text, PATH_BYTES - 1};
    struct iovec there[2];
    /* A text may end just before memory that is not there. */
    size_t first = 4096 - address % 4096;
    there[0] = (struct iovec){(void *)address, first};
    there[1] = (struct iovec){(void *)(address + first), PATH_BYTES - 1 - first};
    ssize_t got = process_vm_readv(tid, &here, 1, there, 2, 0);
    text[got < 0 ? 0 : got] = 0;
}

static int named(struct place *place, pid_t tid, int folder, uint64_t address)
{
    char path[PATH_BYTES];
    text_of(tid, address, path);
    if (path[0] == 0)
        return 0;
    place_of(place, tid, folder, path);
    return place->parent != 0;
}

static int moved(struct call *call, pid_t tid, int from, uint64_t name, int to, uint64_t as)
{
    int isFrom = named(&call->from, tid, from, name);
    int isTo = named(&call->to, tid, to, as);
    if (isFrom && isTo) {
        place_known(&call->from);
        place_known(&call->to);
    }
    return isFrom && isTo;
}

static int by_descriptor(struct call *call, pid_t tid, int fd)
{
    if (!descriptor_of(&call->facts, call->path, tid, fd))
        return 0;
    make_known(call->path, &call->facts);
    return 1;
}

static int opened(struct call *call, pid_t tid, int folder, uint64_t path, uint64_t flags)
{
    if ((flags & (O_CREAT | O_TRUNC)) == 0 && (flags & O_TMPFILE) != O_TMPFILE)
        return 0;
    if ((flags & (O_DSYNC | O_SYNC)) != 0)
        fail("model", "a file that is opened with O_SYNC");
    call->args[5] = flags;
    return named(&call->from, tid, folder, path);
}

static int flush_of(struct call *call, pid_t tid)
{
    if (!by_descriptor(call, tid, (int)call->args[0]))
        return 0;
    usleep(HOLD_MICROSECONDS);
    call->begun = now();
    return 1;
}

static int is_shared_mapping(struct call *call, pid_t tid)
{
    int isShared = (call->args[3] & MAP_TYPE) != MAP_PRIVATE && (call->args[3] & MAP_ANONYMOUS) == 0;
    return isShared && (call->args[2] & PROT_WRITE) != 0 && by_descriptor(call, tid, (int)call->args[4]);
}

static int bound(struct call *call, pid_t tid)
{
    struct sockaddr_un address;
    memset(&address, 0, sizeof address);
    size_t size = call->args[2] < sizeof address ? call->args[2] : sizeof address;
    memory_of(tid, call->args[1], &address, size);
    if (address.sun_family != AF_UNIX || address.sun_path[0] == 0)
        return 0;
    place_of(&call->from, tid, AT_FDCWD, address.sun_path);
    return call->from.parent != 0;
}

int call_begun(struct call *call, pid_t tid)
{
    const uint64_t *args = call->args;
    struct open_how how;
    call->begun = now();
    switch (call->number) {
#ifdef SYS_open
    case SYS_open:
        return opened(call, tid, AT_FDCWD, args[0], args[1]);
    case SYS_creat:
        return opened(call, tid, AT_FDCWD, args[0], O_CREAT | O_WRONLY | O_TRUNC);
    case SYS_rename:
        return moved(call, tid, AT_FDCWD, args[0], AT_FDCWD, args[1]);
    case SYS_mkdir:
    case SYS_mknod:
    case SYS_rmdir:
    case SYS_unlink:
    case SYS_chmod:
        return named(&call->from, tid, AT_FDCWD, args[0]);
    case SYS_link:
    case SYS_symlink:
        return named(&call->to, tid, AT_FDCWD, args[1]);
#endif
    case SYS_openat:
        return opened(call, tid, (int)args[0], args[1], args[2]);
    case SYS_openat2:
        memory_of(tid, args[2], &how, sizeof how);
        return opened(call, tid, (int)args[0], args[1], how.flags);
    case SYS_write:
    case SYS_pwrite64:
    case SYS_writev:
    case SYS_pwritev:
    case SYS_pwritev2:
    case SYS_ftruncate:
    case SYS_fallocate:
    case SYS_fchmod:
        return by_descriptor(call, tid, (int)args[0]);
    case SYS_ioctl:
        return (args[1] == FICLONE || args[1] == FICLONERANGE) && by_descriptor(call, tid, (int)args[0]);
    case SYS_copy_file_range:
    case SYS_splice:
        return by_descriptor(call, tid, (int)args[2]);
    case SYS_sendfile:
        return by_descriptor(call, tid, (int)args[0]);
    case SYS_truncate:
        return named(&call->from, tid, AT_FDCWD, args[0]);
    case SYS_renameat:
    case SYS_renameat2:
        return moved(call, tid, (int)args[0], args[1], (int)args[2], args[3]);
    case SYS_mkdirat:
    case SYS_mknodat:
    case SYS_unlinkat:
    case SYS_fchmodat:
    case FCHMODAT2:
        return named(&call->from, tid, (int)args[0], args[1]);
    case SYS_linkat:
        return named(&call->to, tid, (int)args[2], args[3]);
    case SYS_symlinkat:
        return named(&call->to, tid, (int)args[1], args[2]);
    case SYS_utimensat:
        return args[1] == 0 ? by_descriptor(call, tid, (int)args[0]) : named(&call->from, tid, (int)args[0], args[1]);
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_syncfs:
        return flush_of(call, tid);
    case SYS_sync:
        return 1;
    case SYS_mmap:
        return is_shared_mapping(call, tid);
    case SYS_bind:
        return bound(call, tid);
    default:
        return 0;
    }
}
