#include "replayer.h"

#include <linux/openat2.h>

#include "confine.h"
#include "pass.h"
#include "process.h"
#include "refresh.h"
#include "unlinked.h"

#define BLOCK_MORE 0
#define BLOCK_BYTES 65536
#define MODE_BITS 01777U
#define ANY_EXECUTE 0111U
/* So much is written into the file that is there, as an editor does; more, and programs, replace it. */
#define IN_PLACE_BYTES (1UL << 20)
#define OWN_NAMES (RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV)

/* Opens the folder's own entry, in the same mount, whatever has its name by now. */
static long open_own(int folder, const char *name, int flags, unsigned mode)
{
    struct open_how how = {
        .flags = (uint64_t)(flags | O_NOFOLLOW | O_NONBLOCK_ | O_CLOEXEC_), .mode = mode, .resolve = OWN_NAMES};
    return kernel(openat2, folder, name, &how, sizeof how);
}

/* All of `from`, from the start on. */
static long pour(int from, int to)
{
    static char block[BLOCK_BYTES];
    long got;
    for (uint64_t at = 0; (got = kernel(pread64, from, block, sizeof block, at)) > 0; at += (uint64_t)got) {
        long result = write_all(to, block, (size_t)got);
        if (result < 0)
            return result;
    }
    return got;
}

/* Owner, mode and time. Of the owner only what the box may give. */
static long dress(int fd, const struct object *now)
{
    struct object found;
    const struct {
        int64_t seconds;
        int64_t nanoseconds;
    } times[2] = {{0, 0x3ffffffe}, {now->modified.seconds, now->modified.nanoseconds}};
    long result = object_of(fd, &found);
    if (result >= 0 && !object_same_owner(&found, now))
        kernel(fchown, fd, now->owner, now->group);
    if (result >= 0 && found.mode != (now->mode & MODE_BITS))
        result = kernel(fchmod, fd, now->mode & MODE_BITS);
    if (result < 0 || now->kind == KIND_FOLDER)
        return result;
    /* Of what is as it is to be, nobody is told, and nothing changes. */
    int is_set = object_of(fd, &found) >= 0 && moment_same(found.modified, now->modified);
    return is_set ? 0 : kernel(utimensat, fd, NULL, times, 0);
}

static long overwrite(int folder, const char *name, int content, const struct object *now)
{
    struct object found;
    long fd = open_own(folder, name, O_WRONLY_, 0);
    if (fd < 0)
        return fd;
    long result = object_of((int)fd, &found);
    if (result >= 0 && found.kind != KIND_FILE)
        result = -EINVAL_;
    if (result >= 0)
        result = pour(content, (int)fd);
    if (result >= 0 && found.size > now->size)
        result = kernel(ftruncate, fd, now->size);
    if (result >= 0)
        result = dress((int)fd, now);
    kernel(close, fd);
    return result;
}

/* Under `name`, which is free. */
static long write_new(int folder, const char *name, int content, const struct object *now)
{
    long fd = open_own(folder, name, O_WRONLY_ | O_CREAT_ | O_EXCL_, 0600);
    if (fd < 0)
        return fd;
    long result = pour(content, (int)fd);
    if (result >= 0)
        result = dress((int)fd, now);
    kernel(close, fd);
    if (result < 0)
        kernel(unlinkat, folder, name, 0);
    return result;
}

/* Of the file that is there, whatever the command has written in it. */
static long dress_file(int folder, const char *name, const struct object *found, const struct object *now)
{
    long fd = found->kind == KIND_FILE ? open_own(folder, name, O_RDONLY_, 0) : -ENOENT_;
    if (fd < 0)
        return 0;
    long result = dress((int)fd, now);
    kernel(close, fd);
    return result;
}

static long replace(int folder, const char *name, long made)
{
    long result = made < 0 ? made : kernel(renameat2, folder, REPLAY_HALF, folder, name, 0);
    if (made >= 0 && result < 0)
        kernel(unlinkat, folder, REPLAY_HALF, 0);
    return result;
}

static long put_file(int folder, const char *name, int content, const struct object *now)
{
    struct object found;
    long result = object_at(folder, name, &found);
    if (result < 0)
        return result;
    if (found.kind == KIND_MISSING)
        return write_new(folder, name, content, now);
    int in_place = found.kind == KIND_FILE && found.links <= 1 && now->size <= IN_PLACE_BYTES &&
                   found.size <= IN_PLACE_BYTES && ((now->mode | found.mode) & ANY_EXECUTE) == 0;
    result = in_place ? overwrite(folder, name, content, now) : -EINVAL_;
    /* Whoever may not write the file, or has it open in a way that forbids it, sees another one in its place. */
    return result >= 0 ? result : replace(folder, name, write_new(folder, REPLAY_HALF, content, now));
}

static long put_link(int folder, const char *name, const char *target)
{
    long result = kernel(symlinkat, target, folder, name);
    return result == -EEXIST_ ? replace(folder, name, kernel(symlinkat, target, folder, REPLAY_HALF)) : result;
}

static long put_folder(int folder, const char *name, const struct object *now)
{
    long result = kernel(mkdirat, folder, name, 0700);
    long fd = result < 0 && result != -EEXIST_ ? result : open_own(folder, name, O_RDONLY_ | O_DIRECTORY, 0);
    if (fd < 0)
        return fd;
    result = dress((int)fd, now);
    kernel(close, fd);
    return result;
}

