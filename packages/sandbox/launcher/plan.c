#include "plan.h"

#include "arena.h"
#include "process.h"
#include "text.h"

#define JOURNAL "journal"
#define JOURNAL_NEW "journal.new"
#define MAGIC 0x31304a444b4c42ULL /* BLKDJ01 */
#define OWNER_WRITE 0200U
#define BUFFER_BYTES 65536

/* Of records: an earlier launcher's have other numbers where the groups are. */
#define LAYOUT_WITHOUT_GROUPS 0
#define LAYOUT_WITH_GROUPS 1

struct header {
    uint64_t magic;
    uint32_t state;
    uint32_t count;
};

struct record {
    uint32_t motion;
    uint32_t parked;
    uint32_t length;
    uint32_t layout;
    struct object now;
    struct object was;
};

static char buffer[BUFFER_BYTES];

static long append(struct plan *plan, const struct step *given)
{
    struct step *step = arena_take(sizeof *step);
    if (step == NULL)
        return -ENOMEM_;
    *step = *given;
    step->next = NULL;
    step->previous = plan->last;
    if (plan->last == NULL)
        plan->first = step;
    else
        plan->last->next = step;
    plan->last = step;
    plan->count++;
    return 0;
}

static enum motion motion_of(const struct change *change)
{
    switch (change->what) {
    case CREATED:
        return PLACE;
    case DELETED:
        return PARK;
    case METADATA:
        return SET;
    default:
        return EXCHANGE;
    }
}

static int turn_of(const struct change *change)
{
    if (change->what != METADATA)
        return 1;
    return (change->now.mode & ~change->was.mode & OWNER_WRITE) != 0 ? 0 : 2;
}

long plan_make(struct plan *plan, const struct changes *changes)
{
    memset(plan, 0, sizeof *plan);
    for (int turn = 0; turn < 3; turn++) {
        for (const struct change *change = changes->first; change != NULL; change = change->next) {
            if (!change->operate || turn_of(change) != turn)
                continue;
            struct step step = {NULL, NULL, motion_of(change), plan->count, change->now, change->was, change->path};
            long result = append(plan, &step);
            if (result < 0)
                return result;
        }
    }
    return 0;
}

void plan_parked_name(char *name, size_t size, uint32_t parked)
{
    name[0] = 0;
    text_append_number(name, size, parked);
}

struct output {
    int fd;
    size_t used;
    long error;
};

static void put(struct output *output, const void *bytes, size_t size)
{
    if (output->error == 0 && output->used + size > BUFFER_BYTES) {
        output->error = write_all(output->fd, buffer, output->used);
        output->used = 0;
    }
    if (output->error < 0)
        return;
    memcpy(buffer + output->used, bytes, size);
    output->used += size;
}

static long write_steps(const struct plan *plan, int fd)
{
    struct output output = {fd, 0, 0};
    struct header header = {MAGIC, PLANNED, plan->count};
    put(&output, &header, sizeof header);
    for (const struct step *step = plan->first; step != NULL; step = step->next) {
        size_t length = text_length(step->path);
        struct record record;
        memset(&record, 0, sizeof record);
        record.motion = step->motion;
        record.parked = step->parked;
        record.length = (uint32_t)length;
        record.layout = LAYOUT_WITH_GROUPS;
        record.now = step->now;
        record.was = step->was;
        put(&output, &record, sizeof record);
        put(&output, step->path, length);
    }
    if (output.error == 0)
        output.error = write_all(fd, buffer, output.used);
    return output.error < 0 ? output.error : kernel(fsync, fd);
}

long plan_write(const struct plan *plan, int scratch)
{
    long fd = kernel(openat, scratch, JOURNAL_NEW, O_WRONLY_ | O_CREAT_ | O_EXCL_ | O_CLOEXEC_, 0600);
    if (fd < 0)
        return fd;
    long result = write_steps(plan, (int)fd);
    kernel(close, fd);
    if (result >= 0)
        result = kernel(renameat2, scratch, JOURNAL_NEW, scratch, JOURNAL, 0);
    return result < 0 ? result : kernel(fsync, scratch);
}

