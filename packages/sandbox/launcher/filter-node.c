/*
 * Filters of the agent and worker boxes: lists of what Node 24 needs (and ripgrep, in a worker), found by
 * running it; all else is EPERM, calls newer than this program ENOSYS. `clone3` is ENOSYS because its flags
 * lie in memory where no filter sees them; C libraries then use `clone`.
 */
#include "filter.h"

#define THREAD_FLAG 0x00010000U
/* New name spaces, another parent, tracing: everything that makes more than a child or thread of one's own. */
#define FOREIGN_CLONE_FLAGS (0x7e020000U | 0x00000080U | 0x00008000U | 0x00002000U | 0x00800000U)

#define FCNTL_DUPFD_CLOEXEC 1030U
#define PRCTL_SET_NAME 15U
#define PRCTL_GET_NAME 16U
#define PRCTL_SET_VMA 0x53564d41U
#define UNIX_FAMILY 1U

static const uint16_t for_both[] = {
    /* memory */
    __NR_brk, __NR_mmap, __NR_munmap, __NR_mprotect, __NR_mremap, __NR_madvise,
    __NR_pkey_alloc, __NR_pkey_free, __NR_pkey_mprotect, __NR_membarrier,
    /* threads, signals of one's own, time */
    __NR_futex, __NR_set_robust_list, __NR_set_tid_address, __NR_rseq, __NR_sched_yield,
    __NR_sched_getaffinity, __NR_sched_getparam, __NR_sched_getscheduler, __NR_sched_get_priority_max,
    __NR_sched_get_priority_min, __NR_rt_sigaction, __NR_rt_sigprocmask, __NR_rt_sigreturn,
    __NR_rt_sigsuspend, __NR_rt_sigtimedwait, __NR_rt_sigpending, __NR_sigaltstack, __NR_restart_syscall,
    __NR_clock_gettime, __NR_clock_getres, __NR_clock_nanosleep, __NR_nanosleep, __NR_gettimeofday,
    __NR_times, __NR_getrusage, __NR_exit, __NR_exit_group,
    /* who and where am I */
    __NR_getpid, __NR_getppid, __NR_gettid, __NR_getuid, __NR_geteuid, __NR_getgid, __NR_getegid,
    __NR_capget, __NR_uname, __NR_sysinfo, __NR_getcwd, __NR_getrandom, __NR_umask,
    /* descriptors */
    __NR_read, __NR_write, __NR_readv, __NR_writev, __NR_pread64, __NR_pwrite64, __NR_preadv,
    __NR_pwritev, __NR_lseek, __NR_close, __NR_close_range, __NR_dup, __NR_dup3, __NR_fstat,
    __NR_fadvise64, __NR_epoll_create1, __NR_epoll_ctl, __NR_epoll_pwait, __NR_epoll_pwait2,
    __NR_eventfd2, __NR_pipe2, __NR_ppoll, __NR_pselect6,
    /* connected sockets that were handed in */
    __NR_sendto, __NR_recvfrom, __NR_sendmsg, __NR_recvmsg, __NR_shutdown, __NR_getsockname,
    __NR_getpeername, __NR_getsockopt,
    /* files: what may be opened is Landlock's matter */
    __NR_newfstatat, __NR_statx, __NR_faccessat, __NR_faccessat2, __NR_readlinkat, __NR_getdents64,
#if defined(__x86_64__)
    __NR_stat, __NR_lstat, __NR_access, __NR_readlink, __NR_poll, __NR_select, __NR_pipe, __NR_dup2,
    __NR_epoll_create, __NR_epoll_wait, __NR_eventfd, __NR_arch_prctl, __NR_time,
#endif
};

static const uint16_t for_worker[] = {
    __NR_mkdirat, __NR_unlinkat, __NR_renameat2, __NR_linkat, __NR_symlinkat, __NR_ftruncate,
    __NR_fallocate, __NR_fsync, __NR_fdatasync, __NR_flock, __NR_copy_file_range, __NR_sendfile,
    __NR_statfs, __NR_fstatfs, __NR_chdir, __NR_fchdir, __NR_msync, __NR_execve, __NR_execveat,
    __NR_wait4, __NR_waitid, __NR_getpgid, __NR_getsid, __NR_getgroups,
    __NR_renameat,
#if defined(__x86_64__)
    __NR_mkdir, __NR_rmdir, __NR_unlink, __NR_rename, __NR_link, __NR_symlink, __NR_fork, __NR_vfork,
    __NR_getpgrp,
#endif
};

/* Absent here and so refused: F_SETOWN and F_SETSIG, which send any signal to any process of the user. */
static const uint32_t fcntl_commands[] = {0, 1, 2, 3, 4, FCNTL_DUPFD_CLOEXEC};
static const uint32_t worker_fcntl_commands[] = {0, 1, 2, 3, 4, 5, 6, 7, FCNTL_DUPFD_CLOEXEC};
/* FIONBIO, FIOCLEX, FIONCLEX, FIONREAD, TCGETS, TIOCGWINSZ; no FIOSETOWN, no TIOCSTI. */
static const uint32_t ioctl_requests[] = {0x5421, 0x5451, 0x5450, 0x541b, 0x5401, 0x5413};
/* The same and FICLONE. */
static const uint32_t worker_ioctl_requests[] = {0x5421, 0x5451, 0x5450, 0x541b, 0x5401, 0x5413, 0x40049409};
static const uint32_t prctl_options[] = {PRCTL_SET_NAME, PRCTL_GET_NAME, PRCTL_SET_VMA};

