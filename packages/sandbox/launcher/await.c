#include "await.h"

#include <asm/statfs.h>
#include <linux/poll.h>
#include <linux/time_types.h>

#include "outlive.h"
#include "process.h"
#include "quiet.h"
#include "replay.h"
#include "settle.h"
#include "tell.h"
#include "text.h"
#include "unseen.h"

#define WATCH_NANOSECONDS 50000000
#define WITHOUT_SIGNAL 0x4000
/* A commit changes many names in a row. */
#define QUIET_NANOSECONDS 10000000
#define MOST_NOISE 30
#define MIN_FREE_INODES 10000UL
/* Init ends what it was asked to in a moment, unless it is held up. */
#define GRACE_SECONDS 15

/* One line of at most a few bytes; anything that is not one is no word. */
int hear(char *word)
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

int await_end(long init)
{
    int status = 0;
    while (kernel(wait4, init, &status, 0, NULL) == -EINTR_)
        continue;
    return exit_status(status);
}

/* FOR_ANSWER is WITH_WORD while something is being settled. */
enum at_word { STOP_AT_WORD, WITH_WORD, FOR_ANSWER };

/* `leave` has init let the command go on after its call. False for any other word, and for the end of the channel. */
static int is_to_leave(int line)
{
    const char hand_over = HAND_OVER;
    char word[WORD_BYTES];
    if (!hear(word) || !text_equal(word, "leave") || line < 0)
        return 0;
    /* It may have ended by now, which is about to be seen. */
    kernel(sendto, line, &hand_over, 1, WITHOUT_SIGNAL, NULL, 0);
    return 1;
}

/*
 * Until init has ended, or has something to say on `line` (-1: never). A full disk ends it, and is told. So does a word on the
 * control channel but `leave`, with STOP_AT_WORD; else it is left unread. True if there is something to read on the line, or a word.
 */
static int watch(const struct options *options, const struct overlay *overlay, long init, int line, enum at_word at_word)
{
    long child = must(kernel(pidfd_open, init, 0), "watch the box", NULL);
    struct pollfd watched[4] = {{(int)child, POLLIN, 0}, {CONTROL_DESCRIPTOR, POLLIN, 0}, {line, POLLIN, 0}, {-1, POLLIN, 0}};
    int says = 0;
    int noise = 0;
    while ((watched[0].revents & POLLIN) == 0) {
        int heard;
        /* Anew each time: the kernel leaves in it what was not waited. */
        struct __kernel_timespec pause = {0, replay_waits() ? QUIET_NANOSECONDS : WATCH_NANOSECONDS};
        watched[3].fd = replay_descriptor();
        long ready = kernel(ppoll, watched, 4, &pause, NULL, 8);
        if (ready == -EINTR_)
            continue;
        if (ready > 0 && watched[3].revents != 0)
            replay_read();
        if (at_word == WITH_WORD)
            quiet_look();
        noise = ready > 0 && replay_waits() ? noise + 1 : 0;
        if (replay_waits() && (noise == 0 || noise > MOST_NOISE))
            replay_run();
        heard = ready > 0 && watched[1].revents != 0;
        if (ready > 0 && watched[0].revents != 0)
            break;
        if (ready > 0 && !heard && (watched[2].revents & POLLIN) != 0) {
            says = 1;
            break;
        }
        /* Its end is about to be seen. */
        if (ready > 0 && watched[2].revents != 0)
            watched[2].fd = -1;
        if (heard && at_word != STOP_AT_WORD) {
            says = 1;
            break;
        }
        if (heard ? is_to_leave(line) : !disk_is_full(options, overlay))
            continue;
        if (!heard)
            tell("stopped", "disk-full", NULL);
        kernel(kill, init, SIGKILL_);
        break;
    }
    kernel(close, child);
    return says;
}

struct ended await_command(const struct options *options, const struct overlay *overlay, long init, const int *lines)
{
    struct ended ended = {0, 0, 0, lines[0], lines[1], init};
    ended.left = watch(options, overlay, init, lines[0], STOP_AT_WORD) &&
                 kernel(read, lines[0], &ended.status, sizeof ended.status) == (long)sizeof ended.status;
    ended.goes_on = ended.left && ended.status == HANDED_OVER;
    if (ended.goes_on)
        ended.status = 0;
    if (!ended.left)
        ended.status = await_end(init);
    return ended;
}

/* True if it ends in time. */
static int ends_soon(const struct ended *ended)
{
    const char end_soon = END_SOON;
    struct __kernel_timespec left = {GRACE_SECONDS, 0};
    if (kernel(write, ended->line, &end_soon, 1) != 1)
        return 0;
    long child = kernel(pidfd_open, ended->init, 0);
    struct pollfd watched = {(int)child, POLLIN, 0};
    long ready = -EINTR_;
    while (child >= 0 && ready == -EINTR_)
        ready = kernel(ppoll, &watched, 1, &left, NULL, 8);
    if (child >= 0)
        kernel(close, child);
    return ready > 0;
}

/* What has changed by now is in the view before it is answered. */
static void show(void)
{
    replay_read();
    replay_run();
    tell("shown", NULL, NULL);
    tell_flush();
}

/* The decision about what was listed. The command goes on meanwhile; `stop` is set if it is to end afterwards. */
static int is_to_keep(const struct options *options, const struct overlay *overlay, const struct ended *ended, int *stop)
{
    char word[WORD_BYTES];
    for (;;) {
        watch(options, overlay, ended->init, -1, FOR_ANSWER);
        /* Its end does not decide. */
        if (!hear(word))
            return 0;
        if (text_equal(word, "show"))
            show();
        else if (text_equal(word, "stop"))
            *stop = 1;
        else
            return text_equal(word, "commit");
    }
}

static int settle_quietly(const struct options *options, struct overlay *overlay, const struct ended *ended)
{
    int stop = 0;
    if (quiet_list(overlay)) {
        quiet_settle(overlay, is_to_keep(options, overlay, ended, &stop));
    } else {
        tell("busy", NULL, NULL);
        tell_flush();
    }
    return stop;
}

int await_left(const struct options *options, struct overlay *overlay, const struct ended *ended)
{
    char word[WORD_BYTES];
    int says;
    int heard = 0;
    int goes_on;
    unseen_speak();
    do {
        says = watch(options, overlay, ended->init, -1, WITH_WORD);
        heard = says && hear(word);
        goes_on = heard && text_equal(word, "show");
        if (goes_on)
            show();
        if (heard && text_equal(word, "quiet"))
            goes_on = !settle_quietly(options, overlay, ended);
    } while (goes_on);
    if (says && !(heard && ends_soon(ended))) {
        tell("stopped", "not-ended", NULL);
        kernel(kill, ended->init, SIGKILL_);
    }
    return await_end(ended->init);
}
