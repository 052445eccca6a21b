/*
 * Three processes. The launcher waits outside. Init, first process of a new process name space, builds the
 * root, gives up its rights, waits for the command and ends with it; its end ends all that is left inside.
 * The command is init's child. Init dies when the launcher dies, whoever kills it and however.
 */
#include "shell.h"

#include <linux/prctl.h>
#include <linux/resource.h>
#include <linux/sched.h>

#include "confine.h"
#include "egress.h"
#include "outlive.h"
#include "probe.h"
#include "process.h"
#include "refresh.h"
#include "rename.h"
#include "replayer.h"
#include "root.h"
#include "session.h"
#include "settle.h"
#include "space.h"
#include "unlinked.h"

/* A packet is taken whole or not at all. */
#define PACKETS 5
#define SPACES (CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS)

/* Of the box's users, by the launcher. */
enum mapping { NOT_MAPPED, MAPPED_ONE, MAPPED_ALL };

/* From the launcher to init: one that closes with the launcher, and one that says that the users are mapped. */
struct pipes {
    int alive[2];
    int mapped[2];
    /* Between init and the launcher, about processes that the command leaves; -1 without. */
    int line[2];
    /* Between the launcher and the process that replays; -1 without. */
    int replay[2];
};

static void set_limits(const struct options *options)
{
    if (options->max_processes)
        limit(RLIMIT_NPROC, (unsigned long)options->max_processes, "limit processes");
    if (options->max_file_bytes)
        limit(RLIMIT_FSIZE, (unsigned long)options->max_file_bytes, "limit file size");
    if (options->max_open_files)
        limit(RLIMIT_NOFILE, (unsigned long)options->max_open_files, "limit open files");
    if (options->max_cpu_seconds)
        limit(RLIMIT_CPU, (unsigned long)options->max_cpu_seconds, "limit processor time");
    if (options->max_data_bytes)
        limit(RLIMIT_DATA, (unsigned long)options->max_data_bytes, "limit memory");
}

static int wait_for(long process)
{
    for (;;) {
        int status = 0;
        long ended = kernel(wait4, -1, &status, 0, NULL);
        if (ended == -EINTR_)
            continue;
        if (ended < 0)
            return STATUS_NO_BOX;
        if (ended == process)
            return exit_status(status);
    }
}

static long split(unsigned long flags)
{
    return kernel(clone, flags | SIGCHLD_, 0, 0, 0, 0);
}

static int command(const struct options *options)
{
    kernel(setsid);
    /* The control channel decides about what the command does: it is not the command's. */
    if (options->overlay != NULL)
        must(kernel(close_range, CONTROL_DESCRIPTOR, ~0U, 0), "close descriptors", NULL);
    if (options->probe)
        return probe_report(options);
    long result = kernel(execve, options->command[0], options->command, options->environment);
    fail("start", options->command[0], result);
}

static void enter(const char *path)
{
    long fd = must(open_unlinked(path), "open without links", path);
    must(kernel(fchdir, fd), "enter", path);
    kernel(close, fd);
}

/* Whoever was to say it has failed, and has said so. */
static char await(const int *pipe)
{
    char word;
    kernel(close, pipe[1]);
    if (kernel(read, pipe[0], &word, 1) != 1)
        kernel(exit_group, STATUS_NO_BOX);
    kernel(close, pipe[0]);
    return word;
}

static void go_on(const int *pipe, char word)
{
    must(kernel(write, pipe[1], &word, 1), "start the box", NULL);
    kernel(close, pipe[0]);
    kernel(close, pipe[1]);
}

/* Does the box have every user? The launcher alone can map them, and says whether it did. */
static int await_mapping(const int *mapped, long user, long group)
{
    char mapping = await(mapped);
    if (mapping == NOT_MAPPED)
        map_identity(user, group);
    return mapping == MAPPED_ALL;
}

/* Starts init, with its users mapped if this process may do that; then `everyone` says whether they are all. */
static long split_init(const struct options *options, const struct pipes *pipes, long user, enum mapping *mapping)
{
    int several = 0;
    long child;
    if (options->session) {
        child = session_split(options, SPACES, pipes->alive[1], &several);
        *mapping = user == 0 && several ? MAPPED_ALL : MAPPED_ONE;
    } else {
        child = must(split(SPACES | CLONE_NEWNET), "make name spaces", NULL);
        *mapping = child != 0 && user == 0 && map_everyone(child) >= 0 ? MAPPED_ALL : NOT_MAPPED;
    }
    return child;
}

/* The command keeps what root has over files; init, which only waits, nothing. */
static long start_command(const struct options *options)
{
    int dropped[2];
    must(kernel(pipe2, dropped, O_CLOEXEC_), "make pipe", NULL);
    long child = must(split(0), "fork", NULL);
    if (child == 0) {
        await(dropped);
        kernel(exit_group, command(options));
    }
    drop_kept();
    go_on(dropped, 1);
    return child;
}

