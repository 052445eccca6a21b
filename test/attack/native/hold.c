/* The victim outside: what boxed processes must not find, with a canary in it. */
#include "attack.h"

#define CANARY "BULKHEAD_CANARY"
#define PAGE 4096

static const char *canary_of(const struct world *world)
{
    for (char **at = world->environment; *at != NULL; at++) {
        size_t same = 0;
        while (same < sizeof CANARY - 1 && (*at)[same] == CANARY[same])
            same++;
        if (same == sizeof CANARY - 1 && (*at)[same] == '=')
            return *at + sizeof CANARY;
    }
    fail("no canary to hold", NULL, 0);
}

static void hold_segment(const struct world *world, const char *canary)
{
    long segment = must(kernel(shmget, world->segment_key, PAGE, 01000 | 0666), "make segment", NULL);
    char *at = (char *)must(kernel(shmat, segment, NULL, 0), "attach segment", NULL);
    at[0] = 0;
    text_append(at, PAGE, canary);
}

static void hold_queue(const struct world *world, const char *canary)
{
    long queue = must(kernel(mq_open, world->queue, O_RDWR_ | O_CREAT_ | 04000, 0666, NULL), "make queue", NULL);
    must(kernel(mq_timedsend, queue, canary, text_length(canary), 0, NULL), "fill queue", NULL);
}

static long bind_datagram(const char *name, int is_abstract)
{
    unsigned char address[110] = {1};
    char *text = (char *)address + 2 + is_abstract;
    text_append(text, 107, name);
    size_t size = 2 + (size_t)is_abstract + text_length(text);
    long fd = must(kernel(socket, 1, 2 | O_CLOEXEC_, 0), "make socket", NULL);
    must(kernel(bind, fd, address, size + (is_abstract ? 0 : 1)), "bind", name);
    if (!is_abstract)
        must(kernel(fchmodat, AT_FDCWD, name, 0777), "open socket to all", name);
    return fd;
}

int hold(const struct world *world)
{
    struct {
        int fd;
        short wanted, got;
    } sources[3] = {{0, 1, 0}, {-1, 1, 0}, {-1, 1, 0}};
    char message[256];
    const char *canary = canary_of(world);
    hold_segment(world, canary);
    hold_queue(world, canary);
    sources[1].fd = (int)bind_datagram(world->datagram, 0);
    sources[2].fd = (int)bind_datagram(joined(world->abstract, "datagram"), 1);
    text_print(1, "holding\n");
    while (kernel(ppoll, sources, 3, NULL, NULL, 8) > 0) {
        for (int index = 1; index < 3; index++)
            if (sources[index].got && kernel(read, sources[index].fd, message, sizeof message) >= 0)
                text_print(1, "datagram\n");
        if (sources[0].got)
            break;
    }
    long segment = kernel(shmget, world->segment_key, 0, 0);
    kernel(shmctl, segment, 0, NULL);
    kernel(mq_unlink, world->queue);
    return 0;
}
