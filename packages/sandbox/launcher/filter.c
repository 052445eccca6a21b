#include "filter.h"

#include <linux/audit.h>
#include <linux/prctl.h>

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif
#define X32_BIT 0x40000000U

#define LOAD (BPF_LD | BPF_W | BPF_ABS)
#define IF_EQUAL (BPF_JMP | BPF_JEQ | BPF_K)
#define IF_ABOVE (BPF_JMP | BPF_JGT | BPF_K)
#define IF_AT_LEAST (BPF_JMP | BPF_JGE | BPF_K)
#define IF_ANY_SET (BPF_JMP | BPF_JSET | BPF_K)
#define ANSWER (BPF_RET | BPF_K)

void filter_add(struct filter *filter, uint16_t code, uint8_t when_true, uint8_t when_false, uint32_t value)
{
    if (filter->length == FILTER_LENGTH)
        fail("system call filter too long", NULL, 0);
    filter->code[filter->length++] = (struct sock_filter){code, when_true, when_false, value};
}

void filter_begin(struct filter *filter)
{
    filter->length = 0;
    filter_add(filter, LOAD, 0, 0, offsetof(struct seccomp_data, arch));
    filter_add(filter, IF_EQUAL, 1, 0, OWN_ARCHITECTURE);
    filter_add(filter, ANSWER, 0, 0, SECCOMP_RET_KILL_PROCESS);
    filter_add(filter, LOAD, 0, 0, offsetof(struct seccomp_data, nr));
    filter_add(filter, IF_AT_LEAST, 0, 1, X32_BIT);
    filter_add(filter, ANSWER, 0, 0, REFUSE(EPERM_));
}

void filter_end(struct filter *filter, uint32_t otherwise)
{
    filter_add(filter, ANSWER, 0, 0, otherwise);
}

void filter_answer(struct filter *filter, int number, uint32_t answer)
{
    filter_add(filter, IF_EQUAL, 0, 1, (uint32_t)number);
    filter_add(filter, ANSWER, 0, 0, answer);
}

void filter_answer_all(struct filter *filter, const uint16_t *numbers, size_t count, uint32_t answer)
{
    for (size_t index = 0; index < count; index++)
        filter_answer(filter, numbers[index], answer);
}

void filter_answer_above(struct filter *filter, uint32_t number, uint32_t answer)
{
    filter_add(filter, IF_ABOVE, 0, 1, number);
    filter_add(filter, ANSWER, 0, 0, answer);
}

unsigned filter_call(struct filter *filter, int number)
{
    filter_add(filter, IF_EQUAL, 0, 0, (uint32_t)number);
    return filter->length - 1;
}

void filter_call_end(struct filter *filter, unsigned call, uint32_t answer)
{
    filter_add(filter, ANSWER, 0, 0, answer);
    unsigned skip = filter->length - call - 1;
    if (skip > 255)
        fail("system call rule too long", NULL, 0);
    filter->code[call].jf = (uint8_t)skip;
}

static void load_argument(struct filter *filter, int argument, int high)
{
    unsigned at = offsetof(struct seccomp_data, args) + 8U * (unsigned)argument + (high ? 4U : 0U);
    filter_add(filter, LOAD, 0, 0, at);
}

void filter_need_equal(struct filter *filter, int argument, uint32_t value)
{
    filter_need_one_of(filter, argument, &value, 1);
}

void filter_need_clear(struct filter *filter, int argument, uint32_t bits)
{
    load_argument(filter, argument, 0);
    filter_add(filter, IF_ANY_SET, 0, 1, bits);
    filter_add(filter, ANSWER, 0, 0, REFUSE(EPERM_));
}

void filter_need_set(struct filter *filter, int argument, uint32_t bits)
{
    load_argument(filter, argument, 0);
    filter_add(filter, IF_ANY_SET, 1, 0, bits);
    filter_add(filter, ANSWER, 0, 0, REFUSE(EPERM_));
}

void filter_need_other(struct filter *filter, int argument, uint32_t mask, uint32_t value)
{
    load_argument(filter, argument, 0);
    filter_add(filter, BPF_ALU | BPF_AND | BPF_K, 0, 0, mask);
    filter_add(filter, IF_EQUAL, 0, 1, value);
    filter_add(filter, ANSWER, 0, 0, REFUSE(EPERM_));
}

void filter_need_address(struct filter *filter, int argument, const void *address)
{
    uint64_t number = (uint64_t)(uintptr_t)address;
    filter_need_equal(filter, argument, (uint32_t)number);
    load_argument(filter, argument, 1);
    filter_add(filter, IF_EQUAL, 1, 0, (uint32_t)(number >> 32));
    filter_add(filter, ANSWER, 0, 0, REFUSE(EPERM_));
}

void filter_need_null(struct filter *filter, int argument)
{
    filter_need_address(filter, argument, NULL);
}

void filter_need_one_of(struct filter *filter, int argument, const uint32_t *values, size_t count)
{
    load_argument(filter, argument, 0);
    for (size_t index = 0; index < count; index++)
        filter_add(filter, IF_EQUAL, (uint8_t)(count - index), 0, values[index]);
    filter_add(filter, ANSWER, 0, 0, REFUSE(EPERM_));
}

void filter_install(const struct filter *filter)
{
    struct sock_fprog program = {(unsigned short)filter->length, (struct sock_filter *)(uintptr_t)filter->code};
    must(kernel(seccomp, SECCOMP_SET_MODE_FILTER, 0, &program), "apply system call filter", NULL);
}

static struct filter filter;

void restrict_agent_calls(const struct start *start)
{
    filter_begin(&filter);
    filter_agent(&filter, start);
    filter_install(&filter);
}

void restrict_calls(enum profile profile)
{
    filter_begin(&filter);
    if (profile == PROFILE_WORKER)
        filter_worker(&filter);
    else
        filter_shell(&filter);
    filter_install(&filter);
}

void restrict_renaming(void)
{
    filter_begin(&filter);
    filter_renaming(&filter);
    filter_install(&filter);
}

void restrict_replaying(void)
{
    filter_begin(&filter);
    filter_replaying(&filter);
    filter_install(&filter);
}

void restrict_refreshing(void)
{
    filter_begin(&filter);
    filter_refreshing(&filter);
    filter_install(&filter);
}

void restrict_unix_sockets(void)
{
    filter_begin(&filter);
    filter_without_unix_sockets(&filter);
    filter_install(&filter);
}