/*
 * A descriptor of a folder can outlive its box, in a process of the same session. Mounts that come from a name space of more
 * rights are locked: what they cover stays covered, also once their name space is gone.
 */
static void enter_locked_mounts(int entry, int alive)
{
    if (!enter_inner_spaces(CLONE_NEWNS, entry))
        fail("map the users of the inner name space", NULL, 0);
    kernel(close, entry);
    /* New rights may have ended the first wish. */
    die_with_launcher(alive);
}

static int init(const struct options *options, const struct overlay *overlay, const struct pipes *pipes, long user,
                long group)
{
    kernel(close, pipes->alive[1]);
    die_with_launcher(pipes->alive[0]);
    int everyone = await_mapping(pipes->mapped, user, group);
    must(kernel(sethostname, "bulkhead", 8), "name the box", NULL);
    if (!options->session)
        raise_loopback();
    int entry = own_entry();
    root_enter(options, overlay);
    int refresher = pipes->replay[1] < 0 ? -1 : refresh_start(options->work);
    enter_locked_mounts(entry, pipes->alive[0]);
    enter(options->cwd);
    kernel(close, pipes->alive[0]);
    set_limits(options);
    uint32_t kept = everyone ? FILE_CAPABILITIES : 0;
    /* A copy renames what it holds. */
    int renames_folders = overlay != NULL && overlay->clone == NULL;
    /* Nobody inside may trace init: it could be made to forget that it dies with the launcher. Nor what it starts to help it. */
    must(kernel(prctl, PR_SET_DUMPABLE, 0, 0, 0, 0), "hide init", NULL);
    if (renames_folders)
        renames_start(kept);
    if (pipes->replay[1] >= 0)
        replayer_start(kept, pipes->replay[1], refresher, options->work);
    drop_privileges(kept);
    restrict_calls(PROFILE_SHELL);
    long way_out = 0;
    if (options->egress != NULL)
        way_out = egress_start(options->egress_number);
    /* Whoever takes a descriptor of the working folder itself would write it as this command may. */
    if (overlay == NULL && (options->session || options->temp_from != NULL || options->home_from != NULL))
        restrict_unix_sockets();
    if (renames_folders)
        renames_hand_over();
    if (overlay != NULL)
        overlay_wait_for_tick(overlay);
    if (options->background && !outlive_begin(pipes->line[1]))
        return STATUS_NO_BOX;
    long child = start_command(options);
    /* Readers of the command's output see its end when the command closes it, not when init does. */
    int line = pipes->line[1];
    if (line > 0)
        kernel(close_range, 0, line - 1, 0);
    kernel(close_range, line + 1, ~0U, 0);
    if (options->background)
        return outlive_end(line, child);
    int status = line < 0 ? wait_for(child) : outlive_await(line, child);
    if (line < 0) {
        renames_hold();
        return status;
    }
    /* The way out is the command's, and of its call. */
    if (way_out > 0)
        kernel(kill, -way_out, SIGKILL_);
    if (status == HANDED_OVER)
        return outlive_end(line, child);
    outlive(line, status);
    return status;
}

int launch_shell(const struct options *options)
{
    static struct overlay storage;
    struct overlay *overlay = options->overlay == NULL ? NULL : &storage;
    struct pipes pipes;
    long user = kernel(geteuid);
    long group = kernel(getegid);
    if (overlay != NULL)
        overlay_begin(overlay, options);
    must(kernel(pipe2, pipes.mapped, O_CLOEXEC_), "make pipe", NULL);
    must(kernel(pipe2, pipes.alive, O_CLOEXEC_), "make pipe", NULL);
    pipes.line[0] = pipes.line[1] = pipes.replay[0] = pipes.replay[1] = -1;
    if (options->leave) {
        must(kernel(socketpair, 1, 1 | O_CLOEXEC_, 0, pipes.line), "make pipe", NULL);
        must(kernel(socketpair, 1, PACKETS | O_CLOEXEC_, 0, pipes.replay), "make pipe", NULL);
    }
    enum mapping mapping;
    long child = split_init(options, &pipes, user, &mapping);
    if (child == 0)
        return init(options, overlay, &pipes, user, group);
    if (mapping == MAPPED_ALL && overlay != NULL)
        overlay_of_everyone(overlay);
    go_on(pipes.mapped, (char)mapping);
    kernel(close, pipes.alive[0]);
    kernel(close_range, 0, overlay == NULL ? pipes.alive[1] - 1 : CONTROL_DESCRIPTOR - 1, 0);
    if (overlay == NULL)
        return wait_for(child);
    kernel(close, pipes.line[1]);
    kernel(close, pipes.replay[1]);
    const int lines[2] = {pipes.line[0], pipes.replay[0]};
    struct ended ended = await_command(options, overlay, child, lines);
    settle(options, overlay, &ended);
    return ended.status;
}
