/* One rename that the kernel has handed over: who asks, for what, and what becomes of it. */
#ifndef BULKHEAD_ASKED_H
#define BULKHEAD_ASKED_H

#include <linux/seccomp.h>

#include "kernel.h"

/* First of all: this process has these rights over files. Who has fewer is not served. */
void asked_with(uint32_t kept);
/* The result of the rename; 1 where the kernel is to carry it out for the process that asked. */
long asked_carry_out(int listener, const struct seccomp_notif *asked);

#endif
