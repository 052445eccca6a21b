/*
 * Filter of the shell box: any program may run in it, so this is a list of refusals. Name spaces and the
 * lack of capabilities are the wall; the filter keeps programs from making new name spaces (and with them
 * new capabilities) and takes kernel surface away that no build tool needs.
 */
#include "filter.h"

/* CLONE_NEWTIME has no bit here: `clone` reads that bit as part of the exit signal. */
#define NAMESPACE_FLAGS 0x7e020000U
#define FAMILY_UNIX 1U
#define FAMILY_INET 2U
#define FAMILY_INET6 10U
#define FAMILY_NETLINK 16U
#define SOCKET_STREAM 1U

static const uint16_t refused[] = {
    /* name spaces and mounts */
    __NR_unshare, __NR_setns, __NR_mount, __NR_umount2, __NR_pivot_root, __NR_chroot, __NR_open_tree,
    __NR_move_mount, __NR_fsopen, __NR_fsconfig, __NR_fsmount, __NR_fspick, __NR_mount_setattr,
    __NR_open_by_handle_at, __NR_name_to_handle_at,
    /* the kernel's wide surfaces */
    __NR_bpf, __NR_perf_event_open, __NR_userfaultfd, __NR_io_uring_setup, __NR_io_uring_enter,
    __NR_io_uring_register, __NR_keyctl, __NR_add_key, __NR_request_key, __NR_fanotify_init,
    __NR_fanotify_mark, __NR_kcmp, __NR_pidfd_getfd, __NR_memfd_secret, __NR_migrate_pages,
    __NR_move_pages,
    /* the machine */
    __NR_kexec_load, __NR_kexec_file_load, __NR_init_module, __NR_finit_module, __NR_delete_module,
    __NR_reboot, __NR_swapon, __NR_swapoff, __NR_acct, __NR_quotactl, __NR_quotactl_fd, __NR_settimeofday,
    __NR_clock_settime, __NR_adjtimex, __NR_clock_adjtime, __NR_sethostname, __NR_setdomainname,
    __NR_syslog, __NR_vhangup, __NR_nfsservctl, __NR_lookup_dcookie,
#if defined(__x86_64__)
    __NR_iopl, __NR_ioperm, __NR_modify_ldt, __NR_uselib, __NR_ustat, __NR_sysfs, __NR__sysctl,
    __NR_create_module, __NR_get_kernel_syms, __NR_query_module,
#endif
};

/* Query, plain Linux, and without address randomisation (debuggers). */
static const uint32_t personalities[] = {0xffffffffU, 0, 0x0040000U};
static const uint32_t netlink_route[] = {0};

struct mode_call {
    int number;
    int argument;
};

/* Calls that set a file's mode, and which argument holds it. */
static const struct mode_call mode_calls[] = {
    {__NR_fchmod, 1},   {__NR_fchmodat, 2}, {__NR_fchmodat2, 2}, {__NR_mkdirat, 2},
    {__NR_mknodat, 2},  {__NR_openat, 3},
#if defined(__x86_64__)
    {__NR_chmod, 1},    {__NR_mkdir, 1},    {__NR_mknod, 1},     {__NR_open, 2},
    {__NR_creat, 1},
#endif
};

static void sockets(struct filter *filter)
{
    static const uint32_t families[] = {FAMILY_UNIX, FAMILY_INET, FAMILY_INET6, FAMILY_NETLINK};
    unsigned call = filter_call(filter, __NR_socket);
    filter_need_one_of(filter, 0, families, COUNT(families));
    /* Of netlink only route queries: C libraries list addresses by them. Protocol 0 is the default elsewhere. */
    filter_add(filter, BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, args));
    filter_add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 3, FAMILY_NETLINK);
    filter_need_one_of(filter, 2, netlink_route, 1);
    filter_call_end(filter, call, SECCOMP_RET_ALLOW);
    call = filter_call(filter, __NR_socketpair);
    filter_need_equal(filter, 0, FAMILY_UNIX);
    filter_call_end(filter, call, SECCOMP_RET_ALLOW);
}

void filter_shell(struct filter *filter)
{
    unsigned call;
    filter_answer_all(filter, refused, COUNT(refused), REFUSE(EPERM_));
    /* Their arguments lie in memory; both have older forms to fall back to. */
    filter_answer(filter, __NR_clone3, REFUSE(ENOSYS_));
    filter_answer(filter, __NR_openat2, REFUSE(ENOSYS_));
    filter_answer_above(filter, LAST_KNOWN_SYSCALL, REFUSE(ENOSYS_));
    call = filter_call(filter, __NR_clone);
    filter_need_clear(filter, 0, NAMESPACE_FLAGS);
    filter_call_end(filter, call, SECCOMP_RET_ALLOW);
    call = filter_call(filter, __NR_personality);
    filter_need_one_of(filter, 0, personalities, COUNT(personalities));
    filter_call_end(filter, call, SECCOMP_RET_ALLOW);
    call = filter_call(filter, __NR_ioctl);
    filter_need_other(filter, 1, 0xffffffffU, 0x5412U); /* TIOCSTI: typing into a terminal */
    filter_need_other(filter, 1, 0xffffffffU, 0x541cU); /* TIOCLINUX: the same for consoles */
    filter_need_other(filter, 1, 0xffffffffU, 0x5423U); /* TIOCSETD: loads a driver of serial lines */
    filter_call_end(filter, call, SECCOMP_RET_ALLOW);
    for (size_t index = 0; index < COUNT(mode_calls); index++) {
        call = filter_call(filter, mode_calls[index].number);
        filter_need_clear(filter, mode_calls[index].argument, S_SETID_BITS_);
        filter_call_end(filter, call, SECCOMP_RET_ALLOW);
    }
    sockets(filter);
    filter_end(filter, SECCOMP_RET_ALLOW);
}

static const uint32_t stream_types[] = {SOCKET_STREAM, SOCKET_STREAM | O_CLOEXEC_, SOCKET_STREAM | O_NONBLOCK_,
                                        SOCKET_STREAM | O_CLOEXEC_ | O_NONBLOCK_};

void filter_without_unix_sockets(struct filter *filter)
{
    unsigned call = filter_call(filter, __NR_socket);
    filter_need_other(filter, 0, 0xffffffffU, FAMILY_UNIX);
    filter_call_end(filter, call, SECCOMP_RET_ALLOW);
    /* An end of a pair of datagram sockets (a raw one is made one) can still send to any address. */
    call = filter_call(filter, __NR_socketpair);
    filter_need_one_of(filter, 1, stream_types, COUNT(stream_types));
    filter_call_end(filter, call, SECCOMP_RET_ALLOW);
    filter_end(filter, SECCOMP_RET_ALLOW);
}
