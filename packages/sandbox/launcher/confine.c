#include "confine.h"

#include <linux/close_range.h>
#include <linux/prctl.h>
#include <linux/resource.h>
#include <linux/securebits.h>

/* Root's programs have what the bounds leave; whoever becomes another user has nothing. */
#define KEPT_CAPABILITY_BITS (SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED)
#define NO_CAPABILITY_BITS                                                                            \
    (SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP | SECBIT_NO_SETUID_FIXUP_LOCKED |  \
     KEPT_CAPABILITY_BITS)

void close_descriptors(long count)
{
    must(kernel(close_range, count, ~0U, 0), "close descriptors", NULL);
}

void die_with_parent(long parent)
{
    if (parent == 0)
        return;
    must(kernel(prctl, PR_SET_PDEATHSIG, SIGKILL_, 0, 0, 0), "die with parent", NULL);
    if (kernel(getppid) != parent)
        fail("parent is gone", NULL, 0);
}

void limit(int resource, unsigned long value, const char *step)
{
    unsigned long both[2];
    must(kernel(prlimit64, 0, resource, NULL, both), step, NULL);
    if (value < both[1])
        both[1] = value;
    both[0] = both[1];
    must(kernel(prlimit64, 0, resource, both, NULL), step, NULL);
}

/*
 * One byte, not none: where the system hands core dumps to a program, the kernel takes 0 as no limit for it, and 1 as
 * the wish that there be none (core(5), "Piping core dumps to a program").
 */
void limit_core_files(void)
{
    limit(RLIMIT_CORE, 1, "limit core files");
}

static void set_capabilities(uint32_t kept)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    const struct __user_cap_data_struct data[2] = {{kept, kept, 0}, {0, 0, 0}};
    must(kernel(capset, &header, data), "drop capabilities", NULL);
}

static void bound_capabilities(uint32_t kept)
{
    unsigned long bits = kept == 0 ? NO_CAPABILITY_BITS : KEPT_CAPABILITY_BITS;
    must(kernel(prctl, PR_SET_SECUREBITS, bits, 0, 0, 0), "lock capabilities", NULL);
    for (int capability = 0;; capability++) {
        if (capability < 32 && (kept & (1U << capability)) != 0)
            continue;
        long result = kernel(prctl, PR_CAPBSET_DROP, capability, 0, 0, 0);
        /* No such capability, so no higher one either. */
        if (result == -EINVAL_ && capability > CAP_SETPCAP)
            break;
        must(result, "drop capability bounds", NULL);
    }
}

static void drop_capabilities(uint32_t kept)
{
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
    struct __user_cap_data_struct data[2] = {{0, 0, 0}, {0, 0, 0}};
    must(kernel(capget, &header, data), "read capabilities", NULL);
    if (data[0].effective & (1U << CAP_SETPCAP))
        bound_capabilities(kept);
    must(kernel(prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0), "clear ambient capabilities", NULL);
    set_capabilities(kept);
}

void drop_privileges(uint32_t kept)
{
    limit_core_files();
    drop_capabilities(kept);
    must(kernel(prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "refuse new privileges", NULL);
}

void drop_kept(void)
{
    set_capabilities(0);
}