/*
 * SOCK_STREAM, with SOCK_CLOEXEC and SOCK_NONBLOCK or without. A pair of datagram sockets is no pair: each can be
 * sent from to any named socket of the host.
 */
static const uint32_t pair_types[] = {1, 0x80001, 0x801, 0x80801};

static void one_of(struct filter *filter, int number, int argument, const uint32_t *values, size_t count)
{
    unsigned call = filter_call(filter, number);
    filter_need_one_of(filter, argument, values, count);
    filter_call_end(filter, call, SECCOMP_RET_ALLOW);
}

/* Signals: to oneself only. The number is this process's, which exec keeps. */
static void own_signals(struct filter *filter)
{
    uint32_t self = (uint32_t)kernel(getpid);
    one_of(filter, __NR_kill, 0, &self, 1);
    one_of(filter, __NR_tgkill, 0, &self, 1);
}

static void common(struct filter *filter)
{
    unsigned call;
    filter_answer_all(filter, for_both, COUNT(for_both), SECCOMP_RET_ALLOW);
    filter_answer(filter, __NR_clone3, REFUSE(ENOSYS_));
    one_of(filter, __NR_prctl, 0, prctl_options, COUNT(prctl_options));
    call = filter_call(filter, __NR_prlimit64);
    filter_need_equal(filter, 0, 0);
    filter_need_null(filter, 2);
    filter_call_end(filter, call, SECCOMP_RET_ALLOW);
#if defined(__x86_64__)
    filter_answer(filter, __NR_getrlimit, SECCOMP_RET_ALLOW);
#endif
}

static void finish(struct filter *filter)
{
    filter_answer_above(filter, LAST_KNOWN_SYSCALL, REFUSE(ENOSYS_));
    filter_end(filter, REFUSE(EPERM_));
}

/* Opening for reading, and nothing that could make or cut a file where Landlock is too old to see it. */
static void open_to_read(struct filter *filter, int number, int flags)
{
    unsigned call = filter_call(filter, number);
    filter_need_clear(filter, flags, O_ACCMODE_ | O_CREAT_ | O_TRUNC_ | O_TMPFILE_BIT_);
    filter_call_end(filter, call, SECCOMP_RET_ALLOW);
}

void filter_agent(struct filter *filter, const struct start *start)
{
    unsigned call;
    common(filter);
    own_signals(filter);
    open_to_read(filter, __NR_openat, 2);
#if defined(__x86_64__)
    open_to_read(filter, __NR_open, 1);
#endif
    one_of(filter, __NR_fcntl, 1, fcntl_commands, COUNT(fcntl_commands));
    one_of(filter, __NR_ioctl, 1, ioctl_requests, COUNT(ioctl_requests));
    call = filter_call(filter, __NR_clone);
    filter_need_set(filter, 0, THREAD_FLAG);
    filter_need_clear(filter, 0, FOREIGN_CLONE_FLAGS);
    filter_call_end(filter, call, SECCOMP_RET_ALLOW);
    call = filter_call(filter, __NR_execveat);
    filter_need_equal(filter, 0, PROGRAM_DESCRIPTOR);
    filter_need_address(filter, 1, start->path);
    filter_need_address(filter, 2, start->arguments);
    filter_need_equal(filter, 4, AT_EMPTY_PATH);
    filter_call_end(filter, call, SECCOMP_RET_ALLOW);
    finish(filter);
}

/* Not O_TRUNC without writing, which Landlock before ABI 3 does not see; no set-user or set-group files. */
static void open_to_change(struct filter *filter, int number, int flags)
{
    unsigned call = filter_call(filter, number);
    filter_need_other(filter, flags, O_ACCMODE_ | O_TRUNC_, O_TRUNC_);
    filter_need_clear(filter, flags + 1, S_SETID_BITS_);
    filter_call_end(filter, call, SECCOMP_RET_ALLOW);
}

void filter_worker(struct filter *filter)
{
    unsigned call;
    common(filter);
    filter_answer_all(filter, for_worker, COUNT(for_worker), SECCOMP_RET_ALLOW);
    open_to_change(filter, __NR_openat, 2);
#if defined(__x86_64__)
    open_to_change(filter, __NR_open, 1);
#endif
    one_of(filter, __NR_fcntl, 1, worker_fcntl_commands, COUNT(worker_fcntl_commands));
    one_of(filter, __NR_ioctl, 1, worker_ioctl_requests, COUNT(worker_ioctl_requests));
    call = filter_call(filter, __NR_clone);
    filter_need_clear(filter, 0, FOREIGN_CLONE_FLAGS);
    filter_call_end(filter, call, SECCOMP_RET_ALLOW);
    call = filter_call(filter, __NR_socketpair);
    filter_need_equal(filter, 0, UNIX_FAMILY);
    filter_need_one_of(filter, 1, pair_types, COUNT(pair_types));
    filter_call_end(filter, call, SECCOMP_RET_ALLOW);
    /* Modes and times change through descriptors only: Landlock does not see them, but it sees opening. */
    call = filter_call(filter, __NR_fchmod);
    filter_need_clear(filter, 1, S_SETID_BITS_);
    filter_call_end(filter, call, SECCOMP_RET_ALLOW);
    call = filter_call(filter, __NR_utimensat);
    filter_need_null(filter, 1);
    filter_call_end(filter, call, SECCOMP_RET_ALLOW);
    /* A worker stops the searches it started. Only where the kernel keeps signals inside the box. */
    if (landlock_confines_signals()) {
        filter_answer(filter, __NR_kill, SECCOMP_RET_ALLOW);
        filter_answer(filter, __NR_tgkill, SECCOMP_RET_ALLOW);
    } else {
        own_signals(filter);
    }
    finish(filter);
}
