#include "rename.h"

#include <linux/ioctl.h>
#include <linux/poll.h>
#include <linux/prctl.h>
#include <linux/sched.h>

#include "asked.h"
#include "confine.h"
#include "filter.h"
#include "text.h"
#include "turn.h"

#ifndef SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV
#define SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV (1UL << 5)
#endif
/* Since Linux 6.6: the answer wakes the one that waits on this processor. */
#define WAKE_HERE 1UL
#define UNSHARE_ 2U
#define BLOCK_MORE 0

/* Known to init; 0 once it is gone. */
static long renaming;

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

/* The descriptors are init's until the listener is among them. */
static void await_listener(const struct renames *renames, uint32_t kept)
{
    const uint64_t all = ~0UL;
    int listener;
    /* Programs send signals to all they can. */
    kernel(rt_sigprocmask, BLOCK_MORE, &all, NULL, sizeof all);
    asked_with(kept);
    drop_privileges(kept | 1U << CAP_SYS_PTRACE);
    must(kernel(prctl, PR_SET_DUMPABLE, 0, 0, 0, 0), "hide", "the process that renames");
    restrict_renaming();
    if (kernel(read, renames->listener[0], &listener, sizeof listener) != (long)sizeof listener || listener < 0)
        return;
    must(kernel(close_range, ~0U, ~0U, UNSHARE_), "take", "the descriptors");
    kernel(write, renames->taken[1], "", 1);
    kernel(close_range, 0, listener - 1, 0);
    kernel(close_range, listener + 1, ~0U, 0);
    /* Nothing of the box is the place of this process. */
    kernel(chdir, "/proc");
    serve(listener);
}

void renames_start(struct renames *renames, uint32_t kept)
{
    turn_make();
    must(kernel(pipe2, renames->listener, O_CLOEXEC_), "make pipe", NULL);
    must(kernel(pipe2, renames->taken, O_CLOEXEC_), "make pipe", NULL);
    /* Without a signal for its end, those that wait for any child do not see it. */
    renaming = must(kernel(clone, CLONE_FILES, 0, 0, 0, 0), "start", "the process that renames");
    if (renaming != 0)
        return;
    await_listener(renames, kept);
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

/* Without one who answers, nothing inside could rename anything. */
static void await_taken(int taken)
{
    struct pollfd watched[2] = {{taken, POLLIN, 0}, {(int)kernel(pidfd_open, renaming, 0), POLLIN, 0}};
    must(watched[1].fd, "watch", "the process that renames");
    while (kernel(ppoll, watched, 2, NULL, NULL, 8) == -EINTR_)
        continue;
    if ((watched[0].revents & POLLIN) == 0)
        fail("hand over", "renames", 0);
    kernel(close, watched[1].fd);
}

void renames_hand_over(struct renames *renames)
{
    int listener = (int)listen_to_renames();
    must(kernel(write, renames->listener[1], &listener, sizeof listener), "hand over", "renames");
    if (listener >= 0) {
        await_taken(renames->taken[0]);
        kernel(close, listener);
    }
    for (int side = 0; side < 2; side++) {
        kernel(close, renames->listener[side]);
        kernel(close, renames->taken[side]);
    }
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
