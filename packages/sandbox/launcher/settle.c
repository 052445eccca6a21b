#include "settle.h"

#include <linux/poll.h>
#include <linux/time_types.h>
#include <asm/statfs.h>

#include "prepare.h"
#include "process.h"
#include "tell.h"
#include "text.h"

#define OUTCOME "outcome"
#define OUTCOME_NEW "outcome.new"
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

/* What lasts is the journal's mark; where there is none, an outcome that a power loss takes away leaves the same: nothing. */
static void write_outcome(int scratch, const char *outcome)
{
    long fd = kernel(openat, scratch, OUTCOME_NEW, O_WRONLY_ | O_CREAT_ | O_TRUNC_ | O_CLOEXEC_, 0600);
    if (fd < 0)
        return;
    long written = kernel(write, fd, outcome, text_length(outcome));
    kernel(close, fd);
    if (written == (long)text_length(outcome))
        kernel(renameat2, scratch, OUTCOME_NEW, scratch, OUTCOME, 0);
}

/* Once the outcome is told: this may take long, and a crash in it loses nothing. The journal of a commit stays. */
static void tidy_up(int scratch)
{
    tree_remove(scratch, "upper");
    tree_remove(scratch, "parked");
    tree_remove(scratch, "work");
    kernel(unlinkat, scratch, "journal.new", 0);
}

/* Of a plan that was taken back nothing may be left that could be taken back once more. */
static void drop(int scratch)
{
    write_outcome(scratch, "dropped");
    /* A power loss must not bring it back when others have worked in the folder since. */
    if (kernel(unlinkat, scratch, "journal", 0) >= 0)
        kernel(fsync, scratch);
}

static void conclude(int scratch, int committed)
{
    if (committed)
        write_outcome(scratch, "committed");
    else
        drop(scratch);
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

static void tell_refusal(const struct answer *answer, long error)
{
    char code[32] = "errno-";
    if (answer->stuck) {
        text_append_number(code, sizeof code, -answer->error);
        tell("stuck", answer->error < 0 ? code : answer->code, answer->path);
    } else if (answer->code != NULL && !text_equal(answer->code, "failed")) {
        tell("conflict", answer->code, answer->path);
    } else {
        tell_failure(answer->code == NULL ? error : answer->error, answer->path);
    }
}

static void put_in_place(const struct changes *changes, const struct places *places)
{
    struct plan plan;
    const char *moved = prepare_recheck(changes, places);
    struct answer answer = {moved == NULL ? NULL : "changed-meanwhile", moved, 0, 0};
    long error = 0;
    if (answer.code == NULL)
        error = make_plan(&plan, changes, places);
    if (answer.code == NULL && error >= 0)
        answer = commit_apply(&plan, places);
    if (answer.code == NULL && error >= 0) {
        error = prepare_sync_folders(&plan, places);
        if (error >= 0)
            error = plan_mark_committed(places->scratch);
        if (error < 0)
            answer = commit_roll_back(&plan, places);
    }
    if (answer.code == NULL && error >= 0) {
        conclude(places->scratch, 1);
        return;
    }
    tell_refusal(&answer, error);
    tell_flush();
    /* Not even taking back went through: the journal and all that is needed to go on stay, and no outcome is written. */
    if (answer.stuck)
        return;
    drop(places->scratch);
    tidy_up(places->scratch);
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
    changes_list(&changes, &overlay->layers, &listener);
    tell_number("effects", (long)changes.count);
    tell_flush();
    int kept = hear(word) && text_equal(word, "commit");
    if (!kept || changes.problems + problems > 0)
        conclude(overlay->places.scratch, 0);
    else if (changes.count == 0)
        conclude(overlay->places.scratch, 1);
    else
        put_in_place(&changes, &overlay->places);
}

static int is_settled(int scratch)
{
    struct object outcome;
    return object_at(scratch, OUTCOME, &outcome) >= 0 && outcome.kind == KIND_FILE;
}

int settle_recover(const char *work, const char *scratch)
{
    struct places places = {-1, -1, -1, -1};
    struct plan plan;
    int committed = 0;
    tell_to(1);
    long result = overlay_open(&places, scratch, work);
    if (result < 0) {
        tell_failure(result, work);
        tell_flush();
        return 1;
    }
    if (is_settled(places.scratch)) {
        tell("nothing", NULL, NULL);
        tell_flush();
        tidy_up(places.scratch);
        return 0;
    }
    result = plan_read(&plan, places.scratch, &committed);
    if (committed) {
        conclude(places.scratch, 1);
        return 0;
    }
    struct answer answer = {NULL, NULL, result == -ENOENT_ ? 0 : result, 0};
    if (result >= 0)
        answer = commit_roll_back(&plan, &places);
    if (answer.code == NULL && answer.error == 0) {
        conclude(places.scratch, 0);
        return 0;
    }
    if (answer.code != NULL && answer.error == 0)
        tell("conflict", answer.code, answer.path);
    else
        tell_failure(answer.error, answer.path);
    tell_flush();
    return 1;
}
