#include "probe-files.h"

#include <linux/mman.h>
#include <linux/stat.h>

#define NULL_DEVICE 0x103

static long open_once(const char *path, int flags)
{
    if (path == NULL)
        return -EINVAL_;
    long fd = kernel(openat, AT_FDCWD, path, flags | O_CLOEXEC_);
    if (fd >= 0)
        kernel(close, fd);
    return fd;
}

/* Makes a file in `folder` and takes it away again. */
static long create_in(const char *folder)
{
    char path[PATH_BYTES] = "";
    if (folder == NULL)
        return -EINVAL_;
    text_append(path, sizeof path, folder);
    text_append(path, sizeof path, "/.bulkhead-probe");
    long fd = kernel(openat, AT_FDCWD, path, O_WRONLY_ | O_CREAT_ | O_EXCL_ | O_CLOEXEC_, 0600);
    if (fd < 0)
        return fd;
    kernel(close, fd);
    return kernel(unlinkat, AT_FDCWD, path, 0);
}

long read_secret(const struct options *options)
{
    return open_once(options->targets.secret, O_RDONLY_);
}

long write_secret(const struct options *options)
{
    return open_once(options->targets.secret, O_WRONLY_);
}

long list_closed(const struct options *options)
{
    return open_once(options->targets.closed, O_RDONLY_);
}

long create_in_closed(const struct options *options)
{
    return create_in(options->targets.closed);
}

long read_granted(const struct options *options)
{
    return open_once(options->targets.file, O_RDONLY_);
}

long write_read_only(const struct options *options)
{
    return open_once(options->targets.file, O_WRONLY_);
}

long cut_read_only(const struct options *options)
{
    return open_once(options->targets.file, O_RDONLY_ | O_TRUNC_);
}

long create_in_granted(const struct options *options)
{
    return create_in(options->targets.folder);
}

long create_in_protected(const struct options *options)
{
    return create_in(options->targets.protected);
}

long create_in_root(const struct options *options)
{
    (void)options;
    return create_in("");
}

long create_in_usr(const struct options *options)
{
    (void)options;
    return create_in("/usr");
}

long open_denied(const struct options *options)
{
    return open_once(options->targets.denied, O_RDONLY_);
}

/* To what it is. */
long change_owner_of_read_only(const struct options *options)
{
    if (options->targets.file == NULL)
        return -EINVAL_;
    return kernel(fchownat, AT_FDCWD, options->targets.file, -1, -1, 0);
}

long make_device(const struct options *options)
{
    char path[PATH_BYTES] = "";
    if (options->targets.folder == NULL)
        return -EINVAL_;
    text_append(path, sizeof path, options->targets.folder);
    text_append(path, sizeof path, "/.bulkhead-device");
    long result = kernel(mknodat, AT_FDCWD, path, S_IFCHR | 0600, NULL_DEVICE);
    return result < 0 ? result : kernel(unlinkat, AT_FDCWD, path, 0);
}

/* ENOENT stands for "nothing in it". */
long read_hidden(const struct options *options)
{
    char byte;
    if (options->targets.hidden == NULL)
        return -EINVAL_;
    long fd = kernel(openat, AT_FDCWD, options->targets.hidden, O_RDONLY_ | O_CLOEXEC_);
    if (fd < 0)
        return fd;
    long got = kernel(read, fd, &byte, 1);
    kernel(close, fd);
    return got == 0 ? -ENOENT_ : got;
}

long read_shadow(const struct options *options)
{
    (void)options;
    return kernel(faccessat, AT_FDCWD, "/etc/shadow", 0);
}

/* Its name, size and times, which Landlock shows of everything. */
long see_secret(const struct options *options)
{
    return options->targets.secret == NULL ? -EINVAL_ : kernel(faccessat, AT_FDCWD, options->targets.secret, 0);
}

long see_password_file(const struct options *options)
{
    (void)options;
    return kernel(faccessat, AT_FDCWD, "/etc/passwd", 0);
}

/* To what it is, so that nothing changes where it is allowed. */
long change_mode_of_read_only(const struct options *options)
{
    struct statx facts;
    long fd = options->targets.file == NULL ? -EINVAL_
                                            : kernel(openat, AT_FDCWD, options->targets.file, O_RDONLY_ | O_CLOEXEC_);
    if (fd < 0)
        return fd;
    long result = kernel(statx, fd, "", AT_EMPTY_PATH, STATX_MODE, &facts);
    if (result >= 0)
        result = kernel(fchmod, fd, facts.stx_mode & 07777);
    kernel(close, fd);
    return result;
}

/* Code mapped from a file that it may write. */
long map_written_code(const struct options *options)
{
    char path[PATH_BYTES] = "";
    if (options->targets.folder == NULL)
        return -EINVAL_;
    text_append(path, sizeof path, options->targets.folder);
    text_append(path, sizeof path, "/.bulkhead-code");
    long fd = kernel(openat, AT_FDCWD, path, O_RDWR_ | O_CREAT_ | O_EXCL_ | O_CLOEXEC_, 0700);
    if (fd < 0)
        return fd;
    long result = kernel(mmap, 0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
    kernel(close, fd);
    kernel(unlinkat, AT_FDCWD, path, 0);
    return result;
}
