#include "turn.h"

#include <linux/time_types.h>

#include "text.h"

#define CLOCK_MONOTONIC_ 1
#define PAUSE_NANOSECONDS 2000000
#define READ_WRITE 3
#define SHARED_ANONYMOUS 0x21
#define SIGCONT_ 18
#define WITHOUT_WAITING 1
#define ANY_CHILD 0x40000000

/* In memory of both. The mover sets `busy` before it looks at `held`, init the other way round. */
static struct turn {
    uint32_t held;
    uint32_t busy;
} *turn;

static void set(uint32_t *word, uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}

static uint32_t get(uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

static void pause_briefly(void)
{
    struct __kernel_timespec pause = {0, PAUSE_NANOSECONDS};
    kernel(clock_nanosleep, CLOCK_MONOTONIC_, 0, &pause, NULL);
}

void turn_make(void)
{
    turn = (struct turn *)must(kernel(mmap, NULL, sizeof *turn, READ_WRITE, SHARED_ANONYMOUS, -1, 0), "get memory", NULL);
}

void turn_take(void)
{
    for (set(&turn->busy, 1); get(&turn->held); set(&turn->busy, 1)) {
        set(&turn->busy, 0);
        pause_briefly();
    }
}

void turn_give(void)
{
    set(&turn->busy, 0);
}

long turn_hold(long mover)
{
    set(&turn->held, 1);
    while (mover > 0 && get(&turn->busy)) {
        if (kernel(wait4, mover, NULL, WITHOUT_WAITING | ANY_CHILD, NULL) != 0)
            return 0;
        kernel(kill, mover, SIGCONT_);
        pause_briefly();
    }
    return mover;
}

void turn_go_on(void)
{
    set(&turn->held, 0);
}
