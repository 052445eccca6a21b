/* By /proc, because the calls that take a folder's descriptor are newer than the kernels we run on. */
#include "attributes.h"

#include "text.h"

#define PREFIX "user.overlay."
#define ORIGIN PREFIX "origin"
#define OPAQUE PREFIX "opaque"
#define WHITEOUT PREFIX "whiteout"
#define OWNER_WRITE 0200U
#define LIST_BYTES 65536

static const char *path_of(char *path, size_t size, int folder, const char *name)
{
    path[0] = 0;
    text_append(path, size, "/proc/self/fd/");
    text_append_number(path, size, folder);
    text_append(path, size, "/");
    text_append(path, size, name);
    return path;
}

static long get(int folder, const char *name, const char *attribute, void *value, size_t size)
{
    char path[512];
    return kernel(lgetxattr, path_of(path, sizeof path, folder, name), attribute, value, size);
}

int attributes_opaque(int folder, const char *name)
{
    char value = 0;
    return get(folder, name, OPAQUE, &value, 1) == 1 && value == 'y';
}

int attributes_whiteout(int folder, const char *name)
{
    return get(folder, name, WHITEOUT, NULL, 0) >= 0;
}

int attributes_copied(int folder, const char *name)
{
    return get(folder, name, ORIGIN, NULL, 0) >= 0;
}

static int begins(const char *attribute, const char *prefix)
{
    for (; *prefix != 0; attribute++, prefix++)
        if (*attribute != *prefix)
            return 0;
    return 1;
}

static int is_mark(const char *attribute)
{
    return begins(attribute, PREFIX);
}

static long set_mark(int folder, const char *name, const struct object *object, const char *mark)
{
    char path[512];
    if (object->kind == KIND_LINK)
        return 0;
    path_of(path, sizeof path, folder, name);
    long result = kernel(lsetxattr, path, mark, "y", 1, 0);
    if (result != -EACCES_)
        return result;
    kernel(fchmodat, folder, name, object->mode | OWNER_WRITE);
    result = kernel(lsetxattr, path, mark, "y", 1, 0);
    kernel(fchmodat, folder, name, object->mode);
    return result;
}

long attributes_mark_copied(int folder, const char *name, const struct object *object)
{
    return set_mark(folder, name, object, ORIGIN);
}

long attributes_mark_opaque(int folder, const char *name, const struct object *object)
{
    return set_mark(folder, name, object, OPAQUE);
}

long attributes_make_whiteout(int folder, const char *name)
{
    long fd = kernel(openat, folder, name, O_WRONLY_ | O_CREAT_ | O_EXCL_ | O_NOFOLLOW | O_CLOEXEC_, 0600);
    if (fd < 0)
        return fd;
    long result = kernel(fsetxattr, fd, WHITEOUT, "y", 1, 0);
    kernel(close, fd);
    return result;
}

static long copy_one(int from, int to, const char *attribute)
{
    static char value[LIST_BYTES];
    long length = kernel(fgetxattr, from, attribute, value, sizeof value);
    return length < 0 ? length : kernel(fsetxattr, to, attribute, value, length, 0);
}

static long copy_all(int from, int to, int marks)
{
    static char list[LIST_BYTES];
    long first = 0;
    long length = kernel(flistxattr, from, list, sizeof list);
    if (length == -EOPNOTSUPP_)
        return 0;
    for (long at = 0; at < length; at += (long)text_length(list + at) + 1) {
        if ((!marks && is_mark(list + at)) || !(begins(list + at, "user.") || begins(list + at, "system.posix_acl_")))
            continue;
        long result = copy_one(from, to, list + at);
        if (result < 0 && first == 0)
            first = result;
    }
    return length < 0 ? length : first;
}

long attributes_copy(int from, int to)
{
    return copy_all(from, to, 0);
}

long attributes_copy_layer(int from, int to)
{
    return copy_all(from, to, 1);
}

/* The owner may take a mark only off what he may write: what he may not is opened to him for that moment. */
static long remove_mark(int folder, const char *name, const char *path, const char *mark)
{
    struct object object;
    long result = kernel(lremovexattr, path, mark);
    if (result != -EACCES_ || object_at(folder, name, &object) < 0 || object.kind == KIND_LINK)
        return result;
    kernel(fchmodat, folder, name, object.mode | OWNER_WRITE);
    result = kernel(lremovexattr, path, mark);
    kernel(fchmodat, folder, name, object.mode);
    return result;
}

long attributes_strip(int folder, const char *name)
{
    static char list[LIST_BYTES];
    char path[512];
    path_of(path, sizeof path, folder, name);
    long length = kernel(llistxattr, path, list, sizeof list);
    if (length == -EOPNOTSUPP_)
        return 0;
    for (long at = 0; at < length; at += (long)text_length(list + at) + 1) {
        if (!is_mark(list + at))
            continue;
        long result = remove_mark(folder, name, path, list + at);
        if (result < 0 && result != -ENODATA_)
            return result;
    }
    return length < 0 ? length : 0;
}
