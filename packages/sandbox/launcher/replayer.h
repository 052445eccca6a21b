/*
 * The process that writes into a command's view what others changed in the folder, through the mount that the command sees: so its
 * watchers get events, and it reads what is there now. It is a process of the box, with the walls of the command and its rights
 * over files; nobody in the box may trace it or take its descriptors. It is given copies of contents and names, and has nothing of
 * the folder itself.
 */
#ifndef BULKHEAD_REPLAYER_H
#define BULKHEAD_REPLAYER_H

#include "object.h"
#include "text.h"

/* Has the name until a file that is replaced is whole. No command's change. */
#define REPLAY_HALF ".replay-under-way"

/* What the folder has at `path`: with KIND_FILE its content is the descriptor that comes along, unless it is `as_before`. */
struct replayed {
    struct object now;
    int as_before;
    char path[PATH_BYTES];
    char target[PATH_BYTES];
};

struct replay_answer {
    /* 0 or -errno; -EBUSY for what the box hides or protects. */
    long result;
};

/*
 * In init, which nobody may trace by now, before it gives up its rights, of which the process keeps `kept`: it has given up the rest
 * when this returns. `refresher` is for refresh().
 */
void replayer_start(uint32_t kept, int line, int refresher, const char *work);

#endif
