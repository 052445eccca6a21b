/* A system call filter under construction. */
#ifndef BULKHEAD_FILTER_H
#define BULKHEAD_FILTER_H

#include <linux/filter.h>
#include <linux/seccomp.h>

#include "confine.h"

#define FILTER_LENGTH 1024
/* Of a listener, since Linux 6.6; the number is the kernel's, which older headers lack. */
#define SECCOMP_SET_FLAGS 0x40082104U
#define REFUSE(error) (SECCOMP_RET_ERRNO | (error))

struct filter {
    unsigned length;
    struct sock_filter code[FILTER_LENGTH];
};

/* Kills on a foreign architecture, refuses the x32 numbers of x86_64, leaves the call's number loaded. */
void filter_begin(struct filter *filter);
void filter_end(struct filter *filter, uint32_t otherwise);
void filter_add(struct filter *filter, uint16_t code, uint8_t when_true, uint8_t when_false, uint32_t value);

void filter_answer(struct filter *filter, int number, uint32_t answer);
void filter_answer_all(struct filter *filter, const uint16_t *numbers, size_t count, uint32_t answer);
/* Numbers above `number`. */
void filter_answer_above(struct filter *filter, uint32_t number, uint32_t answer);

/*
 * A call judged by its arguments: filter_call, then any number of the checks below, then filter_call_end.
 * A failed check refuses with EPERM. Arguments are compared by their low 32 bits: use only for arguments
 * that the kernel reads as int or unsigned int, or through filter_need_null and
 * filter_need_address.
 */
unsigned filter_call(struct filter *filter, int number);
void filter_need_equal(struct filter *filter, int argument, uint32_t value);
void filter_need_clear(struct filter *filter, int argument, uint32_t bits);
void filter_need_set(struct filter *filter, int argument, uint32_t bits);
/* Refuses where the argument, cut to `mask`, is `value`. */
void filter_need_other(struct filter *filter, int argument, uint32_t mask, uint32_t value);
void filter_need_null(struct filter *filter, int argument);
/* All 64 bits. */
void filter_need_address(struct filter *filter, int argument, const void *address);
void filter_need_one_of(struct filter *filter, int argument, const uint32_t *values, size_t count);
void filter_call_end(struct filter *filter, unsigned call, uint32_t answer);

void filter_install(const struct filter *filter);

/* The filters of the three boxes. */
void filter_agent(struct filter *filter, const struct start *start);
void filter_worker(struct filter *filter);
void filter_shell(struct filter *filter);
void filter_without_unix_sockets(struct filter *filter);
void filter_renaming(struct filter *filter);
void filter_replaying(struct filter *filter);
void filter_refreshing(struct filter *filter);
/* Hands renames, and the wish to be confined by Landlock, to a listener. */
void filter_hand_over(struct filter *filter);

#define COUNT(array) (sizeof(array) / sizeof *(array))

#endif
