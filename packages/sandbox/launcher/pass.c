#include "pass.h"

#define SOCKETS 1
#define DESCRIPTORS 1
/* No SIGPIPE for who sends; closed at exec for who takes. */
#define PASS_CLOSED 0x40004000

/* One descriptor, as the kernel's struct cmsghdr. */
struct passed {
    uint64_t size;
    int level;
    int type;
    int descriptor;
    int end;
};

/* As the kernel's struct msghdr, and one descriptor in it. */
struct message {
    void *name;
    uint64_t name_size;
    struct {
        void *at;
        uint64_t size;
    } *parts;
    uint64_t part_count;
    struct passed *passed;
    uint64_t passed_size;
    uint64_t flags;
};

static long pass(long number, int line, void *bytes, size_t size, struct passed *passed)
{
    struct {
        void *at;
        uint64_t size;
    } part = {bytes, size};
    struct message message = {NULL, 0, (void *)&part, 1, passed, passed == NULL ? 0 : sizeof *passed, 0};
    return kernel6(number, line, (long)&message, PASS_CLOSED, 0, 0, 0);
}

long pass_send(int line, const void *bytes, size_t size, int descriptor)
{
    struct passed passed = {sizeof passed - sizeof passed.end, SOCKETS, DESCRIPTORS, descriptor, 0};
    return pass(__NR_sendmsg, line, (void *)(uintptr_t)bytes, size, descriptor < 0 ? NULL : &passed);
}

long pass_take(int line, void *bytes, size_t size, int *descriptor)
{
    struct passed passed = {0, 0, 0, -1, 0};
    long got = pass(__NR_recvmsg, line, bytes, size, &passed);
    *descriptor = got >= 0 && passed.level == SOCKETS && passed.type == DESCRIPTORS ? passed.descriptor : -1;
    return got;
}
