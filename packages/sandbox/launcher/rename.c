#include "rename.h"

#include <linux/ioctl.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <linux/stat.h>

#include "confine.h"
#include "filter.h"
#include "move.h"
#include "text.h"

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif
/* Since Linux 6.6: the answer wakes the one that waits on this processor. */
#define SET_FLAGS_ 0x40082104UL
#define WAKE_HERE 1UL
#define UNSHARE_ 2U
#define PAGE 4096UL
#define NOREPLACE 1U
#define FOLDER_OF_NAMES (O_PATH_ | O_DIRECTORY | O_CLOEXEC_)

/* As the kernel's struct iovec. */
struct piece {
    uint64_t at;
    uint64_t size;
};

/* One end of a rename: the folder that holds the name, and the name. */
struct end {
    long folder;
    char path[PATH_BYTES];
    const char *name;
};

/* Page by page: the text may end just before one that is not there. */
static int read_text(long process, uint64_t from, char *text)
{
    for (uint64_t at = 0; at < PATH_BYTES;) {
        uint64_t size = PAGE - (from + at) % PAGE;
        if (size > PATH_BYTES - at)
            size = PATH_BYTES - at;
        struct piece here = {(uint64_t)(uintptr_t)(text + at), size};
        struct piece there = {from + at, size};
        if (kernel(process_vm_readv, process, &here, 1, &there, 1, 0) != (long)size)
            return 0;
        for (uint64_t end = at + size; at < end; at++)
            if (text[at] == 0)
                return 1;
    }
    return 0;
}

static int begins(const char *text, const char *with)
{
    for (; *with != 0; text++, with++)
        if (*text != *with)
            return 0;
    return 1;
}

/* Where a path starts that is not absolute. */
static void name_start(char *path, size_t size, long process, int folder)
{
    path[0] = 0;
    text_append(path, size, "/proc/");
    text_append_number(path, size, process);
    text_append(path, size, folder == AT_FDCWD ? "/cwd/" : "/fd/");
    if (folder != AT_FDCWD)
        text_append_number(path, size, folder);
    text_append(path, size, "/");
}

static int is_folder(int folder, const char *path)
{
    struct statx facts;
    return kernel(statx, folder, path, AT_SYMLINK_NOFOLLOW, STATX_TYPE, &facts) >= 0 &&
           (facts.stx_mode & S_IFMT) == S_IFDIR;
}

/* One look tells most renames, which are of files. The name alone: with a slash behind it a link would be followed. */
static int may_be_folder(long process, int folder, const struct end *end)
{
    char path[PATH_BYTES + 64] = "";
    if (end->path[0] != '/')
        name_start(path, sizeof path, process, folder);
    text_append(path, sizeof path, end->path);
    return is_folder(AT_FDCWD, path);
}

/* Cuts the name off the path. Not for `.` and `..`, and not below /proc and /dev, where `self` is whoever looks. */
static int split_name(struct end *end)
{
    size_t length = text_length(end->path);
    while (length > 1 && end->path[length - 1] == '/')
        end->path[--length] = 0;
    size_t cut = length;
    while (cut > 0 && end->path[cut - 1] != '/')
        cut--;
    end->name = end->path + cut;
    return length > 0 && end->name[0] != 0 && !text_equal(end->name, ".") && !text_equal(end->name, "..") &&
           !begins(end->path, "/proc/") && !begins(end->path, "/dev/");
}

static int read_end(struct end *end, long process, uint64_t path)
{
    end->folder = -1;
    return read_text(process, path, end->path) && split_name(end);
}

static int open_end(struct end *end, long process, int folder)
{
    char holder[PATH_BYTES];
    char start[64];
    size_t length = (size_t)(end->name - end->path);
    memcpy(holder, end->path, length);
    holder[length] = 0;
    if (holder[0] == '/') {
        end->folder = kernel(openat, AT_FDCWD, holder, FOLDER_OF_NAMES);
        return end->folder >= 0;
    }
    name_start(start, sizeof start, process, folder);
    long from = kernel(openat, AT_FDCWD, start, FOLDER_OF_NAMES);
    if (from < 0)
        return 0;
    end->folder = kernel(openat, from, length == 0 ? "." : holder, FOLDER_OF_NAMES);
    kernel(close, from);
    return end->folder >= 0;
}

/* Another user's process has other rights over files. */
static int is_same_user(long process)
{
    struct statx facts;
    char path[64] = "/proc/";
    text_append_number(path, sizeof path, process);
    return kernel(statx, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_UID, &facts) >= 0 &&
           facts.stx_uid == (uint32_t)kernel(geteuid);
}

/* What the call says, whichever of the three it is. */
static void read_call(const struct seccomp_data *data, int *folders, uint64_t *paths, unsigned *flags)
{
    int plain = 0;
#if defined(__x86_64__)
    plain = data->nr == __NR_rename;
#endif
    folders[0] = plain ? AT_FDCWD : (int)data->args[0];
    folders[1] = plain ? AT_FDCWD : (int)data->args[2];
    paths[0] = data->args[plain ? 0 : 1];
    paths[1] = data->args[plain ? 1 : 3];
    *flags = data->nr == __NR_renameat2 ? (unsigned)data->args[4] : 0;
}

