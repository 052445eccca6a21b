#include "settle.h"

#include "await.h"
#include "hold.h"
#include "later.h"
#include "opened.h"
#include "outlive.h"
#include "own.h"
#include "prepare.h"
#include "quiet.h"
#include "replay.h"
#include "tell.h"
#include "text.h"

#define KILLED (128 + SIGKILL_)

/* The view is still in use by what the command left. */
static int spared;

/* Once the outcome is told: this may take long, and a crash in it loses nothing. The journal of a commit stays. */
static void tidy_up(int scratch)
{
    tree_remove(scratch, "upper");
    tree_remove(scratch, "parked");
    tree_remove(scratch, "work");
    if (!spared) {
        tree_remove(scratch, HELD);
        tree_remove(scratch, QUIET);
    }
    kernel(unlinkat, scratch, "journal.new", 0);
}

/* Whatever it rests on is on the disk by now. */
void settle_conclude(int scratch, int committed)
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

int settle_commit(const struct changes *changes, const struct places *places)
{
    struct answer answer = put_in_place(changes, places);
    if (answer.code == NULL) {
        settle_conclude(places->scratch, 1);
        return 1;
    }
    tell_refusal(&answer);
    tell_flush();
    /* The journal, and all that is needed to go on, wait for recovery. */
    if (!answer.stuck)
        tidy_up(places->scratch);
    return 0;
}

int settle_is_unfinished(int scratch)
{
    struct object journal;
    return object_at(scratch, "journal", &journal) < 0 || journal.kind != KIND_MISSING;
}

static void end_left(struct ended *ended)
{
    kernel(kill, ended->init, SIGKILL_);
    await_end(ended->init);
    ended->left = 0;
    if (ended->goes_on)
        ended->status = KILLED;
    ended->goes_on = 0;
}

/*
 * What somebody may still write is judged by a copy. Where none can be made of what the command left running, that ends. Number of
 * problems: without a copy of what a process elsewhere has open, nothing can be kept.
 */
static unsigned long keep_apart(struct overlay *overlay, struct ended *ended)
{
    const char *path;
    if (ended->left && (ended->goes_on ? hold_set_apart(overlay) : hold_copy_upper(overlay, &path)) >= 0) {
        spared = 1;
        return 0;
    }
    if (ended->left) {
        end_left(ended);
        must(hold_take_back(overlay), "take back", "the command's view");
    }
    if (overlay->clone != NULL || hold_let_go(overlay))
        return 0;
    if (hold_copy_upper(overlay, &path) >= 0)
        return 0;
    tell_problem("held-elsewhere", path);
    return 1;
}

/* True if what was changed is in place now. */
static int decide(struct overlay *overlay, struct changes *changes, unsigned long problems)
{
    char word[WORD_BYTES];
    int heard = hear(word);
    /* Asked while the command ended: nobody has decided yet. */
    while (heard && text_equal(word, "leave"))
        heard = hear(word);
    int kept = heard && text_equal(word, "commit");
    if (kept && changes->problems + problems == 0 && changes->count > 0) {
        if (spared)
            replay_before_commit(changes, overlay->places.upper);
        return settle_commit(changes, &overlay->places);
    }
    settle_conclude(overlay->places.scratch, kept && changes->problems + problems == 0);
    return 0;
}

void settle(const struct options *options, struct overlay *overlay, struct ended *ended)
{
    const struct listener listener = {tell_change, tell_problem, tell_note};
    const char go_on = GO_ON;
    struct changes changes;
    tell_to(CONTROL_DESCRIPTOR);
    unsigned long early = ended->left ? keep_apart(overlay, ended) : 0;
    if (ended->left)
        replay_begin(options, overlay, ended->replay);
    if (ended->left && !ended->goes_on && kernel(write, ended->line, &go_on, 1) != 1)
        end_left(ended);
    if (ended->left)
        tell(ended->goes_on ? "goes-on" : "left", NULL, NULL);
    opened_tell(options);
    tell_number("ended", ended->status);
    tell_flush();
    unsigned long problems = early + overlay_ended(overlay, tell_problem);
    if (!spared)
        problems += keep_apart(overlay, ended);
    changes_list(&changes, &overlay->layers, &listener);
    tell_number("effects", (long)changes.count);
    tell_flush();
    int committed = decide(overlay, &changes, problems);
    if (!ended->left)
        return;
    /* Without room to remember, nothing of it can be told from what others did. */
    if (committed && own_remember(overlay->places.work, &changes) < 0)
        overlay->layers.clock_set = 1;
    quiet_begin(overlay);
    ended->status = await_left(options, overlay, ended);
    quiet_end(overlay);
    replay_end();
    spared = 0;
    int scratch = overlay->places.scratch;
    later_settle(overlay, ended->status);
    /* The journal of a commit stays in it. */
    kernel(unlinkat, scratch, HELD, AT_REMOVEDIR);
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
        settle_conclude(places.scratch, committed);
        return 0;
    }
    if (answer.error == 0)
        tell("conflict", answer.code, answer.path);
    else
        tell_failure(answer.error, answer.path);
    tell_flush();
    return 1;
}
