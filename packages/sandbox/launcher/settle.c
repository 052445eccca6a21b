#include "settle.h"

#include <linux/poll.h>
#include <linux/time_types.h>
#include <asm/statfs.h>

#include "prepare.h"
#include "text.h"

#define OUTCOME "outcome"
#define OUTCOME_NEW "outcome.new"
#define WATCH_NANOSECONDS 50000000
#define WORD_BYTES 16
#define BUFFER_BYTES 32768

static const char *const what_names[] = {"created", "changed", "metadata", "deleted", "replaced"};
static const char *const kind_names[] = {"missing", "file", "folder", "link", "other", "other"};

/* Records on their way to `fd`, each ended by NUL. */
struct teller {
    int fd;
    size_t used;
    char buffer[BUFFER_BYTES];
};

static struct teller teller;

static void flush(void)
{
    for (size_t at = 0; at < teller.used;) {
        long written = kernel(write, teller.fd, teller.buffer + at, teller.used - at);
        if (written == -EINTR_)
            continue;
        /* Nobody listens: nobody will say commit either. */
        if (written < 0)
            break;
        at += (size_t)written;
    }
    teller.used = 0;
}

static void put(const char *text)
{
    for (; *text != 0; text++) {
        if (teller.used == BUFFER_BYTES)
            flush();
        teller.buffer[teller.used++] = *text;
    }
}

static void put_number(long number)
{
    char digits[24] = "";
    text_append_number(digits, sizeof digits, number);
    put(digits);
    put(" ");
}

static void end_record(void)
{
    if (teller.used == BUFFER_BYTES)
        flush();
    teller.buffer[teller.used++] = 0;
}

static void tell(const char *word, const char *code, const char *path)
{
    put(word);
    if (code != NULL) {
        put(" ");
        put(code);
    }
    if (path != NULL) {
        put(" ");
        put(path);
    }
    end_record();
}

static void tell_number(const char *word, long number)
{
    char digits[24] = "";
    text_append_number(digits, sizeof digits, number);
    tell(word, digits, NULL);
}

static void tell_change(const struct change *change, const char *target)
{
    put("change ");
    put(what_names[change->what]);
    put(" ");
    put(kind_names[change->now.kind]);
    put(" ");
    put(kind_names[change->was.kind]);
    put(" ");
    put_number(change->now.mode);
    put_number(change->was.mode);
    put_number((long)change->now.size);
    put_number((long)change->was.size);
    put_number(change->was.links);
    put(change->path);
    end_record();
    if (target != NULL)
        tell("target", target, NULL);
}

static void tell_problem(const char *code, const char *path)
{
    tell("problem", code, path);
}

static void tell_note(const char *code, const char *path)
{
    tell("note", code, path);
}

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
    return (unsigned long)facts.f_bavail * (unsigned long)facts.f_bsize < (unsigned long)options->min_free_bytes;
}

static int collect(long init)
{
    int status = 0;
    while (kernel(wait4, init, &status, 0, NULL) == -EINTR_)
        continue;
    return (status & 0x7f) ? 128 + (status & 0x7f) : (status >> 8) & 0xff;
}

int settle_wait(const struct options *options, const struct overlay *overlay, long init)
{
    struct __kernel_timespec pause = {0, WATCH_NANOSECONDS};
    char word[WORD_BYTES];
    long child = must(kernel(pidfd_open, init, 0), "watch the box", NULL);
    struct pollfd watched[2] = {{(int)child, POLLIN, 0}, {CONTROL_DESCRIPTOR, POLLIN, 0}};
    while ((watched[0].revents & POLLIN) == 0) {
        int heard;
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

/* `lasting`: on the disk when it returns. What left nothing behind need not be: an absent outcome says the same. */
static void write_outcome(int scratch, const char *outcome, int lasting)
{
    long fd = kernel(openat, scratch, OUTCOME_NEW, O_WRONLY_ | O_CREAT_ | O_TRUNC_ | O_CLOEXEC_, 0600);
    if (fd < 0)
        return;
    long written = kernel(write, fd, outcome, text_length(outcome));
    long synced = lasting ? kernel(fsync, fd) : 0;
    kernel(close, fd);
    if (written != (long)text_length(outcome) || synced < 0)
        return;
    kernel(renameat2, scratch, OUTCOME_NEW, scratch, OUTCOME, 0);
    if (lasting)
        kernel(fsync, scratch);
}

/* Once the outcome is told: this may take long, and a crash in it loses nothing. */
static void tidy_up(int scratch)
{
    tree_remove(scratch, "upper");
    tree_remove(scratch, "parked");
    tree_remove(scratch, "work");
    kernel(unlinkat, scratch, "journal.new", 0);
    kernel(unlinkat, scratch, "journal", 0);
}

static void conclude(int scratch, const char *outcome, int lasting)
{
    write_outcome(scratch, outcome, lasting);
    tell(outcome, NULL, NULL);
    flush();
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

static void tell_failure(long error, const char *path)
{
    char code[24] = "";
    text_append_number(code, sizeof code, -error);
    tell("failed", code, path == NULL ? "." : path);
}

static void put_in_place(const struct changes *changes, const struct places *places)
{
    struct plan plan;
    const char *moved = prepare_recheck(changes, places);
    struct answer answer = {moved == NULL ? NULL : "changed-meanwhile", moved, 0};
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
        conclude(places->scratch, "committed", 1);
        return;
    }
    if (answer.code != NULL && !text_equal(answer.code, "failed"))
        tell("conflict", answer.code, answer.path);
    else
        tell_failure(answer.code == NULL ? error : answer.error, answer.path);
    flush();
    /* Not even a roll-back went through: the journal and all that is needed to go on stay. */
    if (answer.code != NULL && text_equal(answer.code, "edited-since"))
        return;
    write_outcome(places->scratch, "dropped", 0);
    tidy_up(places->scratch);
}

void settle(struct overlay *overlay, int status)
{
    const struct listener listener = {tell_change, tell_problem, tell_note};
    struct changes changes;
    char word[WORD_BYTES];
    teller.fd = CONTROL_DESCRIPTOR;
    overlay_ended(overlay);
    tell_number("ended", status);
    flush();
    changes_list(&changes, &overlay->layers, &listener);
    tell_number("effects", (long)changes.count);
    flush();
    int kept = hear(word) && text_equal(word, "commit");
    if (!kept || changes.problems > 0)
        conclude(overlay->places.scratch, "dropped", 0);
    else if (changes.count == 0)
        conclude(overlay->places.scratch, "committed", 0);
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
    teller.fd = 1;
    long result = overlay_open(&places, scratch, work);
    if (result < 0) {
        tell_failure(result, work);
        flush();
        return 1;
    }
    if (is_settled(places.scratch)) {
        tell("nothing", NULL, NULL);
        flush();
        tidy_up(places.scratch);
        return 0;
    }
    result = plan_read(&plan, places.scratch, &committed);
    if (committed) {
        conclude(places.scratch, "committed", 1);
        return 0;
    }
    struct answer answer = {NULL, NULL, result == -ENOENT_ ? 0 : result};
    if (result >= 0)
        answer = commit_roll_back(&plan, &places);
    if (answer.code == NULL && answer.error == 0) {
        conclude(places.scratch, "dropped", 0);
        return 0;
    }
    if (answer.code != NULL && answer.error == 0)
        tell("conflict", answer.code, answer.path);
    else
        tell_failure(answer.error, answer.path);
    flush();
    return 1;
}
