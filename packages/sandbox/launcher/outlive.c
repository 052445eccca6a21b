#include "outlive.h"

#include <linux/time_types.h>

#include "object.h"
#include "rename.h"
#include "text.h"

#define CLOCK_MONOTONIC_ 1
#define SIGCONT_ 18
#define SIGSTOP_ 19
#define EVERYONE (-1)
#define WITHOUT_WAITING 1
#define PAUSE_NANOSECONDS 2000000
/* What ends a moment after the command is not left behind. */
#define GRACE_PAUSES 50
#define STOP_PAUSES 250
#define NAMES_BYTES 4096

static void pause_briefly(void)
{
    struct __kernel_timespec pause = {0, PAUSE_NANOSECONDS};
    kernel(clock_nanosleep, CLOCK_MONOTONIC_, 0, &pause, NULL);
}

/* Every process has an ancestor that is init's child: without a child, none is left. */
static int reap(int options)
{
    for (;;) {
        long ended = kernel(wait4, EVERYONE, NULL, options, NULL);
        if (ended == 0)
            return 1;
        if (ended < 0 && ended != -EINTR_)
            return 0;
    }
}

static int others_remain(void)
{
    for (int tries = 0; tries < GRACE_PAUSES; tries++) {
        if (!reap(WITHOUT_WAITING))
            return 0;
        pause_briefly();
    }
    return reap(WITHOUT_WAITING);
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

void outlive(int line, int status)
{
    char answer = 0;
    int remain = others_remain();
    renames_hold();
    if (!remain)
        return;
    stop_all();
    if (kernel(write, line, &status, sizeof status) != (long)sizeof status)
        return;
    if (kernel(read, line, &answer, 1) != 1 || answer != GO_ON)
        return;
    kernel(close, line);
    renames_go_on();
    kernel(kill, EVERYONE, SIGCONT_);
    reap(0);
}
