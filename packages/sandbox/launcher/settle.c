#include "settle.h"

#include <linux/poll.h>
#include <linux/time_types.h>
#include <asm/statfs.h>

#include "hold.h"
#include "prepare.h"
#include "process.h"
#include "tell.h"
#include "text.h"

#define WATCH_NANOSECONDS 50000000
#define WORD_BYTES 16
#define MIN_FREE_INODES 10000UL

/* One line of at most a few bytes; anything that is not one is no word. */
static int hear(char *word)
{
    size_t length = 0;
    while (length < WORD_BYTES) {
        long got = kernel(read, CONTROL_DESCRIPTOR, word + length, 1);
        if (got == -EINTR_)
            continue;
        if (got != 1)
            return 0;
        if (word[length] == '\n') {
            word[length] = 0;
            return 1;
        }
        length++;
    }
    return 0;
}

static int disk_is_full(const struct options *options, const struct overlay *overlay)
{
    struct statfs facts;
    if (options->min_free_bytes == 0 || kernel(fstatfs, overlay->places.scratch, &facts) < 0)
        return 0;
    /* File systems that count no inodes say that they have none at all. */
    if (facts.f_files > 0 && (unsigned long)facts.f_ffree < MIN_FREE_INODES)
        return 1;
    return (unsigned long)facts.f_bavail * (unsigned long)facts.f_bsize < (unsigned long)options->min_free_bytes;
}

static int collect(long init)
{
    int status = 0;
    while (kernel(wait4, init, &status, 0, NULL) == -EINTR_)
        continue;
    return exit_status(status);
}

int settle_wait(const struct options *options, const struct overlay *overlay, long init)
{
    char word[WORD_BYTES];
    long child = must(kernel(pidfd_open, init, 0), "watch the box", NULL);
    struct pollfd watched[2] = {{(int)child, POLLIN, 0}, {CONTROL_DESCRIPTOR, POLLIN, 0}};
    while ((watched[0].revents & POLLIN) == 0) {
        int heard;
        /* Anew each time: the kernel leaves in it what was not waited. */
        struct __kernel_timespec pause = {0, WATCH_NANOSECONDS};
        long ready = kernel(ppoll, watched, 2, &pause, NULL, 8);
        if (ready == -EINTR_)
            continue;
        heard = ready > 0 && watched[1].revents != 0;
        if (ready > 0 && watched[0].revents != 0)
            break;
        if (!heard && !disk_is_full(options, overlay))
            continue;
        if (!heard)
            tell("stopped", "disk-full", NULL);
        kernel(kill, init, SIGKILL_);
        /* A word while the command runs stops it, whichever it is. */
        if (heard)
            hear(word);
        break;
    }
    kernel(close, child);
    return collect(init);
}

/* Once the outcome is told: this may take long, and a crash in it loses nothing. The journal of a commit stays. */
static void tidy_up(int scratch)
{
    tree_remove(scratch, "upper");
    tree_remove(scratch, "parked");
    tree_remove(scratch, "work");
    tree_remove(scratch, HELD);
    kernel(unlinkat, scratch, "journal.new", 0);
}

/* Whatever it rests on is on the disk by now. */
static void conclude(int scratch, int committed)
{
    tell(committed ? "committed" : "dropped", NULL, NULL);
    tell_flush();
    tidy_up(scratch);
}

static long make_plan(struct plan *plan, const struct changes *changes, const struct places *places)
{
    long result = prepare_strip(changes, places);
    if (result >= 0)
        result = prepare_sync(changes, places);
    if (result >= 0)
        result = plan_make(plan, changes);
    return result < 0 ? result : plan_write(plan, places->scratch);
}

static void tell_refusal(const struct answer *answer)
{
    char code[32] = "errno-";
    if (answer->stuck) {
        text_append_number(code, sizeof code, -answer->error);
        tell("stuck", answer->error < 0 ? code : answer->code, answer->path);
    } else if (!text_equal(answer->code, "failed")) {
        tell("conflict", answer->code, answer->path);
    } else {
        tell_failure(answer->error, answer->path);
    }
}

static struct answer stuck_at(const char *path, long error)
{
    return (struct answer){"failed", path, error, 1};
}

/*
 * Takes back what was done of a plan, and brings that to the disk before the journal goes: a power cut at any step finds either
 * the journal, and all that is needed to take it back once more, or the folder as it was. The journal must not say `committed`.
 */
static struct answer take_back(const struct plan *plan, const struct places *places)
{
    struct answer answer = commit_roll_back(plan, places);
    if (answer.code != NULL)
        return answer;
    long error = prepare_sync_folders(plan, places);
    if (error >= 0)
        error = plan_forget(places->scratch);
    return error < 0 ? stuck_at(".", error) : answer;
}

