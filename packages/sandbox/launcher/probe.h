/*
 * Attacks on the box from inside it. Each is tried before the box closes as well: an attack that does not
 * work outside proves nothing inside.
 */
#ifndef BULKHEAD_PROBE_H
#define BULKHEAD_PROBE_H

#include "options.h"

#define IN_AGENT 1U
#define IN_WORKER 2U
#define IN_SHELL 4U
#define IN_NODE (IN_AGENT | IN_WORKER)
#define IN_ALL 7U

/*
 * A system call with arguments that are wrong in themselves, so that nothing happens where it is allowed
 * and its errno tells allowed from refused.
 */
struct refused_call {
    const char *name;
    unsigned boxes;
    int number;
    int arguments[5];
    /* 0: EPERM. */
    int refusal;
};

/* Outcome of a deed that must succeed in this box. */
#define DONE 1
/* Deed not tried in this box. */
#define SKIP 0

/* The boxes as deeds see them: those of Node are others with name spaces. */
#define BOX_COUNT 5
#define BOX_WITH_SPACES 3

/* Something done with real objects. `expected` by box: DONE, SKIP or the errno, negative. */
struct deed {
    const char *name;
    long (*attempt)(const struct options *options);
    /* agent, worker, shell; agent, worker with name spaces */
    int expected[BOX_COUNT];
    /* IF_ALLOWED: an ordinary user, or root in a container, may not do it anyway. */
    enum { CONTROL_NEEDED, CONTROL_IF_PRESENT, CONTROL_IF_ALLOWED, CONTROL_UNSAFE } control;
};

extern const struct refused_call probe_calls[];
extern const size_t probe_call_count;
extern const struct deed probe_deeds[];
extern const size_t probe_deed_count;

#define LEAKED_DESCRIPTOR 50

/* Tries every attack unboxed and keeps what happened. Leaves LEAKED_DESCRIPTOR open, which the box must close. */
void probe_controls(const struct options *options);
/* Tries again inside and prints a line for each; the exit status, 0 if all hold. */
int probe_report(const struct options *options);

#endif
