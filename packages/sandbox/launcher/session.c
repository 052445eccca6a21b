#include "session.h"

#include <linux/sched.h>

#include "confine.h"
#include "space.h"

/* What the process that joins says to the launcher. */
struct birth {
    long process;
    long users;
};

int session_keep(long parent)
{
    char byte;
    long user = kernel(geteuid);
    long group = kernel(getegid);
    close_descriptors(3);
    die_with_parent(parent);
    kernel(setsid);
    int entry = own_entry();
    if (!enter_inner_spaces(CLONE_NEWNET, entry))
        map_identity(user, group);
    kernel(close, entry);
    raise_loopback();
    text_print(1, "ready\n");
    kernel(close, 1);
    while (kernel(read, 0, &byte, 1) == -EINTR_)
        continue;
    return 0;
}

/*
 * In a process of its own: whoever has entered the session's user name space has lost the rights outside that the launcher needs
 * to the end.
 */
static long join(const struct options *options, unsigned long flags, int alive, int report)
{
    struct birth birth;
    /* Else the first process could not tell the launcher's death before this one's. */
    kernel(close, alive);
    int users = (int)options->session;
    int network = users + 1;
    must(kernel(setns, users, CLONE_NEWUSER), "join the session's users", NULL);
    must(kernel(setns, network, CLONE_NEWNET), "join the session's network", NULL);
    kernel(close, users);
    kernel(close, network);
    birth.process = must(kernel(clone, flags | CLONE_PARENT | SIGCHLD_, 0, 0, 0, 0), "make name spaces", NULL);
    if (birth.process == 0) {
        kernel(close, report);
        return 0;
    }
    birth.users = must(map_everyone(birth.process), "map the users of", "the box");
    must(kernel(write, report, &birth, sizeof birth), "report the box", NULL);
    kernel(exit_group, 0);
    __builtin_unreachable();
}

long session_split(const struct options *options, unsigned long flags, int alive, int *everyone)
{
    struct birth birth;
    int report[2];
    must(kernel(pipe2, report, O_CLOEXEC_), "make pipe", NULL);
    long joining = must(kernel(clone, SIGCHLD_, 0, 0, 0, 0), "fork", NULL);
    if (joining == 0) {
        kernel(close, report[0]);
        return join(options, flags, alive, report[1]);
    }
    kernel(close, report[1]);
    kernel(close, options->session);
    kernel(close, options->session + 1);
    /* Whoever has failed has said why. */
    if (kernel(read, report[0], &birth, sizeof birth) != (long)sizeof birth)
        kernel(exit_group, STATUS_NO_BOX);
    kernel(close, report[0]);
    kernel(wait4, joining, NULL, 0, NULL);
    *everyone = birth.users > 1;
    return birth.process;
}
