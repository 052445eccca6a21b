/*
 * The launcher's own sources in a hosted build, for sanitizers: included before each of them (-include). The kernel is
 * what fuzz.c makes of it; giving up (`fail`) comes back to the fuzzer instead of ending the process.
 */
#ifndef BULKHEAD_HOSTED_H
#define BULKHEAD_HOSTED_H

#include "launcher/kernel.h"

long hosted_kernel(long number, long a, long b, long c, long d, long e, long f);

#define kernel6 hosted_kernel

#endif