/* Every step, what it did, and the mark, each on the disk before the next. */
static struct answer carry_out(const struct plan *plan, const struct places *places)
{
    struct answer back;
    struct answer answer = commit_apply(plan, places);
    long error = answer.code == NULL ? prepare_sync_folders(plan, places) : 0;
    if (answer.code == NULL && error >= 0) {
        error = plan_mark(places->scratch, COMMITTED);
        if (error >= 0)
            return answer;
        /* The mark may be on the disk or not. Nothing is taken back before it is known not to be. */
        long unmarked = plan_mark(places->scratch, PLANNED);
        if (unmarked < 0)
            return stuck_at(".", unmarked);
    }
    if (error < 0)
        answer = (struct answer){"failed", NULL, error, 0};
    back = take_back(plan, places);
    return back.code == NULL ? answer : back;
}

static struct answer put_in_place(const struct changes *changes, const struct places *places)
{
    struct plan plan;
    const char *moved = prepare_recheck(changes, places);
    if (moved != NULL)
        return (struct answer){"changed-meanwhile", moved, 0, 0};
    long error = make_plan(&plan, changes, places);
    if (error >= 0)
        return carry_out(&plan, places);
    /* No step was taken, but the journal may have its name already. */
    long forgotten = plan_forget(places->scratch);
    return forgotten < 0 ? stuck_at(".", forgotten) : (struct answer){"failed", NULL, error, 0};
}

static void commit(const struct changes *changes, const struct places *places)
{
    struct answer answer = put_in_place(changes, places);
    if (answer.code == NULL) {
        conclude(places->scratch, 1);
        return;
    }
    tell_refusal(&answer);
    tell_flush();
    /* The journal, and all that is needed to go on, wait for recovery. */
    if (!answer.stuck)
        tidy_up(places->scratch);
}

/* What somebody may still write is judged by a copy. Number of problems: without one, nothing can be kept. */
static unsigned long keep_apart(struct overlay *overlay)
{
    const char *path;
    if (overlay->clone != NULL || hold_let_go(overlay))
        return 0;
    long result = hold_copy_upper(overlay, &path);
    if (result >= 0)
        return 0;
    tell_problem("held-elsewhere", path);
    return 1;
}

void settle(struct overlay *overlay, int status)
{
    const struct listener listener = {tell_change, tell_problem, tell_note};
    struct changes changes;
    char word[WORD_BYTES];
    tell_to(CONTROL_DESCRIPTOR);
    tell_number("ended", status);
    tell_flush();
    unsigned long problems = overlay_ended(overlay, tell_problem);
    problems += keep_apart(overlay);
    changes_list(&changes, &overlay->layers, &listener);
    tell_number("effects", (long)changes.count);
    tell_flush();
    int kept = hear(word) && text_equal(word, "commit");
    if (!kept || changes.problems + problems > 0)
        conclude(overlay->places.scratch, 0);
    else if (changes.count == 0)
        conclude(overlay->places.scratch, 1);
    else
        commit(&changes, &overlay->places);
}

/* 0, or what keeps the folder from being as it was before the command, or as it was after its commit. */
static struct answer bring_in_order(const struct places *places, int *committed)
{
    struct plan plan;
    struct object work;
    enum mark mark;
    *committed = 0;
    long error = object_of(places->work, &work);
    if (error >= 0)
        error = plan_read(&plan, places->scratch, work.device, &mark);
    if (error == -ENOENT_) {
        /* Its absence may be known to the kernel only. */
        error = kernel(fsync, places->scratch);
        return (struct answer){error < 0 ? "failed" : NULL, NULL, error, 0};
    }
    /* So may the mark: whoever died over it may have flushed neither it nor the one before. */
    if (error >= 0)
        error = plan_mark(places->scratch, mark);
    if (error < 0)
        return (struct answer){"failed", NULL, error, 0};
    *committed = mark == COMMITTED;
    return *committed ? (struct answer){NULL, NULL, 0, 0} : take_back(&plan, places);
}

int settle_recover(const char *work, const char *scratch)
{
    struct places places = {-1, -1, -1, -1};
    int committed;
    tell_to(1);
    long result = overlay_open(&places, scratch, work);
    if (result < 0) {
        tell_failure(result, work);
        tell_flush();
        return 1;
    }
    struct answer answer = bring_in_order(&places, &committed);
    if (answer.code == NULL) {
        conclude(places.scratch, committed);
        return 0;
    }
    if (answer.error == 0)
        tell("conflict", answer.code, answer.path);
    else
        tell_failure(answer.error, answer.path);
    tell_flush();
    return 1;
}
