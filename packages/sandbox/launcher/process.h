/* What several parts of the launcher do with processes, signals and descriptors. */
#ifndef BULKHEAD_PROCESS_H
#define BULKHEAD_PROCESS_H

#include "kernel.h"

/* As a shell tells it: the exit status of a process, 128 and the number of the signal that ended it. */
int exit_status(int status);
/* The signal does nothing from now on, in this process and those it starts. */
void ignore_signal(int signal);
/* All of `size` bytes, or the kernel's error. */
long write_all(int fd, const void *bytes, size_t size);

#endif
