/*
 * Hostile native code, run inside each box and, as control, outside of all. It believes nothing about the box: each
 * attempt does what an attacker would do and answers with the kernel's result. What it gets to read goes to
 * stderr, where the suite looks for canaries; results go to stdout, one line each.
 */
#ifndef BULKHEAD_ATTACK_H
#define BULKHEAD_ATTACK_H

#include "launcher/text.h"

#define MAX_KNOWN_PATHS 1024

/* What there is to aim at. Paths and numbers are the host's. */
struct world {
    /* file with a canary, a folder beside it, a link in it */
    const char *secret, *closed, *link;
    /* the box's own folder, and in it what is hidden, closed or protected */
    const char *work, *hidden, *denied, *beside, *protected;
    /* folder that a shell box covers with an empty one */
    const char *home;
    /* file in another box's folder */
    const char *other_file;
    /* listening sockets: by path (stream, datagram), one in the working folder, and by abstract name */
    const char *socket, *datagram, *work_socket, *abstract;
    /* a copy of this program that no box names, a readable one of its own, a dynamic loader, a script */
    const char *program, *self, *loader, *script;
    const char *queue;
    long tcp4, tcp6, udp4, udp6;
    /* launching process, and a process in another box */
    long parent, other;
    long segment_key;
    long max_processes;
    size_t known_count;
    const char *known[MAX_KNOWN_PATHS];
    char **environment;
};

/* An attempt. The result is the kernel's: 0 or more means that it worked, else minus errno. */
struct attempt {
    const char *name;
    long (*run)(const struct world *world);
};

#define IN_AGENT 1U
#define IN_WORKER 2U
#define IN_SHELL 4U
#define IN_NODE (IN_AGENT | IN_WORKER)
#define IN_ALL 7U

/*
 * A system call that a box refuses, with arguments that are wrong in themselves: where it is not refused, nothing
 * happens, and the errno tells.
 */
struct refused_call {
    const char *name;
    unsigned boxes;
    int number;
    int arguments[5];
};

extern const struct refused_call refused_calls[];
extern const size_t refused_call_count;
extern const struct attempt read_attempts[], process_read_attempts[], write_attempts[], inside_attempts[],
    socket_attempts[], process_attempts[], program_attempts[], memory_attempts[], foreign_attempts[];
extern const size_t read_attempt_count, process_read_attempt_count, write_attempt_count, inside_attempt_count,
    socket_attempt_count, process_attempt_count, program_attempt_count, memory_attempt_count,
    foreign_attempt_count;

/* Copies what `fd` gives, at most 64 KB, to stderr and closes it. Negative `fd`: hands it back. */
long loot(long fd);
long loot_path(const char *path);
/* Names are as good as contents where a name tells something: they are loot, too. */
long loot_names(const char *path);
long loot_link(const char *path);
/* 0 for an open descriptor, which it closes, else its error. */
long close_if_open(long fd);
/* Makes a file in `folder` and takes it away again. */
long make_in(const char *folder, int flags, int mode);
/* Renames and, where that worked, renames back. */
long rename_between(const char *from, const char *to, unsigned flags);
/* Adds a word to this attempt's line: which of many objects was reached. */
void note(const char *text);
/* "FOLDER/NAME" in one of a few rotating buffers. */
const char *joined(const char *folder, const char *name);
/* "/proc/NUMBER/NAME", likewise. */
const char *in_proc(long process, const char *name);

/* Waits outside of all boxes, being attacked: holds memory, a queue and sockets with the canary in them. */
int hold(const struct world *world);

#define COUNT(array) (sizeof(array) / sizeof *(array))

#endif
