#include "replay.h"

#include <linux/poll.h>
#include <linux/time_types.h>

#include "hold.h"
#include "its-own.h"
#include "known.h"
#include "news.h"
#include "own.h"
#include "pass.h"
#include "process.h"
#include "replayer.h"
#include "unseen.h"

#define ANSWER_SECONDS 10
#define RUN_SECONDS 20
#define CLOCK_MONOTONIC_ 1
#define MEMORY_CLOSED_AT_EXEC 1
#define MOST_FILE_BYTES (64UL << 20)
/* Of all that is ever written, for it takes room on the disk. */
#define MOST_BYTES (2UL << 30)
#define MOST_COMMITTED_BYTES (256UL << 20)
#define WAITING_BYTES (1UL << 20)
#define WAITING_PLACES 65536U
#define MODE_BITS 01777U

static const struct options *places;
static int work;
static int upper = -1;
static int line = -1;
static int events = -1;
static uint64_t written;
/* Paths that wait, one behind the other, and where each begins, by its digest; 0 is free. */
static struct {
    char paths[WAITING_BYTES];
    uint32_t places[WAITING_PLACES];
    uint32_t used;
    uint32_t count;
} waiting;

static void give_up(const char *code)
{
    unseen_at_last(code);
    replay_end();
}

static int64_t now(void)
{
    struct __kernel_timespec moment = {0, 0};
    kernel(clock_gettime, CLOCK_MONOTONIC_, &moment);
    return moment.tv_sec;
}

static void wait_for_quiet(const char *path)
{
    size_t size = text_length(path) + 1;
    uint32_t place = (uint32_t)known_place(path) % WAITING_PLACES;
    if (waiting.used + size > WAITING_BYTES || waiting.count > WAITING_PLACES / 2)
        replay_run();
    for (; waiting.places[place] != 0; place = (place + 1) % WAITING_PLACES)
        if (text_equal(waiting.paths + waiting.places[place] - 1, path))
            return;
    memcpy(waiting.paths + waiting.used, path, size);
    waiting.places[place] = waiting.used + 1;
    waiting.used += (uint32_t)size;
    waiting.count++;
}

static void not_watched(const char *path, long error)
{
    static int full;
    /* The kernel, or this program, watches no more of them: said once. */
    if (path == NULL)
        unseen("too-many", "");
    else if (error != -ENOSPC_ || !full)
        unseen("not-watched", path);
    full |= error == -ENOSPC_;
}

static long answer_of(const struct replayed *replayed, int content, struct replay_answer *answer)
{
    struct pollfd readable = {line, POLLIN, 0};
    struct __kernel_timespec left = {ANSWER_SECONDS, 0};
    long result = pass_send(line, replayed, sizeof *replayed, content);
    long ready = -EINTR_;
    while (result >= 0 && ready == -EINTR_)
        ready = kernel(ppoll, &readable, 1, &left, NULL, 8);
    if (result >= 0 && ready == 1)
        result = kernel(read, line, answer, sizeof *answer) == (long)sizeof *answer ? 0 : -ECHILD_;
    else if (result >= 0)
        result = -ETIME_;
    return result;
}

/* `known`: what the command does to it from now on is no conflict with whoever changed it. */
static void write_through(struct replayed *replayed, int content, uint64_t digest, int known)
{
    struct replay_answer answer;
    struct object given = replayed->now;
    given.mode &= MODE_BITS;
    /* The command may have it open: its file must stay the one it has. */
    replayed->as_before = given.kind == KIND_FILE && known_same(replayed->path, &given, digest);
    content = replayed->as_before ? -1 : content;
    if (answer_of(replayed, content, &answer) < 0) {
        give_up("not-replayed");
        return;
    }
    /* Hidden from it, or protected. */
    if (answer.result == -EBUSY_)
        return;
    if (answer.result < 0) {
        unseen_because(answer.result, replayed->path);
        return;
    }
    written += given.kind == KIND_FILE && !replayed->as_before ? given.size : 0;
    /* A file of several names counts as another's: under which of them its content was seen, nothing says. */
    int single = given.kind != KIND_FILE || given.links <= 1;
    if (known_put(replayed->path, &given, digest) < 0)
        give_up("too-many");
    else if (known && single && given.kind != KIND_MISSING)
        own_know(&replayed->now);
}

/* In memory: nothing of the folder itself comes into the box. Its size, or -errno. */
static long copy_of(int content, int *copy, uint64_t *digest)
{
    static char block[65536];
    long got = kernel(memfd_create, "replayed", MEMORY_CLOSED_AT_EXEC);
    uint64_t size = 0;
    *copy = (int)got;
    *digest = DIGEST_BEGIN;
    while (got >= 0 && (got = kernel(read, content, block, sizeof block)) > 0) {
        *digest = digest_add(*digest, block, (size_t)got);
        size += (uint64_t)got;
        got = size > MOST_FILE_BYTES ? -EFBIG_ : write_all(*copy, block, (size_t)got);
    }
    return got < 0 ? got : (long)size;
}

