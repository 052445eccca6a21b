#include "commit.h"

#include "lease.h"

#define NOREPLACE 1U
#define EXCHANGED 2U
#define OWNER_WRITE 0200U

static const struct answer done = {NULL, NULL, 0, 0};

static struct answer met(const char *code, const struct step *step, long error)
{
    return (struct answer){code, step->path, error, 0};
}

static struct answer failed(const struct step *step, long error)
{
    int gone = error == -ENOENT_ || error == -ENOTDIR_ || error == -ELOOP_ || error == -EXDEV_;
    if (gone)
        return met("gone-meanwhile", step, 0);
    return error == -EEXIST_ ? met("changed-meanwhile", step, 0) : met("failed", step, error);
}

/* Both ends of a step: the folder that holds the path in the working folder, and the one in the upper layer. */
struct ends {
    long work;
    long upper;
    const char *name;
};

static long open_ends(struct ends *ends, const struct step *step, const struct places *places)
{
    ends->upper = -1;
    ends->work = folder_of(places->work, step->path, &ends->name);
    if (ends->work < 0)
        return ends->work;
    if (step->motion == PARK || step->motion == SET)
        return 0;
    ends->upper = folder_of(places->upper, step->path, &ends->name);
    return ends->upper < 0 ? ends->upper : 0;
}

static void close_ends(const struct ends *ends)
{
    if (ends->work >= 0)
        kernel(close, ends->work);
    if (ends->upper >= 0)
        kernel(close, ends->upper);
}

int commit_is_closed(const struct object *object)
{
    return object->kind == KIND_FOLDER && (object->mode & OWNER_WRITE) == 0;
}

/* A folder moves only while its owner may write it, because its `..` changes; afterwards it is as it was. */
long commit_move(long from, const char *name, long to, const char *as, unsigned flags, const struct object *object)
{
    int opened = commit_is_closed(object);
    if (opened)
        kernel(fchmodat, from, name, object->mode | OWNER_WRITE);
    long result = kernel(renameat2, from, name, to, as, flags);
    if (opened)
        kernel(fchmodat, result < 0 ? from : to, result < 0 ? name : as, object->mode);
    return result;
}

static long exchange(const struct ends *ends, const struct object *now, const struct object *was)
{
    int closed = commit_is_closed(was);
    if (closed)
        kernel(fchmodat, ends->work, ends->name, was->mode | OWNER_WRITE);
    long result = commit_move(ends->upper, ends->name, ends->work, ends->name, EXCHANGED, now);
    if (closed)
        kernel(fchmodat, result < 0 ? ends->work : ends->upper, ends->name, was->mode);
    return result;
}

static struct answer place(const struct step *step, const struct ends *ends)
{
    long result = commit_move(ends->upper, ends->name, ends->work, ends->name, NOREPLACE, &step->now);
    return result < 0 ? failed(step, result) : done;
}

/* What was checked of an object just before it is displaced. */
struct check {
    long lease;
    uint64_t names;
};

/*
 * The displaced object must be the one that was judged, and nobody may have waited to write it. Some file systems (XFS) move a
 * folder's time when it moves: then its names must be those it had just before, when its time was still the judged one.
 */
static int is_surprise(long folder, const char *name, const struct object *was, const struct check *check)
{
    struct object out;
    uint64_t names;
    if (object_at((int)folder, name, &out) < 0)
        return 1;
    if (was->kind == KIND_FOLDER && out.kind == KIND_FOLDER && out.number == was->number && out.device == was->device &&
        !moment_same(out.modified, was->modified))
        return folder_digest((int)folder, name, &names) < 0 || names != check->names;
    return !object_same(&out, was) || (check->lease >= 0 && !lease_unbroken((int)check->lease));
}

/* NULL, or why it can't be displaced now. */
static const char *check_before(struct check *check, const struct step *step, const struct ends *ends)
{
    struct object now;
    *check = (struct check){-EINVAL_, 0};
    if (step->was.kind == KIND_FILE) {
        check->lease = lease_take((int)ends->work, ends->name, &step->was);
        return check->lease >= 0 ? NULL : check->lease == -EAGAIN_ ? "open-elsewhere" : "changed-meanwhile";
    }
    if (step->was.kind != KIND_FOLDER)
        return NULL;
    /* One that we can't look into shows by its time alone. */
    folder_digest((int)ends->work, ends->name, &check->names);
    if (object_at((int)ends->work, ends->name, &now) < 0 || !object_same(&now, &step->was))
        return "changed-meanwhile";
    return NULL;
}

static struct answer swap(const struct step *step, const struct ends *ends)
{
    struct answer answer = done;
    struct check check;
    const char *obstacle = check_before(&check, step, ends);
    if (obstacle != NULL)
        return met(obstacle, step, 0);
    long result = exchange(ends, &step->now, &step->was);
    if (result < 0) {
        answer = failed(step, result);
    } else if (is_surprise(ends->upper, ends->name, &step->was, &check)) {
        result = exchange(ends, &step->was, &step->now);
        answer = result < 0 ? failed(step, result) : met("changed-meanwhile", step, 0);
    }
    if (check.lease >= 0)
        lease_end((int)check.lease);
    return answer;
}

