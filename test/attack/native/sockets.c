#include "attack.h"

#define FAMILY_UNIX 1
#define FAMILY_INET 2
#define FAMILY_INET6 10
#define FAMILY_NETLINK 16
#define FAMILIES 46
#define STREAM 1
#define DATAGRAM 2
#define MULTIPATH_TCP 262
#define FAST_OPEN 0x20000000
/* Neither wait nor be killed for it. */
#define AT_ONCE 0x4040

/* Large enough for every family here; the size used goes with it. */
struct address {
    unsigned char bytes[112];
    unsigned size;
};

static struct address inet(long port)
{
    return (struct address){{FAMILY_INET, 0, (unsigned char)(port >> 8), (unsigned char)port, 127, 0, 0, 1}, 16};
}

static struct address inet6(long port)
{
    struct address address = {{FAMILY_INET6, 0, (unsigned char)(port >> 8), (unsigned char)port}, 28};
    address.bytes[23] = 1;
    return address;
}

static struct address named(const char *path)
{
    struct address address = {{FAMILY_UNIX}, 110};
    text_append((char *)address.bytes + 2, 108, path == NULL ? "" : path);
    return address;
}

static struct address abstract(const char *name)
{
    struct address address = {{FAMILY_UNIX}, 0};
    text_append((char *)address.bytes + 3, 107, name == NULL ? "" : name);
    address.size = 3 + (unsigned)text_length((char *)address.bytes + 3);
    return address;
}

/* Connects, and takes what the other side says first. */
static long call(int type, int protocol, struct address to)
{
    struct timeval_ {
        long seconds, micros;
    } patience = {0, 300000};
    long fd = kernel(socket, to.bytes[0], type | O_CLOEXEC_, protocol);
    if (fd < 0)
        return fd;
    kernel(setsockopt, fd, 1, 20, &patience, sizeof patience);
    kernel(setsockopt, fd, 1, 21, &patience, sizeof patience);
    long result = kernel(connect, fd, to.bytes, to.size);
    if (result >= 0)
        loot(fd);
    else
        kernel(close, fd);
    return result;
}

/* Without connecting. */
static long throw_at(long fd, int flags, struct address to)
{
    if (fd < 0)
        return fd;
    long result = kernel(sendto, fd, "attack", 6, flags, to.bytes, to.size);
    kernel(close, fd);
    return result;
}

static long send_from_new(int type, int flags, struct address to)
{
    return throw_at(kernel(socket, to.bytes[0], type | O_CLOEXEC_, 0), flags, to);
}

static long connect_tcp4(const struct world *world)
{
    return call(STREAM, 0, inet(world->tcp4));
}

static long connect_tcp6(const struct world *world)
{
    return call(STREAM, 0, inet6(world->tcp6));
}

/* Landlock bounds TCP, not this; nor a connection that begins with data. */
static long connect_multipath(const struct world *world)
{
    return call(STREAM, MULTIPATH_TCP, inet(world->tcp4));
}

static long connect_with_data(const struct world *world)
{
    return send_from_new(STREAM, FAST_OPEN | 0x4000, inet(world->tcp4));
}

static long send_udp4(const struct world *world)
{
    return send_from_new(DATAGRAM, AT_ONCE, inet(world->udp4));
}

static long send_udp6(const struct world *world)
{
    return send_from_new(DATAGRAM, AT_ONCE, inet6(world->udp6));
}

static long connect_named(const struct world *world)
{
    return call(STREAM, 0, named(world->socket));
}

static long connect_work_socket(const struct world *world)
{
    return call(STREAM, 0, named(world->work_socket));
}

static long connect_abstract(const struct world *world)
{
    return call(STREAM, 0, abstract(world->abstract));
}

static long send_to_named(const struct world *world)
{
    return send_from_new(DATAGRAM, AT_ONCE, named(world->datagram));
}

static long send_to_abstract(const struct world *world)
{
    return send_from_new(DATAGRAM, AT_ONCE, abstract(joined(world->abstract, "datagram")));
}

/* No socket is made by name here: one of a pair is turned to somebody else. */
static long send_from_pair(int type, struct address to)
{
    int ends[2];
    long made = kernel(socketpair, FAMILY_UNIX, type, 0, ends);
    if (made < 0)
        return made;
    kernel(close, ends[1]);
    return throw_at(ends[0], AT_ONCE, to);
}

