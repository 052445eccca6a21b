#include "quiet.h"

#include <linux/time_types.h>

#include "arena.h"
#include "hold.h"
#include "known.h"
#include "lease.h"
#include "own.h"
#include "replay.h"
#include "settle.h"
#include "tell.h"
#include "text.h"

#define CLOCK_MONOTONIC_ 1
#define CLOCK_PROCESSOR 2
#define SECOND 1000000000L
#define QUIET_TIME (2 * SECOND)
/* From one look to the next; of a large layer longer, for looking must cost little. */
#define LOOK_EVERY (SECOND / 4)
#define LOOK_SHARE 20
#define MOST_DEPTH 100U
#define MOST_ENTRIES 100000UL
#define NAMES_BYTES 4096
#define FOLDER_FLAGS (O_RDONLY_ | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC_)
/* Each moment that is kept takes room in the person's history: some at once, then one at a time. */
#define MOST_AT_ONCE 20
#define ONE_MORE_EVERY (15 * SECOND)
/* What was kept is remembered, object by object. */
#define MOST_REMEMBERED 500000UL

static int upper = -1;
/* The state that was seen last, since when it is like that, and the one that was offered last. */
static uint64_t seen;
static int64_t since;
static uint64_t offered;
static int64_t next;
static unsigned long entries_left;
static unsigned long remembered;
static int moments_left = MOST_AT_ONCE;
static int64_t one_more_at;
/* A commit could not be taken back: what it needs for that stays. */
static int stuck;
static struct places places;
static struct changes changes;

static int64_t time_of(int clock)
{
    struct __kernel_timespec moment = {0, 0};
    kernel(clock_gettime, clock, &moment);
    return moment.tv_sec * SECOND + moment.tv_nsec;
}

static int64_t now(void)
{
    return time_of(CLOCK_MONOTONIC_);
}

static uint64_t add_object(uint64_t digest, const char *name, const struct object *object)
{
    const uint64_t facts[] = {object->kind,          object->mode,
                              object->owner,         object->group,
                              object->number,        object->size,
                              object->links,         (uint64_t)object->modified.seconds,
                              object->modified.nanoseconds, (uint64_t)object->changed.seconds,
                              object->changed.nanoseconds};
    digest = digest_add(digest, name, text_length(name) + 1);
    return digest_add(digest, (const char *)facts, sizeof facts);
}

/* All in the folder; with `leases`, fails with -EAGAIN where somebody may write a file without being seen. */
static long add_folder(int folder, uint64_t *digest, int leases, unsigned depth)
{
    char names[NAMES_BYTES];
    struct entries entries;
    struct object object;
    const char *name;
    long error = 0;
    long result = depth == 0 ? -E2BIG_ : 0;
    entries_begin(&entries, folder, names, sizeof names);
    while (result >= 0 && (name = entries_next(&entries, &error)) != NULL) {
        result = entries_left == 0 ? -E2BIG_ : object_at(folder, name, &object);
        if (result < 0)
            break;
        entries_left--;
        *digest = add_object(*digest, name, &object);
        if (object.kind == KIND_FILE && leases)
            result = lease_could_be_had(folder, name, &object);
        if (object.kind != KIND_FOLDER)
            continue;
        long below = folder_enter(folder, name);
        result = below < 0 ? below : add_folder((int)below, digest, leases, depth - 1);
        if (below >= 0)
            kernel(close, below);
    }
    return result < 0 ? result : error;
}

static long look(uint64_t *digest, int leases)
{
    *digest = DIGEST_BEGIN;
    entries_left = MOST_ENTRIES;
    return add_folder(upper, digest, leases, MOST_DEPTH);
}

void quiet_begin(const struct overlay *overlay)
{
    upper = (int)kernel(openat, overlay->places.scratch, HELD "/upper", FOLDER_FLAGS);
    /* Of an empty layer nothing is kept. */
    offered = seen = DIGEST_BEGIN;
    since = now();
}

static int has_moment(int64_t moment)
{
    if (moment >= one_more_at && moments_left < MOST_AT_ONCE) {
        moments_left++;
        one_more_at = moment + ONE_MORE_EVERY;
    }
    return moments_left > 0;
}