static long write_state(int fd, uint32_t state)
{
    long result = kernel(pwrite64, fd, &state, sizeof state, offsetof(struct header, state));
    if (result == (long)sizeof state)
        return kernel(fsync, fd);
    return result < 0 ? result : -ENOSPC_;
}

long plan_mark(int scratch, enum mark mark)
{
    long fd = kernel(openat, scratch, JOURNAL, O_WRONLY_ | O_NOFOLLOW | O_CLOEXEC_);
    if (fd < 0)
        return fd;
    long result = write_state((int)fd, mark);
    kernel(close, fd);
    return result;
}

long plan_forget(int scratch)
{
    kernel(unlinkat, scratch, JOURNAL_NEW, 0);
    long result = kernel(unlinkat, scratch, JOURNAL, 0);
    if (result == -ENOENT_)
        return 0;
    return result < 0 ? result : kernel(fsync, scratch);
}

static long read_all(int fd, void *bytes, size_t size)
{
    char *at = bytes;
    while (size > 0) {
        long got = kernel(read, fd, at, size);
        if (got == -EINTR_)
            continue;
        if (got <= 0)
            return got < 0 ? got : -EINVAL_;
        at += got;
        size -= (size_t)got;
    }
    return 0;
}

/* Relative, and nothing in it but names. */
static int is_plain(const char *path, size_t length)
{
    size_t start = 0;
    for (size_t at = 0; at <= length; at++) {
        if (at < length && path[at] == 0)
            return 0;
        if (at < length && path[at] != '/')
            continue;
        size_t name = at - start;
        if (name == 0 || (path[start] == '.' && (name == 1 || (name == 2 && path[start + 1] == '.'))))
            return 0;
        start = at + 1;
    }
    return 1;
}

static long read_step(struct plan *plan, int fd, uint64_t device)
{
    struct record record;
    long result = read_all(fd, &record, sizeof record);
    if (result < 0)
        return result;
    if (record.motion > SET || record.length == 0 || record.length >= PATH_BYTES || record.layout > LAYOUT_WITH_GROUPS)
        return -EINVAL_;
    char *path = arena_take(record.length + 1);
    if (path == NULL)
        return -ENOMEM_;
    result = read_all(fd, path, record.length);
    if (result < 0)
        return result;
    if (!is_plain(path, record.length))
        return -EINVAL_;
    struct step step = {NULL, NULL, (enum motion)record.motion, record.parked, record.now, record.was, path};
    /* Such a launcher gave nothing away. */
    if (record.layout == LAYOUT_WITHOUT_GROUPS) {
        step.now.owner = step.was.owner;
        step.now.group = step.was.group;
    }
    step.now.device = device;
    step.was.device = device;
    return append(plan, &step);
}

long plan_read(struct plan *plan, int scratch, uint64_t device, enum mark *mark)
{
    struct header header;
    memset(plan, 0, sizeof *plan);
    *mark = PLANNED;
    long fd = kernel(openat, scratch, JOURNAL, O_RDONLY_ | O_NOFOLLOW | O_CLOEXEC_ | O_NONBLOCK_);
    if (fd < 0)
        return fd;
    long result = read_all((int)fd, &header, sizeof header);
    if (result >= 0 && (header.magic != MAGIC || (header.state != PLANNED && header.state != COMMITTED)))
        result = -EINVAL_;
    if (result >= 0)
        *mark = header.state == COMMITTED ? COMMITTED : PLANNED;
    for (uint32_t index = 0; result >= 0 && *mark == PLANNED && index < header.count; index++)
        result = read_step(plan, (int)fd, device);
    kernel(close, fd);
    return result;
}