/* A folder of the view that was removed outside, also if another has its name now. */
static int is_stale(int folder, const char *name)
{
    char names[512];
    struct entries entries;
    long error = 0;
    long fd = open_own(folder, name, O_RDONLY_ | O_DIRECTORY, 0);
    if (fd < 0)
        return fd == -ESTALE_;
    entries_begin(&entries, (int)fd, names, sizeof names);
    entries_next(&entries, &error);
    kernel(close, fd);
    return error == -ENOENT_ || error == -ESTALE_;
}

/* Watchers of the folder around it learn that a folder of that name has gone. */
static void tell_gone(int folder, const char *name)
{
    if (kernel(mkdirat, folder, name, 0700) >= 0)
        kernel(unlinkat, folder, name, AT_REMOVEDIR);
}

/* A mount of the box hides or protects it, and nothing may come or go there. */
static long is_covered(int folder, const char *name)
{
    long fd = open_own(folder, name, O_PATH_, 0);
    if (fd >= 0)
        kernel(close, fd);
    return fd == -EXDEV_;
}

static long carry_out(int root, const struct replayed *replayed, int content, int refreshed)
{
    const char *name;
    struct object found;
    const struct object *now = &replayed->now;
    long folder = folder_of(root, replayed->path, &name);
    if (folder < 0)
        return folder == -EXDEV_ ? -EBUSY_ : folder;
    long result = is_covered((int)folder, name) ? -EBUSY_ : object_at((int)folder, name, &found);
    if (result >= 0 && found.kind == KIND_FOLDER && is_stale((int)folder, name))
        result = -ESTALE_;
    if (result >= 0 && refreshed && found.kind == KIND_MISSING)
        tell_gone((int)folder, name);
    if (result >= 0 && replayed->as_before) {
        result = dress_file((int)folder, name, &found, now);
        kernel(close, folder);
        return result;
    }
    int both_folders = result >= 0 && found.kind == KIND_FOLDER && now->kind == KIND_FOLDER;
    int in_the_way = result >= 0 && found.kind != KIND_MISSING && !both_folders &&
                     (now->kind == KIND_MISSING || now->kind == KIND_FOLDER || found.kind == KIND_FOLDER);
    if (in_the_way)
        result = tree_remove((int)folder, name);
    if (result >= 0 && now->kind == KIND_FILE)
        result = put_file((int)folder, name, content, now);
    else if (result >= 0 && now->kind == KIND_LINK)
        result = put_link((int)folder, name, replayed->target);
    else if (result >= 0 && now->kind == KIND_FOLDER)
        result = put_folder((int)folder, name, now);
    kernel(close, folder);
    return result;
}

static long carry_out_afresh(int root, const struct replayed *replayed, int content, int refresher)
{
    long result = carry_out(root, replayed, content, 0);
    if (result != -ESTALE_)
        return result;
    long refreshed = refresh(refresher);
    return refreshed < 0 ? refreshed : carry_out(root, replayed, content, 1);
}

static void serve(int root, int line, int refresher)
{
    static struct replayed replayed;
    int content;
    while (pass_take(line, &replayed, sizeof replayed, &content) == (long)sizeof replayed) {
        int is_whole = replayed.now.kind != KIND_FILE || replayed.as_before || content >= 0;
        struct replay_answer answer = {is_whole ? carry_out_afresh(root, &replayed, content, refresher) : -EINVAL_};
        if (content >= 0)
            kernel(close, content);
        if (kernel(write, line, &answer, sizeof answer) != (long)sizeof answer)
            return;
    }
}

void replayer_start(uint32_t kept, int line, int refresher, const char *work)
{
    const uint64_t all = ~0UL;
    char word = 1;
    int ready[2];
    must(kernel(pipe2, ready, O_CLOEXEC_), "make pipe", NULL);
    /* As the process that renames: no child that anyone waits for. */
    if (must(kernel(clone, 0, 0, 0, 0, 0), "start", "the process that replays") != 0) {
        kernel(close, ready[1]);
        if (kernel(read, ready[0], &word, 1) != 1)
            fail("confine", "the process that replays", 0);
        kernel(close, ready[0]);
        return;
    }
    kernel(rt_sigprocmask, BLOCK_MORE, &all, NULL, sizeof all);
    kernel(umask, 0);
    long found = must(open_unlinked(work), "open without links", work);
    int root = (int)must(kernel(openat, found, ".", O_RDONLY_ | O_DIRECTORY | O_CLOEXEC_), "open", work);
    /* Nothing else of the box and of its way to the launcher is its own. */
    must(kernel(dup3, root, 0, 0), "keep", "the view");
    must(kernel(dup3, line, 1, 0), "keep", "the line");
    must(kernel(dup3, ready[1], 2, 0), "keep", "the pipe");
    if (refresher >= 0)
        must(kernel(dup3, refresher, 3, 0), "keep", "the line");
    kernel(close_range, refresher < 0 ? 3 : 4, ~0U, 0);
    kernel(chdir, "/proc");
    drop_privileges(kept);
    restrict_replaying();
    must(kernel(write, 2, &word, 1), "start", "the process that replays");
    kernel(close, 2);
    serve(0, 1, refresher < 0 ? -1 : 3);
    kernel(exit_group, 0);
}
