#include "later.h"

#include "await.h"
#include "hold.h"
#include "process.h"
#include "settle.h"
#include "tell.h"
#include "text.h"

#define SIGPIPE_ 13

/* A process elsewhere may still write the view: then a copy is judged. Number of problems. */
static unsigned long keep_still(struct overlay *overlay)
{
    const char *path = "";
    long result = hold_enter(overlay);
    if (result >= 0 && hold_let_go(overlay))
        return 0;
    if (result >= 0)
        result = hold_copy_upper(overlay, &path);
    return result < 0;
}

/* Number of problems that make a commit impossible. */
static unsigned long list(struct overlay *overlay, struct changes *changes, int status, unsigned long problems)
{
    const struct listener listener = {tell_change, tell_problem, tell_note};
    tell_number("ended", status);
    if (problems > 0)
        tell_problem("held-elsewhere", "");
    problems += overlay_ended(overlay, tell_problem);
    changes_list(changes, &overlay->layers, &listener);
    tell_number("effects", (long)changes->count);
    tell_flush();
    return problems + changes->problems;
}

void later_settle(struct overlay *overlay, int status)
{
    static struct changes changes;
    char word[WORD_BYTES];
    unsigned long held = 0;
    unsigned long problems = 1;
    overlay->layers.keeps_rest = 1;
    /* The engine may be gone: what it left is still to be tidied up. */
    ignore_signal(SIGPIPE_);
    tell("left-ended", NULL, NULL);
    tell_flush();
    for (int begun = 0; hear(word) && !text_equal(word, "drop");) {
        if (text_equal(word, "commit") && problems == 0 && changes.count > 0) {
            settle_commit(&changes, &overlay->places);
            return;
        }
        if (text_equal(word, "commit"))
            break;
        if (!text_equal(word, "list"))
            continue;
        if (!begun)
            held = keep_still(overlay);
        begun = 1;
        problems = list(overlay, &changes, status, held);
    }
    settle_conclude(overlay->places.scratch, 0);
}
