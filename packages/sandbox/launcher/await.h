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
    /* It has not ended: it goes on after its call, and waits for no answer. */
    int goes_on;
    int line;
    /* To the process that replays what changes in the folder. */
    int replay;
    long init;
};

/* Waits for the command's end, with `lines` to init and to the process that replays (-1: none), watching the control channel (`leave` has it go on after its call, any other word or the end stops it) and the free space. */
struct ended await_command(const struct options *options, const struct overlay *overlay, long init, const int *lines);
/*
 * Waits for the end of what the command left, and gives its exit status. What changes in the folder meanwhile is replayed: on the
 * word `show` at once, which is then answered. At a quiet moment, which is told, `quiet` has what it wrote listed, and kept or dropped
 * by the next word (quiet.h). Any other word on the control channel has init end it; the channel's end, a full disk and an init that is held up, which are told, end it at once.
 */
int await_left(const struct options *options, struct overlay *overlay, const struct ended *ended);
/* Waits for init's death. Its exit status, 128 + n for a signal. */
int await_end(long init);
/* One word of the engine, of WORD_BYTES at most; false if none comes. */
int hear(char *word);

#endif
