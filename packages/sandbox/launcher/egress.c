#include "egress.h"

#include "confine.h"
#include "process.h"
#include "text.h"

#define INET 2
#define UNIX 1
#define STREAM 1
#define BACKLOG 64
#define SHUT_WRITE 1
#define SIGPIPE_ 13
#define COPY_BYTES 65536
#define NO_DELAY_LEVEL 6
#define NO_DELAY 1

struct unix_address {
    uint16_t family;
    char path[108];
};

static int listen_on_loopback(long number)
{
    unsigned char address[16] = {INET, 0, EGRESS_PORT >> 8, EGRESS_PORT & 0xff, 127, 0, 0, 1};
    if (number != 0) {
        address[2] = (unsigned char)(number >> 8);
        address[3] = (unsigned char)number;
        address[5] = (unsigned char)(number >> 32);
        address[6] = (unsigned char)(number >> 24);
        address[7] = (unsigned char)(number >> 16);
    }
    long fd = must(kernel(socket, INET, STREAM | O_CLOEXEC_, 0), "open a socket", "for the way out");
    long bound = kernel(bind, fd, address, sizeof address);
    if (bound == -EADDRINUSE_)
        fail("another process of the session has the address of the way out, so run it again", NULL, 0);
    must(bound, "bind", "the way out");
    must(kernel(listen, fd, BACKLOG), "listen", "on the way out");
    return (int)fd;
}

static long connect_to_proxy(void)
{
    struct unix_address address = {UNIX, EGRESS_SOCKET};
    long fd = kernel(socket, UNIX, STREAM | O_CLOEXEC_, 0);
    if (fd < 0)
        return fd;
    long result = kernel(connect, fd, &address, sizeof address);
    if (result >= 0)
        return fd;
    kernel(close, fd);
    return result;
}

/* One direction, to its end. A process for each: neither can hold the other up. */
static void carry(long from, long to)
{
    static char bytes[COPY_BYTES];
    for (;;) {
        long got = kernel(read, from, bytes, sizeof bytes);
        if (got == -EINTR_)
            continue;
        if (got <= 0 || write_all((int)to, bytes, (size_t)got) < 0)
            break;
    }
    kernel(shutdown, to, SHUT_WRITE);
    kernel(exit_group, 0);
}

static void serve(long client)
{
    int on = 1;
    long proxy = connect_to_proxy();
    if (proxy < 0)
        return;
    kernel(setsockopt, client, NO_DELAY_LEVEL, NO_DELAY, &on, sizeof on);
    if (kernel(clone, SIGCHLD_, 0, 0, 0, 0) == 0)
        carry(client, proxy);
    if (kernel(clone, SIGCHLD_, 0, 0, 0, 0) == 0)
        carry(proxy, client);
    kernel(close, proxy);
}

long egress_start(long number)
{
    int listening = listen_on_loopback(number);
    long child = must(kernel(clone, SIGCHLD_, 0, 0, 0, 0), "start", "the way out");
    /* By both, whichever comes first. */
    kernel(setpgid, child, child);
    if (child != 0) {
        kernel(close, listening);
        return child;
    }
    drop_kept();
    /* The command's output ends with the command, not with this process. */
    kernel(close_range, 0, listening - 1, 0);
    kernel(close_range, listening + 1, ~0U, 0);
    ignore_signal(SIGPIPE_);
    ignore_signal(SIGCHLD_);
    for (;;) {
        long client = kernel(accept4, listening, NULL, NULL, O_CLOEXEC_);
        if (client == -EINTR_)
            continue;
        if (client < 0)
            break;
        serve(client);
        kernel(close, client);
    }
    kernel(exit_group, 1);
    __builtin_unreachable();
}
