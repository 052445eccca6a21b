#include "outlive.h"

#include <linux/poll.h>
#include <linux/time_types.h>

#include "object.h"
#include "process.h"
#include "rename.h"
#include "text.h"

#define CLOCK_MONOTONIC_ 1
#define SIGTERM_ 15
#define SIGCONT_ 18
#define SIGSTOP_ 19
#define EVERYONE (-1)
#define NOBODY 0
#define WITHOUT_WAITING 1
#define PAUSE_NANOSECONDS 2000000
/* What ends a moment after the command is not left behind. */
#define GRACE_PAUSES 50
#define STOP_PAUSES 250
#define LOOK_NANOSECONDS 100000000
/* From the request to the end: two seconds. */
#define END_LOOKS 20
#define NAMES_BYTES 4096

static void pause_briefly(void)
{
    struct __kernel_timespec pause = {0, PAUSE_NANOSECONDS};
    kernel(clock_nanosleep, CLOCK_MONOTONIC_, 0, &pause, NULL);
}

/* Every process has an ancestor that is init's child: without a child, none is left. */
static int reap(long command, int *status)
{
    for (;;) {
        int how = 0;
        long ended = kernel(wait4, EVERYONE, &how, WITHOUT_WAITING, NULL);
        if (ended == 0)
            return 1;
        if (ended == command)
            *status = exit_status(how);
        if (ended < 0 && ended != -EINTR_)
            return 0;
    }
}

static int others_remain(void)
{
    for (int tries = 0; tries < GRACE_PAUSES; tries++) {
        if (!reap(NOBODY, NULL))
            return 0;
        pause_briefly();
    }
    return reap(NOBODY, NULL);
}

/* The state is the letter behind the name, which may hold any character. */
static int is_still(int processes, const char *name)
{
    char text[512];
    char path[32] = "";
    text_append(path, sizeof path, name);
    text_append(path, sizeof path, "/stat");
    long fd = kernel(openat, processes, path, O_RDONLY_ | O_CLOEXEC_);
    if (fd < 0)
        return 1;
    long length = kernel(read, fd, text, sizeof text);
    kernel(close, fd);
    while (length > 0 && text[length - 1] != ')')
        length--;
    if (length <= 0 || (size_t)length + 1 >= sizeof text)
        return 1;
    char state = text[length + 1];
    return state == 'T' || state == 't' || state == 'Z' || state == 'X';
}

static int all_still(int processes)
{
    static char names[NAMES_BYTES];
    struct entries entries;
    const char *name;
    long error = 0;
    entries_begin(&entries, processes, names, sizeof names);
    while ((name = entries_next(&entries, &error)) != NULL)
        if (name[0] >= '0' && name[0] <= '9' && !text_equal(name, "1") && !is_still(processes, name))
            return 0;
    return 1;
}

/* For a copy that is one state of the folder. Nothing but that rests on it: a process may ignore it, or be another user's. */
static void stop_all(void)
{
    long processes = kernel(openat, AT_FDCWD, "/proc", O_RDONLY_ | O_DIRECTORY | O_CLOEXEC_);
    for (int tries = 0; tries < STOP_PAUSES; tries++) {
        kernel(kill, EVERYONE, SIGSTOP_);
        if (processes < 0 || all_still((int)processes))
            break;
        pause_briefly();
    }
    if (processes >= 0)
        kernel(close, processes);
}

/* Until no process is left. Whoever holds the other end of `line` may have them end: asked first, killed a moment later. */
static int wait_for_all(int line, long command, int status)
{
    struct pollfd word = {line, POLLIN, 0};
    int looks = 0;
    while (reap(command, &status)) {
        struct __kernel_timespec pause = {0, LOOK_NANOSECONDS};
        char said = 0;
        if (looks > 0 && --looks == 0) {
            /* What is kept of them has no folder half moved. */
            renames_hold();
            kernel(kill, EVERYONE, SIGKILL_);
        }
        if (kernel(ppoll, &word, 1, &pause, NULL, 8) <= 0)
            continue;
        int is_over = kernel(read, line, &said, 1) != 1;
        if (!is_over && said == END_SOON) {
            kernel(kill, EVERYONE, SIGTERM_);
            looks = END_LOOKS;
        }
        if (is_over || said == END_SOON)
            word.fd = -1;
    }
    renames_hold();
    return status;
}

static int may_go_on(int line, int status)
{
    char answer = HAND_OVER;
    int heard = kernel(write, line, &status, sizeof status) == (long)sizeof status;
    /* Asked of a command that ended in that moment: it has nothing to hand over but what it left. */
    while (heard && answer == HAND_OVER)
        heard = kernel(read, line, &answer, 1) == 1;
    return heard && answer == GO_ON;
}

/* True if the launcher knows by now that the command goes on. */
static int hands_over(int line)
{
    const int handed_over = HANDED_OVER;
    char said = 0;
    return kernel(read, line, &said, 1) == 1 && said == HAND_OVER &&
           kernel(write, line, &handed_over, sizeof handed_over) == (long)sizeof handed_over;
}

int outlive_await(int line, long command)
{
    long process = must(kernel(pidfd_open, command, 0), "watch", "the command");
    struct pollfd watched[2] = {{(int)process, POLLIN, 0}, {line, POLLIN, 0}};
    int status = HANDED_OVER;
    for (int is_over = 0; !is_over;) {
        struct __kernel_timespec pause = {0, LOOK_NANOSECONDS};
        int how = 0;
        long ended = kernel(wait4, EVERYONE, &how, WITHOUT_WAITING, NULL);
        if (ended == command) {
            status = exit_status(how);
            break;
        }
        /* What it has orphaned: more of it may have ended. */
        if (ended > 0)
            continue;
        if (kernel(ppoll, watched, 2, &pause, NULL, 8) <= 0 || watched[1].revents == 0)
            continue;
        is_over = hands_over(line);
        if (!is_over)
            watched[1].fd = -1;
    }
    kernel(close, process);
    return status;
}

void outlive(int line, int status)
{
    int remain = others_remain();
    renames_hold();
    if (!remain)
        return;
    stop_all();
    if (!may_go_on(line, status))
        return;
    renames_go_on();
    kernel(kill, EVERYONE, SIGCONT_);
    wait_for_all(line, NOBODY, status);
}

int outlive_begin(int line)
{
    return may_go_on(line, 0);
}

int outlive_end(int line, long command)
{
    return wait_for_all(line, command, STATUS_NO_BOX);
}
