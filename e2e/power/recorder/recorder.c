/*
 * power-recorder FOLDER LOG PROGRAM ARGUMENTS: runs the program and writes down, in the order they ended, all calls of it and
 * of whatever it starts that change the disk FOLDER lies on. Only those calls stop (a filter of seccomp), so the rest runs at
 * its own speed. It ends when the last process has, and takes them all with it if it dies.
 */
#include "record.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_THREADS 4194304

static const unsigned watched[] = {
#ifdef SYS_open
    SYS_open, SYS_creat, SYS_rename, SYS_mkdir, SYS_mknod, SYS_rmdir, SYS_unlink, SYS_chmod, SYS_link, SYS_symlink,
#endif
    SYS_openat, SYS_openat2, SYS_write, SYS_pwrite64, SYS_writev, SYS_pwritev, SYS_pwritev2, SYS_ftruncate, SYS_truncate,
    SYS_fallocate, SYS_fchmod, SYS_ioctl, SYS_copy_file_range, SYS_splice, SYS_sendfile, SYS_renameat, SYS_renameat2,
    SYS_mkdirat, SYS_mknodat, SYS_unlinkat, SYS_fchmodat, FCHMODAT2, SYS_linkat, SYS_symlinkat, SYS_utimensat, SYS_fsync,
    SYS_fdatasync, SYS_syncfs, SYS_sync, SYS_mmap, SYS_bind,
};
#define WATCHED (sizeof watched / sizeof watched[0])

static struct call **calls;

static void filter_calls(void)
{
    struct sock_filter code[2 * WATCHED + 4];
    size_t length = 0;
    code[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (size_t at = 0; at < WATCHED; at++) {
        code[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, watched[at], 0, 1);
        code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    }
    /* What a ring does stops nowhere: there is none here, and who wants one makes calls instead. */
    code[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1);
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS);
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {(unsigned short)length, code};
    /* Without root's rights only together with this; the product sets it for its own boxes anyway. */
    if (geteuid() != 0)
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
        fail("install", "the filter of calls");
}

static struct call *call_of(pid_t tid)
{
    if (tid >= MOST_THREADS)
        fail("follow", "so many threads");
    if (calls[tid] == NULL)
        calls[tid] = calloc(1, sizeof *calls[tid]);
    return calls[tid];
}

static int resume(pid_t tid, enum __ptrace_request how, long signal)
{
    return ptrace(how, tid, 0, signal) == 0 || errno == ESRCH;
}

static void entered(pid_t tid)
{
    struct __ptrace_syscall_info info;
    struct call *call = call_of(tid);
    if (ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof info, &info) <= 0)
        return;
    call->number = info.seccomp.nr;
    memcpy(call->args, info.seccomp.args, sizeof call->args);
    call->active = call_begun(call, tid);
    if (!resume(tid, call->active ? PTRACE_SYSCALL : PTRACE_CONT, 0))
        fail("go on with", "a call");
}

static void left(pid_t tid)
{
    struct __ptrace_syscall_info info;
    struct call *call = call_of(tid);
    if (call->active && ptrace(PTRACE_GET_SYSCALL_INFO, tid, sizeof info, &info) > 0 &&
        info.op == PTRACE_SYSCALL_INFO_EXIT)
        call_ended(call, tid, info.exit.rval);
    call->active = 0;
    resume(tid, PTRACE_CONT, 0);
}

static void stopped(pid_t tid, int status)
{
    int signal = WSTOPSIG(status);
    int event = status >> 16;
    if (event == PTRACE_EVENT_SECCOMP)
        entered(tid);
    else if (signal == (SIGTRAP | 0x80))
        left(tid);
    else if (event == PTRACE_EVENT_STOP && signal != SIGTRAP)
        resume(tid, PTRACE_LISTEN, 0);
    else
        resume(tid, PTRACE_CONT, event == 0 ? signal : 0);
}

static pid_t begin(char **program)
{
    const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
                         PTRACE_O_TRACEEXEC | PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL;
    pid_t child = fork();
    if (child == 0) {
        raise(SIGSTOP);
        filter_calls();
        execvp(program[0], program);
        fail("start", program[0]);
    }
    if (waitpid(child, NULL, WUNTRACED) < 0 || ptrace(PTRACE_SEIZE, child, 0, options) < 0)
        fail("trace", program[0]);
    kill(child, SIGCONT);
    return child;
}

int main(int count, char **args)
{
    int status;
    int code = 99;
    if (count < 4) {
        fputs("usage: power-recorder FOLDER LOG PROGRAM [ARGUMENT...]\n", stderr);
        return 99;
    }
    calls = calloc(MOST_THREADS, sizeof *calls);
    disk_open(args[1], args[2]);
    pid_t first = begin(args + 3);
    for (;;) {
        pid_t tid = waitpid(-1, &status, __WALL);
        if (tid < 0 && errno == EINTR)
            continue;
        if (tid < 0)
            break;
        if (WIFSTOPPED(status)) {
            stopped(tid, status);
            continue;
        }
        if (tid == first)
            code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        call_of(tid)->active = 0;
    }
    disk_close();
    return code;
}
