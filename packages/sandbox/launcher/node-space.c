#include "node-space.h"

#include <linux/resource.h>
#include <linux/sched.h>

#include "confine.h"
#include "node-root.h"
#include "process.h"
#include "space.h"

#define SPACES (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS)

static void enter_spaces(const struct options *options, const int *alive, long user, long group)
{
    kernel(close, alive[1]);
    die_with_launcher(alive[0]);
    map_identity(user, group);
    kernel(setsid);
    must(kernel(sethostname, "bulkhead", 8), "name the box", NULL);
    /* Found in the host's tree, where it may be started; in the new root it is only shown. */
    if (!options->probe)
        open_program(options->command[0]);
    node_root_enter(options, options->probe ? NULL : options->command[0]);
    kernel(close, alive[0]);
}

/* As the box ended, so does the launcher: whoever started it sees no difference. */
static int end_as(long child)
{
    int status = 0;
    long ended;
    do
        ended = kernel(wait4, child, &status, 0, NULL);
    while (ended == -EINTR_);
    must(ended, "wait for the box", NULL);
    long self = kernel(getpid);
    if ((status & 0x7f) != 0)
        kernel(kill, self, status & 0x7f);
    return exit_status(status);
}

int launch_in_spaces(const struct options *options, int (*inside)(const struct options *options))
{
    int alive[2];
    long user = kernel(geteuid);
    long group = kernel(getegid);
    limit_core_files();
    must(kernel(pipe2, alive, O_CLOEXEC_), "make pipe", NULL);
    long child = must(kernel(clone, SPACES | SIGCHLD_, 0, 0, 0, 0), "make name spaces", NULL);
    if (child == 0) {
        enter_spaces(options, alive, user, group);
        return inside(options);
    }
    /* Whoever holds the other ends sees the box's end when the box closes them. */
    kernel(close_range, 0, alive[1] - 1, 0);
    return end_as(child);
}