static struct answer park(const struct step *step, const struct ends *ends, const struct places *places)
{
    struct answer answer = done;
    struct check check;
    char name[16];
    plan_parked_name(name, sizeof name, step->parked);
    const char *obstacle = check_before(&check, step, ends);
    if (obstacle != NULL)
        return met(obstacle, step, 0);
    long result = commit_move(ends->work, ends->name, places->parked, name, NOREPLACE, &step->was);
    if (result < 0) {
        answer = failed(step, result);
    } else if (is_surprise(places->parked, name, &step->was, &check)) {
        result = commit_move(places->parked, name, ends->work, ends->name, NOREPLACE, &step->was);
        answer = result < 0 ? failed(step, result) : met("changed-meanwhile", step, 0);
    }
    if (check.lease >= 0)
        lease_end((int)check.lease);
    return answer;
}

/* Owner, mode (of which a new owner may have taken bits off) and, for a file, its time. */
static long set(const struct ends *ends, const struct step *step, const struct object *wanted)
{
    struct object found;
    struct {
        int64_t seconds;
        int64_t nanoseconds;
    } times[2] = {{0, 0x3ffffffe /* UTIME_OMIT */}, {wanted->modified.seconds, wanted->modified.nanoseconds}};
    long fd = kernel(openat, ends->work, ends->name, O_RDONLY_ | O_NOFOLLOW | O_CLOEXEC_ | O_NONBLOCK_);
    if (fd < 0)
        return fd;
    long result = object_of((int)fd, &found);
    if (result >= 0 && (found.kind != step->was.kind || found.number != step->was.number))
        result = -ENOENT_;
    int given = !object_same_owner(&step->now, &step->was) && !object_same_owner(&found, wanted);
    if (result >= 0 && given)
        result = kernel(fchown, fd, wanted->owner, wanted->group);
    if (result >= 0 && (given || found.mode != wanted->mode))
        result = kernel(fchmod, fd, wanted->mode);
    if (result >= 0 && wanted->kind == KIND_FILE)
        result = kernel(utimensat, fd, NULL, times, 0);
    kernel(close, fd);
    return result;
}

static struct answer take_step(const struct step *step, const struct places *places)
{
    struct ends ends;
    struct answer answer;
    long result = open_ends(&ends, step, places);
    if (result < 0)
        answer = failed(step, result);
    else if (step->motion == PLACE)
        answer = place(step, &ends);
    else if (step->motion == EXCHANGE)
        answer = swap(step, &ends);
    else if (step->motion == PARK)
        answer = park(step, &ends, places);
    else
        answer = (result = set(&ends, step, &step->now)) < 0 ? failed(step, result) : done;
    close_ends(&ends);
    return answer;
}

struct answer commit_apply(const struct plan *plan, const struct places *places)
{
    for (const struct step *step = plan->first; step != NULL; step = step->next) {
        struct answer answer = take_step(step, places);
        if (answer.code != NULL)
            return answer;
    }
    return done;
}

static int is_there(long folder, const char *name, const struct object *expected)
{
    struct object found;
    return object_at((int)folder, name, &found) >= 0 && found.kind == expected->kind &&
           found.number == expected->number && found.device == expected->device;
}

/* The object a step put in place was written since: taking it back would take that away. */
static int is_edited(long folder, const char *name, const struct object *placed)
{
    struct object found;
    return object_at((int)folder, name, &found) < 0 ||
           (placed->kind == KIND_FILE && !object_same(&found, placed));
}

static struct answer take_back_moved(const struct step *step, const struct ends *ends)
{
    int placed = is_there(ends->work, ends->name, &step->now);
    if (!placed && is_there(ends->upper, ends->name, &step->now))
        return done;
    if (!placed || is_edited(ends->work, ends->name, &step->now))
        return met("edited-since", step, 0);
    long result = step->motion == PLACE
                      ? commit_move(ends->work, ends->name, ends->upper, ends->name, NOREPLACE, &step->now)
                      : exchange(ends, &step->was, &step->now);
    return result < 0 ? met("failed", step, result) : done;
}

static struct answer take_back_parked(const struct step *step, const struct ends *ends, const struct places *places)
{
    char name[16];
    plan_parked_name(name, sizeof name, step->parked);
    if (!is_there(places->parked, name, &step->was))
        return done;
    long result = commit_move(places->parked, name, ends->work, ends->name, NOREPLACE, &step->was);
    if (result == -EEXIST_)
        return met("edited-since", step, 0);
    return result < 0 ? met("failed", step, result) : done;
}

static struct answer take_back_set(const struct step *step, const struct ends *ends)
{
    struct object found;
    if (object_at((int)ends->work, ends->name, &found) < 0)
        return done;
    /* Owner and mode are two calls: the commit may have ended between them. */
    int given = !object_same_owner(&step->now, &step->was) && !object_same_owner(&found, &step->was);
    if (given ? !object_same_owner(&found, &step->now) : found.mode != step->now.mode)
        return done;
    long result = set(ends, step, &step->was);
    return result < 0 && result != -ENOENT_ ? met("failed", step, result) : done;
}

static struct answer take_back(const struct step *step, const struct places *places)
{
    struct ends ends;
    struct answer answer;
    long result = open_ends(&ends, step, places);
    if (result < 0)
        answer = failed(step, result);
    else if (step->motion == PARK)
        answer = take_back_parked(step, &ends, places);
    else if (step->motion == SET)
        answer = take_back_set(step, &ends);
    else
        answer = take_back_moved(step, &ends);
    close_ends(&ends);
    return answer;
}

struct answer commit_roll_back(const struct plan *plan, const struct places *places)
{
    struct answer first = done;
    for (const struct step *step = plan->last; step != NULL; step = step->previous) {
        struct answer answer = take_back(step, places);
        if (answer.code != NULL && first.code == NULL)
            first = answer;
    }
    first.stuck = first.code != NULL;
    return first;
}
