#include <linux/time_types.h>

#include "attack.h"

#define SEIZE 0x4206
#define ME 0
#define BAD 8
#define SECURITY_BITS 27
#define GET_NO_NEW_PRIVILEGES 39
#define PRIORITY_PROCESS 0
#define IO_PRIORITY_PROCESS 1
#define OPEN_FILES 7
#define MANY 32
#define OPEN_FILES_TRIED 2048

struct remote {
    const void *at;
    size_t size;
};

static long signal_parent(const struct world *world)
{
    return kernel(kill, world->parent, 0);
}

static long signal_other(const struct world *world)
{
    return kernel(kill, world->other, 0);
}

static long signal_parent_thread(const struct world *world)
{
    return kernel(tgkill, world->parent, world->parent, 0);
}

static long signal_by_handle(const struct world *world)
{
    long fd = kernel(pidfd_open, world->parent, 0);
    return fd < 0 ? fd : kernel(pidfd_send_signal, fd, 0, NULL, 0);
}

static long take_descriptor(const struct world *world)
{
    long fd = kernel(pidfd_open, world->parent, 0);
    return fd < 0 ? fd : kernel(pidfd_getfd, fd, 0, 0);
}

static long own_descriptor_for(const struct world *world)
{
    int ends[2];
    long made = kernel(pipe2, ends, O_CLOEXEC_);
    return made < 0 ? made : kernel(fcntl, ends[0], 8, world->parent);
}

static long trace_parent(const struct world *world)
{
    return kernel(ptrace, SEIZE, world->parent, 0, 0);
}

static long trace_other(const struct world *world)
{
    return kernel(ptrace, SEIZE, world->other, 0, 0);
}

static long trace_init(const struct world *world)
{
    (void)world;
    return kernel(ptrace, SEIZE, 1, 0, 0);
}

/* The address is nobody's: where the call is let through, it fails at that. */
static long read_memory(long process)
{
    char byte;
    struct remote mine = {&byte, 1};
    struct remote theirs = {(void *)(uintptr_t)BAD, 1};
    long result = kernel(process_vm_readv, process, &mine, 1, &theirs, 1, 0);
    return result == -14 ? 0 : result;
}

static long read_parent_memory(const struct world *world)
{
    return read_memory(world->parent);
}

static long read_other_memory(const struct world *world)
{
    return read_memory(world->other);
}

static long slow_parent(const struct world *world)
{
    long now = kernel(getpriority, PRIORITY_PROCESS, world->parent);
    return now < 0 ? now : kernel(setpriority, PRIORITY_PROCESS, world->parent, 20 - now);
}

static long slow_parent_disk(const struct world *world)
{
    return kernel(ioprio_set, IO_PRIORITY_PROCESS, world->parent, 0x4004);
}

static long move_parent_cpu(const struct world *world)
{
    unsigned char mask[128];
    long size = kernel(sched_getaffinity, world->parent, sizeof mask, mask);
    return size < 0 ? size : kernel(sched_setaffinity, world->parent, size, mask);
}

static long limit_parent(const struct world *world)
{
    unsigned long both[2];
    long result = kernel(prlimit64, world->parent, OPEN_FILES, NULL, both);
    return result < 0 ? result : kernel(prlimit64, world->parent, OPEN_FILES, both, NULL);
}

static long raise_own_limit(const struct world *world)
{
    unsigned long none[2] = {0, 0};
    (void)world;
    return kernel(prlimit64, ME, OPEN_FILES, none, NULL);
}

static long end_child(long child)
{
    int status = 0;
    if (child == 0) {
        kernel(exit_group, 0);
        __builtin_unreachable();
    }
    if (child > 0)
        kernel(wait4, child, &status, 0, NULL);
    return child < 0 ? child : 0;
}

static long make_process(const struct world *world)
{
    (void)world;
    return end_child(kernel(clone, SIGCHLD_, 0, 0, 0, 0));
}

static long make_process_the_old_way(const struct world *world)
{
    (void)world;
#if defined(__x86_64__)
    return end_child(kernel(fork));
#else
    return end_child(kernel(clone, SIGCHLD_, 0, 0, 0, 0));
#endif
}

static long leave_session(const struct world *world)
{
    (void)world;
    return kernel(setsid);
}