static void replay_file(struct replayed *replayed, int folder, const char *name)
{
    struct object found;
    int fits = replayed->now.size <= MOST_FILE_BYTES && written + replayed->now.size <= MOST_BYTES;
    long content = fits ? kernel(openat, folder, name, O_RDONLY_ | O_NOFOLLOW | O_CLOEXEC_ | O_NONBLOCK_) : -EFBIG_;
    if (content == -EFBIG_)
        unseen("too-large", replayed->path);
    else if (content < 0 && content != -ENOENT_)
        unseen_because(content, replayed->path);
    if (content < 0)
        return;
    /* Another by now: then more is told of it. */
    if (object_of((int)content, &found) >= 0 && found.kind == KIND_FILE && found.number == replayed->now.number) {
        int copy;
        uint64_t digest;
        long size = copy_of((int)content, &copy, &digest);
        replayed->now = found;
        replayed->now.size = size < 0 ? 0 : (uint64_t)size;
        if (size < 0)
            unseen_because(size, replayed->path);
        else
            write_through(replayed, copy, digest, 1);
        if (copy >= 0)
            kernel(close, copy);
    }
    kernel(close, content);
}

/* By name, whatever the folder has there: a mount of the box covers it. */
static int is_covered(const char *path)
{
    char whole[PATH_BYTES] = "";
    size_t length = text_length(places->work);
    if (length + text_length(path) + 2 > sizeof whole)
        return 1;
    text_append(whole, sizeof whole, places->work);
    text_append(whole, sizeof whole, "/");
    text_append(whole, sizeof whole, path);
    for (size_t index = 0; index < places->path_count; index++) {
        const struct named_path *named = &places->paths[index];
        int covers = named->use == USE_HIDE || named->use == USE_DENY || named->use == USE_PROTECT;
        if (covers && text_is_below(whole, named->path))
            return 1;
    }
    return 0;
}

/* The view gets at the path what the folder has there now. */
static void replay(const char *path)
{
    static struct replayed replayed;
    const char *name;
    /* Of commands of other sessions, whose folder lies in this one. */
    if (text_passes(path, ".bulkhead-scratch") || is_covered(path))
        return;
    long folder = folder_of(work, path, &name);
    /* The folder around it is gone, which is told by itself. */
    if (folder < 0)
        return;
    memset(&replayed, 0, sizeof replayed);
    text_append(replayed.path, sizeof replayed.path, path);
    long result = object_at((int)folder, name, &replayed.now);
    int is_folder = replayed.now.kind == KIND_FOLDER;
    if (result < 0)
        unseen_because(result, path);
    else if (replayed.now.kind != KIND_OTHER && replayed.now.kind != KIND_WHITEOUT && !is_its_own(upper, path, !is_folder)) {
        uint64_t digest = DIGEST_BEGIN;
        if (replayed.now.kind == KIND_LINK)
            kernel(readlinkat, folder, name, replayed.target, sizeof replayed.target - 1);
        if (replayed.now.kind == KIND_LINK)
            digest = digest_add(DIGEST_BEGIN, replayed.target, text_length(replayed.target));
        if (replayed.now.kind == KIND_FILE)
            replay_file(&replayed, (int)folder, name);
        else
            /* A folder may be another than the one in which the command wrote. */
            write_through(&replayed, -1, digest, !is_folder || !is_its_own(upper, path, 1));
    }
    kernel(close, folder);
}

void replay_begin(const struct options *options, const struct overlay *overlay, int to)
{
    places = options;
    work = overlay->places.work;
    upper = (int)kernel(openat, overlay->places.scratch, HELD "/upper", O_RDONLY_ | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC_);
    line = to;
    events = (int)news_begin(work, wait_for_quiet, not_watched);
    if (upper < 0 || events < 0)
        give_up("not-replayed");
}

void replay_before_commit(const struct changes *changes, int copy)
{
    uint64_t bytes = 0;
    for (const struct change *change = changes->first; upper >= 0 && change != NULL; change = change->next) {
        const char *name;
        uint64_t digest;
        struct object given = change->now;
        bytes += given.kind == KIND_FILE ? given.size : 0;
        if (bytes > MOST_COMMITTED_BYTES)
            break;
        long folder = given.kind == KIND_MISSING ? -1 : folder_of(copy, change->path, &name);
        given.mode &= MODE_BITS;
        if (given.kind == KIND_MISSING)
            known_put(change->path, &given, DIGEST_BEGIN);
        else if (folder >= 0 && digest_of((int)folder, name, &given, &digest) >= 0)
            known_put(change->path, &given, digest);
        if (folder >= 0)
            kernel(close, folder);
    }
}

int replay_descriptor(void)
{
    return events;
}

void replay_read(void)
{
    if (events >= 0)
        news_read();
}

int replay_waits(void)
{
    return waiting.used > 0;
}

void replay_run(void)
{
    const int64_t last = now() + RUN_SECONDS;
    for (uint32_t at = 0; at < waiting.used && line >= 0; at += (uint32_t)text_length(waiting.paths + at) + 1) {
        replay(waiting.paths + at);
        /* Whoever holds the process up must not hold up the launcher. */
        if (line >= 0 && now() > last)
            give_up("not-replayed");
    }
    memset(waiting.places, 0, sizeof waiting.places);
    waiting.used = 0;
    waiting.count = 0;
}

void replay_end(void)
{
    if (line >= 0)
        kernel(close, line);
    if (upper >= 0)
        kernel(close, upper);
    if (events >= 0)
        kernel(close, events);
    line = upper = events = -1;
}
