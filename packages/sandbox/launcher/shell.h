/* The shell box: name spaces, a root of its own, an init that dies with the launcher. */
#ifndef BULKHEAD_SHELL_H
#define BULKHEAD_SHELL_H

#include "options.h"

/* Runs the command (or the probes) in the box and returns its exit status, 128 + n for a signal. */
int launch_shell(const struct options *options);

#endif
