/* Waiting for the end of a command, and for words of the engine. */
#ifndef BULKHEAD_AWAIT_H
#define BULKHEAD_AWAIT_H

#include "overlay.h"

#define WORD_BYTES 16

/* A command that has ended: its exit status, 128 + n for a signal. */
struct ended {
    int status;
    /* It left processes, which have stopped and wait for an answer on `line`. Else all are dead. */
    int left;
    int line;
    long init;
};

/* Waits for the command's end, watching the control channel (a word or its end stops the command) and the free space. */
struct ended await_command(const struct options *options, const struct overlay *overlay, long init, int line);
/*
 * Waits for the end of what the command left, and gives its exit status. A word on the control channel has init end it; the channel's
 * end, a full disk and an init that is held up, which are told, end it at once.
 */
int await_left(const struct options *options, const struct overlay *overlay, const struct ended *ended);
/* Waits for init's death. Its exit status, 128 + n for a signal. */
int await_end(long init);
/* One word of the engine, of WORD_BYTES at most; false if none comes. */
int hear(char *word);

#endif
