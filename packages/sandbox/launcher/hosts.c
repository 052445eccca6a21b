#include "hosts.h"

#include "mount.h"

#define HOSTS_FILE "/etc/hosts"
#define HOSTS_BYTES 65536

static char hosts[HOSTS_BYTES];

void hosts_read(void)
{
    long fd = kernel(openat, AT_FDCWD, HOSTS_FILE, O_RDONLY_ | O_CLOEXEC_ | O_NONBLOCK_);
    long length = fd < 0 ? fd : kernel(read, fd, hosts, sizeof hosts);
    if (fd >= 0)
        kernel(close, fd);
    /* A longer file would be shown in part. */
    hosts[length > 0 && length < (long)sizeof hosts ? length : 0] = 0;
}

void hosts_write(void)
{
    make_file(HOSTS_FILE);
    long fd = must(kernel(openat, AT_FDCWD, HOSTS_FILE, O_WRONLY_ | O_CLOEXEC_), "write", HOSTS_FILE);
    text_print((int)fd, hosts[0] == 0 ? "127.0.0.1 localhost\n::1 localhost\n" : hosts);
    text_print((int)fd, "\n127.0.0.1 bulkhead\n");
    kernel(close, fd);
}