void quiet_look(void)
{
    uint64_t digest;
    int64_t begin = now();
    if (upper < 0 || begin < next || stuck || remembered > MOST_REMEMBERED || !has_moment(begin))
        return;
    /* On a busy machine a look takes long, and costs no more. */
    int64_t cost = time_of(CLOCK_PROCESSOR);
    long result = look(&digest, 0);
    int64_t end = now();
    int64_t pause = LOOK_SHARE * (time_of(CLOCK_PROCESSOR) - cost);
    next = end + (pause > LOOK_EVERY ? pause : LOOK_EVERY);
    if (result < 0 || digest != seen) {
        seen = digest;
        since = end;
    } else if (digest != offered && begin - since >= QUIET_TIME && look(&digest, 1) >= 0 && digest == seen) {
        offered = digest;
        tell("quiet", NULL, NULL);
        tell_flush();
    }
}

/* Files open for writing now, or a change since: it is offered again, after another while. */
static int not_quiet(void)
{
    offered = DIGEST_BEGIN;
    since = now();
    return 0;
}

static long open_new(int folder, const char *name)
{
    long result = kernel(mkdirat, folder, name, 0700);
    return result < 0 ? result : kernel(openat, folder, name, FOLDER_FLAGS);
}

static void close_places(void)
{
    if (places.scratch >= 0)
        kernel(close, places.scratch);
    if (places.upper >= 0)
        kernel(close, places.upper);
    if (places.parked >= 0)
        kernel(close, places.parked);
    places = (struct places){-1, -1, -1, -1};
}

/* The journal of what was kept before says nothing any more. */
static int open_places(const struct overlay *overlay)
{
    long removed = tree_remove(overlay->places.scratch, QUIET);
    places = (struct places){-1, -1, -1, overlay->places.work};
    if (removed < 0 && removed != -ENOENT_)
        return 0;
    places.scratch = (int)open_new(overlay->places.scratch, QUIET);
    if (places.scratch >= 0)
        places.upper = (int)open_new(places.scratch, "upper");
    if (places.upper >= 0)
        places.parked = (int)open_new(places.scratch, "parked");
    return places.parked >= 0;
}

static void discard(const struct overlay *overlay)
{
    close_places();
    tree_remove(overlay->places.scratch, QUIET);
    arena_give_back();
}

int quiet_list(struct overlay *overlay)
{
    static struct clone storage;
    const struct listener listener = {tell_change, tell_problem, tell_note};
    uint64_t before;
    uint64_t after;
    if (upper < 0 || stuck || look(&before, 1) < 0 || before != offered)
        return not_quiet();
    memset(&storage, 0, sizeof storage);
    storage.layer = 1;
    arena_pass();
    /* Without room, or too large: not before something in it changes. */
    int copied = open_places(overlay) && clone_tree(&storage, upper, places.upper) >= 0;
    int same = copied && look(&after, 1) >= 0 && after == before;
    if (!same) {
        arena_last();
        discard(overlay);
        return copied ? not_quiet() : 0;
    }
    overlay_ended(overlay, tell_problem);
    struct layers layers = overlay->layers;
    layers.upper = places.upper;
    layers.keeps_rest = 1;
    tell_number("ended", 0);
    changes_list(&changes, &layers, &listener);
    arena_last();
    tell_number("effects", (long)changes.count);
    tell_flush();
    return 1;
}

static void forget_known(void)
{
    for (const struct change *change = changes.first; change != NULL; change = change->next)
        known_forget(change->path);
}

void quiet_settle(struct overlay *overlay, int keep)
{
    if (!keep || changes.problems > 0 || changes.count == 0) {
        settle_conclude(places.scratch, 0);
        discard(overlay);
        return;
    }
    replay_before_commit(&changes, places.upper);
    arena_pass();
    int committed = settle_commit(&changes, &places);
    arena_last();
    remembered += changes.count;
    moments_left--;
    if (!committed) {
        forget_known();
        stuck = settle_is_unfinished(places.scratch);
    } else if (own_remember(places.work, &changes) < 0) {
        /* Without room to remember, nothing of it can be told from what others did. */
        overlay->layers.clock_set = 1;
    }
    close_places();
    arena_give_back();
}

void quiet_end(const struct overlay *overlay)
{
    if (upper >= 0)
        kernel(close, upper);
    upper = -1;
    if (!stuck)
        tree_remove(overlay->places.scratch, QUIET);
}