static int is_still_there(int listener, uint64_t id)
{
    return kernel(ioctl, listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) >= 0;
}

/* The result of the rename; 1 where the kernel is to carry it out for the process that asked. */
static long carry_out(int listener, const struct seccomp_notif *asked)
{
    static struct end old;
    static struct end new;
    int folders[2];
    uint64_t paths[2];
    unsigned flags;
    long process = asked->pid;
    long result = 1;
    read_call(&asked->data, folders, paths, &flags);
    if ((flags & ~NOREPLACE) != 0 || !read_end(&old, process, paths[0]) || !may_be_folder(process, folders[0], &old) ||
        !read_end(&new, process, paths[1]))
        return 1;
    if (open_end(&old, process, folders[0]) && open_end(&new, process, folders[1]) && is_same_user(process) &&
        is_still_there(listener, asked->id) && is_folder((int)old.folder, old.name)) {
        result = kernel(renameat2, old.folder, old.name, new.folder, new.name, flags);
        if (result == -EXDEV_)
            result = move_folder((int)old.folder, old.name, (int)new.folder, new.name, flags);
    }
    if (old.folder >= 0)
        kernel(close, old.folder);
    if (new.folder >= 0)
        kernel(close, new.folder);
    return result;
}

static void serve(int listener)
{
    kernel(ioctl, listener, SET_FLAGS_, WAKE_HERE);
    for (;;) {
        struct seccomp_notif asked;
        memset(&asked, 0, sizeof asked);
        long result = kernel(ioctl, listener, SECCOMP_IOCTL_NOTIF_RECV, &asked);
        if (result == -EINTR_ || result == -ENOENT_)
            continue;
        if (result < 0)
            return;
        result = carry_out(listener, &asked);
        struct seccomp_notif_resp answer = {asked.id, 0, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE};
        if (result <= 0)
            answer = (struct seccomp_notif_resp){asked.id, 0, (int32_t)result, 0};
        kernel(ioctl, listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
    }
}

/* The descriptors are init's until the listener is among them. */
static void await_listener(const struct renames *renames, uint32_t kept)
{
    int listener;
    drop_privileges(kept | 1U << CAP_SYS_PTRACE);
    restrict_calls(PROFILE_SHELL);
    must(kernel(prctl, PR_SET_DUMPABLE, 0, 0, 0, 0), "hide", "the process that renames");
    if (kernel(read, renames->listener[0], &listener, sizeof listener) != (long)sizeof listener || listener < 0)
        return;
    must(kernel(close_range, ~0U, ~0U, UNSHARE_), "take", "the descriptors");
    kernel(write, renames->taken[1], "", 1);
    kernel(close_range, 0, listener - 1, 0);
    kernel(close_range, listener + 1, ~0U, 0);
    /* Nothing of the box is the place of this process. */
    kernel(chdir, "/proc");
    serve(listener);
}

void renames_start(struct renames *renames, uint32_t kept)
{
    must(kernel(pipe2, renames->listener, O_CLOEXEC_), "make pipe", NULL);
    must(kernel(pipe2, renames->taken, O_CLOEXEC_), "make pipe", NULL);
    /* Without a signal for its end, those that wait for any child do not see it. */
    long child = must(kernel(clone, CLONE_FILES, 0, 0, 0, 0), "start", "the process that renames");
    if (child != 0)
        return;
    await_listener(renames, kept);
    kernel(exit_group, 0);
}

static long listen_to_renames(void)
{
    static struct filter filter;
    filter_begin(&filter);
#if defined(__x86_64__)
    filter_answer(&filter, __NR_rename, SECCOMP_RET_USER_NOTIF);
#endif
#if defined(__NR_renameat)
    filter_answer(&filter, __NR_renameat, SECCOMP_RET_USER_NOTIF);
#endif
    filter_answer(&filter, __NR_renameat2, SECCOMP_RET_USER_NOTIF);
    filter_end(&filter, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {(unsigned short)filter.length, filter.code};
    return kernel(seccomp, SECCOMP_SET_MODE_FILTER,
                  SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, &program);
}

void renames_hand_over(struct renames *renames)
{
    char word;
    int listener = (int)listen_to_renames();
    must(kernel(write, renames->listener[1], &listener, sizeof listener), "hand over", "renames");
    /* Without an answer nothing inside could rename anything. */
    if (listener >= 0 && kernel(read, renames->taken[0], &word, 1) != 1)
        fail("hand over", "renames", 0);
    if (listener >= 0)
        kernel(close, listener);
    for (int side = 0; side < 2; side++) {
        kernel(close, renames->listener[side]);
        kernel(close, renames->taken[side]);
    }
}