static long pair_to_named(const struct world *world)
{
    return send_from_pair(DATAGRAM, named(world->datagram));
}

static long pair_to_abstract(const struct world *world)
{
    return send_from_pair(DATAGRAM, abstract(joined(world->abstract, "datagram")));
}

static long pair_connects_anew(const struct world *world)
{
    int ends[2];
    struct address to = named(world->datagram);
    long made = kernel(socketpair, FAMILY_UNIX, DATAGRAM, 0, ends);
    if (made < 0)
        return made;
    long result = kernel(connect, ends[0], to.bytes, to.size);
    if (result >= 0)
        result = kernel(sendto, ends[0], "attack", 6, 0, NULL, 0);
    return result;
}

static long descriptor_sends(const struct world *world)
{
    struct address to = named(world->datagram);
    long result = -1;
    for (int fd = 0; fd < 4; fd++) {
        long one = kernel(sendto, fd, "", 0, AT_ONCE, to.bytes, to.size);
        if (one >= 0)
            result = one;
    }
    return result;
}

static long listen_tcp(const struct world *world)
{
    struct address any = inet(0);
    (void)world;
    long fd = kernel(socket, FAMILY_INET, STREAM | O_CLOEXEC_, 0);
    if (fd < 0)
        return fd;
    long result = kernel(bind, fd, any.bytes, any.size);
    if (result >= 0)
        result = kernel(listen, fd, 1);
    kernel(close, fd);
    return result;
}

static int is_shell_family(int family)
{
    return family == FAMILY_UNIX || family == FAMILY_INET || family == FAMILY_INET6 || family == FAMILY_NETLINK;
}

static void note_pair(int family, int type)
{
    char text[32] = "";
    text_append_number(text, sizeof text, family);
    text_append(text, sizeof text, "/");
    text_append_number(text, sizeof text, type);
    note(text);
}

/* Every family with every type; those of the shell box apart. Worked if a single one came to be. */
static long sweep(int shell_families)
{
    static const int types[] = {1, 2, 3, 4, 5, 6, 10};
    long result = -1;
    for (int family = 0; family < FAMILIES; family++)
        for (size_t index = 0; index < COUNT(types); index++) {
            if (is_shell_family(family) != shell_families)
                continue;
            long fd = kernel(socket, family, types[index] | O_CLOEXEC_, 0);
            if (fd < 0)
                continue;
            kernel(close, fd);
            note_pair(family, types[index]);
            result = 0;
        }
    return result;
}

static long sweep_common_families(const struct world *world)
{
    (void)world;
    return sweep(1);
}

static long sweep_other_families(const struct world *world)
{
    (void)world;
    return sweep(0);
}

/* All protocols of netlink but route: audit, netfilter, device events and the rest. */
static long sweep_netlink(const struct world *world)
{
    long result = -1;
    (void)world;
    for (int protocol = 1; protocol < 24; protocol++) {
        long fd = kernel(socket, FAMILY_NETLINK, 3 | O_CLOEXEC_, protocol);
        if (fd < 0)
            continue;
        kernel(close, fd);
        note_pair(FAMILY_NETLINK, protocol);
        result = 0;
    }
    return result;
}

static long raw_socket(const struct world *world)
{
    (void)world;
    long fd = kernel(socket, FAMILY_INET, 3 | O_CLOEXEC_, 1);
    if (fd >= 0)
        kernel(close, fd);
    return fd;
}

const struct attempt socket_attempts[] = {
    {"connect-tcp4", connect_tcp4},
    {"connect-tcp6", connect_tcp6},
    {"connect-multipath", connect_multipath},
    {"connect-with-data", connect_with_data},
    {"send-udp4", send_udp4},
    {"send-udp6", send_udp6},
    {"connect-named", connect_named},
    {"connect-work-socket", connect_work_socket},
    {"connect-abstract", connect_abstract},
    {"send-to-named", send_to_named},
    {"send-to-abstract", send_to_abstract},
    {"pair-to-named", pair_to_named},
    {"pair-to-abstract", pair_to_abstract},
    {"pair-connects-anew", pair_connects_anew},
    {"descriptor-sends", descriptor_sends},
    {"listen-tcp", listen_tcp},
    {"sweep-common-families", sweep_common_families},
    {"sweep-other-families", sweep_other_families},
    {"sweep-netlink", sweep_netlink},
    {"raw-socket", raw_socket},
};

const size_t socket_attempt_count = COUNT(socket_attempts);