/* A bounded fork bomb: so many more than the box allows, all waiting, then ended again. */
static long exceed_processes(const struct world *world)
{
    int ends[2];
    char byte;
    long refused = 0;
    if (kernel(pipe2, ends, O_CLOEXEC_) < 0)
        return -1;
    for (long made = 0; made < world->max_processes + MANY && refused == 0; made++) {
        long child = kernel(clone, SIGCHLD_, 0, 0, 0, 0);
        if (child == 0) {
            kernel(close, ends[1]);
            kernel(read, ends[0], &byte, 1);
            kernel(exit_group, 0);
        }
        refused = child < 0 ? child : 0;
    }
    kernel(close, ends[1]);
    while (kernel(wait4, -1, NULL, 0, NULL) > 0)
        ;
    return refused;
}

static long exceed_open_files(const struct world *world)
{
    static int made[OPEN_FILES_TRIED];
    long fd = 0;
    int count = 0;
    (void)world;
    while (count < OPEN_FILES_TRIED && (fd = kernel(dup, 1)) >= 0)
        made[count++] = (int)fd;
    while (count > 0)
        kernel(close, made[--count]);
    return fd < 0 ? fd : 0;
}

/* Not an attack: asks the kernel whether exec may give rights. 0: it may. */
static long ask_for_new_privileges(const struct world *world)
{
    (void)world;
    long answer = kernel(prctl, GET_NO_NEW_PRIVILEGES, 0, 0, 0, 0);
    return answer == 1 ? -1 : answer;
}

/* Likewise, whether root means anything. */
static long ask_for_root_rights(const struct world *world)
{
    (void)world;
    long answer = kernel(prctl, SECURITY_BITS, 0, 0, 0, 0);
    return answer < 0 ? answer : (answer & 1) ? -1 : 0;
}

static long become_another(const struct world *world)
{
    (void)world;
    return kernel(setresuid, 65533, 65533, 65533);
}

static long attach_segment(const struct world *world)
{
    long segment = kernel(shmget, world->segment_key, 0, 0);
    if (segment < 0)
        return segment;
    long at = kernel(shmat, segment, NULL, 010000);
    if (at < 0 && at > -4096)
        return at;
    kernel(write, 2, at, 4096);
    return 0;
}

static long open_queue(const struct world *world)
{
    char message[8192];
    unsigned priority;
    struct __kernel_timespec past = {0, 0};
    long queue = kernel(mq_open, world->queue, O_RDONLY_, 0, NULL);
    if (queue < 0)
        return queue;
    long got = kernel(mq_timedreceive, queue, message, sizeof message, &priority, &past);
    if (got > 0)
        kernel(write, 2, message, got);
    return 0;
}

/* The user's keyring is shared by all processes of the user, boxed or not. */
static long reach_user_keys(const struct world *world)
{
    (void)world;
    return kernel(keyctl, 0, -4, 1);
}

const struct attempt process_attempts[] = {
    {"signal-parent", signal_parent},
    {"signal-other", signal_other},
    {"signal-parent-thread", signal_parent_thread},
    {"signal-by-handle", signal_by_handle},
    {"take-descriptor", take_descriptor},
    {"own-descriptor-for", own_descriptor_for},
    {"trace-parent", trace_parent},
    {"trace-other", trace_other},
    {"trace-init", trace_init},
    {"read-parent-memory", read_parent_memory},
    {"read-other-memory", read_other_memory},
    {"slow-parent", slow_parent},
    {"slow-parent-disk", slow_parent_disk},
    {"move-parent-cpu", move_parent_cpu},
    {"limit-parent", limit_parent},
    {"raise-own-limit", raise_own_limit},
    {"make-process", make_process},
    {"make-process-the-old-way", make_process_the_old_way},
    {"leave-session", leave_session},
    {"exceed-processes", exceed_processes},
    {"exceed-open-files", exceed_open_files},
    {"ask-for-new-privileges", ask_for_new_privileges},
    {"ask-for-root-rights", ask_for_root_rights},
    {"become-another", become_another},
    {"attach-segment", attach_segment},
    {"open-queue", open_queue},
    {"reach-user-keys", reach_user_keys},
};

const size_t process_attempt_count = COUNT(process_attempts);
