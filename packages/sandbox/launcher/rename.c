#include "rename.h"

#include <linux/ioctl.h>
#include <linux/sched.h>

#include "asked.h"
#include "confine.h"
#include "filter.h"
#include "pass.h"
#include "text.h"
#include "turn.h"

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif
/* Since Linux 6.6: the answer wakes the one that waits on this processor. */
#define WAKE_HERE 1UL
#define BLOCK_MORE 0
#define UNIX 1
#define STREAM 1

/* Known to init; 0 once it is gone. */
static long renaming;
/* From init, the second end, to that process. */
static int line[2];

static void serve(int listener)
{
    kernel(ioctl, listener, SECCOMP_SET_FLAGS, WAKE_HERE);
    for (;;) {
        struct seccomp_notif asked;
        memset(&asked, 0, sizeof asked);
        long result = kernel(ioctl, listener, SECCOMP_IOCTL_NOTIF_RECV, &asked);
        if (result == -EINTR_ || result == -ENOENT_)
            continue;
        if (result < 0)
            return;
        result = asked_carry_out(listener, &asked);
        struct seccomp_notif_resp answer = {asked.id, 0, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE};
        if (result <= 0)
            answer = (struct seccomp_notif_resp){asked.id, 0, (int32_t)result, 0};
        kernel(ioctl, listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
    }
}

static void await_listener(uint32_t kept)
{
    const uint64_t all = ~0UL;
    const char ready = 1;
    char word;
    int listener;
    /* Programs send signals to all they can. */
    kernel(rt_sigprocmask, BLOCK_MORE, &all, NULL, sizeof all);
    asked_with(kept);
    drop_privileges(kept | 1U << CAP_SYS_PTRACE);
    restrict_renaming();
    kernel(close, line[1]);
    /* Nothing is left to give up. */
    if (kernel(write, line[0], &ready, 1) != 1)
        return;
    /* None, if the kernel has none, or init has failed. */
    if (pass_take(line[0], &word, 1, &listener) != 1 || listener < 0)
        return;
    kernel(close_range, 0, listener - 1, 0);
    kernel(close_range, listener + 1, ~0U, 0);
    /* Nothing of the box is the place of this process. */
    kernel(chdir, "/proc");
    serve(listener);
}

void renames_start(uint32_t kept)
{
    turn_make();
    must(kernel(socketpair, UNIX, STREAM | O_CLOEXEC_, 0, line), "make pipe", NULL);
    /* Without a signal for its end, those that wait for any child do not see it. */
    renaming = must(kernel(clone, 0, 0, 0, 0, 0), "start", "the process that renames");
    if (renaming != 0) {
        char ready;
        kernel(close, line[0]);
        if (kernel(read, line[1], &ready, 1) != 1)
            fail("confine", "the process that renames", 0);
        return;
    }
    await_listener(kept);
    kernel(exit_group, 0);
}

static long listen_to_renames(void)
{
    static struct filter filter;
    filter_begin(&filter);
    filter_hand_over(&filter);
    struct sock_fprog program = {(unsigned short)filter.length, filter.code};
    return kernel(seccomp, SECCOMP_SET_MODE_FILTER,
                  SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, &program);
}

void renames_hand_over(void)
{
    int listener = (int)listen_to_renames();
    const char word = 0;
    /* Should the process be gone, renames are refused: no one answers them. */
    if (listener >= 0)
        must(pass_send(line[1], &word, 1, listener), "hand over", "renames");
    kernel(close, listener);
    kernel(close, line[1]);
}

void renames_hold(void)
{
    if (renaming > 0)
        renaming = turn_hold(renaming);
}

void renames_go_on(void)
{
    if (renaming > 0)
        turn_go_on();
}
