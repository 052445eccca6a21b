/*
 * Filters of the processes that help the command of a shell box: which of its calls are handed over, and the lists of all that
 * those may do which rename and replay. The one that renames may read the memory of others, so it can start, trace and send nothing.
 */
#include "filter.h"

#include <linux/ioctl.h>
#include <linux/mount.h>

static const uint16_t allowed[] = {
    __NR_openat,      __NR_openat2,   __NR_close,      __NR_statx,      __NR_getdents64,  __NR_lseek,    __NR_renameat2,
    __NR_mkdirat,     __NR_unlinkat,  __NR_fchown,     __NR_utimensat,  __NR_flistxattr,  __NR_fgetxattr,
    __NR_fsetxattr,   __NR_fremovexattr, __NR_capget,  __NR_geteuid,    __NR_process_vm_readv,
    __NR_clock_nanosleep, __NR_exit_group,
    /* Until it has its listener. */
    __NR_recvmsg, __NR_write, __NR_close_range, __NR_chdir,
};

static void refuse_set_id(struct filter *filter, int number, int argument)
{
    unsigned call = filter_call(filter, number);
    filter_need_clear(filter, argument, S_SETID_BITS_);
    filter_call_end(filter, call, SECCOMP_RET_ALLOW);
}

void filter_renaming(struct filter *filter)
{
    static const uint32_t listening[] = {(uint32_t)SECCOMP_IOCTL_NOTIF_RECV, (uint32_t)SECCOMP_IOCTL_NOTIF_SEND,
                                         (uint32_t)SECCOMP_IOCTL_NOTIF_ID_VALID, SECCOMP_SET_FLAGS};
    filter_answer_all(filter, allowed, COUNT(allowed), SECCOMP_RET_ALLOW);
    unsigned call = filter_call(filter, __NR_ioctl);
    filter_need_one_of(filter, 1, listening, COUNT(listening));
    filter_call_end(filter, call, SECCOMP_RET_ALLOW);
    refuse_set_id(filter, __NR_fchmod, 1);
    refuse_set_id(filter, __NR_fchmodat, 2);
    filter_end(filter, REFUSE(EPERM_));
}

static const uint16_t replaying[] = {
    __NR_openat,     __NR_openat2,  __NR_close,     __NR_statx,   __NR_getdents64, __NR_lseek,     __NR_pread64,  __NR_write,
    __NR_ftruncate,  __NR_mkdirat,  __NR_unlinkat,  __NR_symlinkat, __NR_renameat2, __NR_fchown,   __NR_utimensat,
    __NR_recvmsg,    __NR_read,     __NR_exit_group,
};

void filter_replaying(struct filter *filter)
{
    filter_answer_all(filter, replaying, COUNT(replaying), SECCOMP_RET_ALLOW);
    refuse_set_id(filter, __NR_fchmod, 1);
    refuse_set_id(filter, __NR_fchmodat, 2);
    filter_end(filter, REFUSE(EPERM_));
}

void filter_refreshing(struct filter *filter)
{
    static const uint16_t refreshing[] = {__NR_read, __NR_write, __NR_exit_group};
    filter_answer_all(filter, refreshing, COUNT(refreshing), SECCOMP_RET_ALLOW);
    unsigned call = filter_call(filter, __NR_fsconfig);
    filter_need_equal(filter, 0, 0);
    filter_need_equal(filter, 1, FSCONFIG_CMD_RECONFIGURE);
    filter_call_end(filter, call, SECCOMP_RET_ALLOW);
    filter_end(filter, REFUSE(EPERM_));
}

void filter_hand_over(struct filter *filter)
{
#if defined(__x86_64__)
    filter_answer(filter, __NR_rename, SECCOMP_RET_USER_NOTIF);
#endif
#if defined(__NR_renameat)
    filter_answer(filter, __NR_renameat, SECCOMP_RET_USER_NOTIF);
#endif
    filter_answer(filter, __NR_renameat2, SECCOMP_RET_USER_NOTIF);
    filter_answer(filter, __NR_landlock_restrict_self, SECCOMP_RET_USER_NOTIF);
    filter_end(filter, SECCOMP_RET_ALLOW);
}
