#include "asked.h"

#include <linux/capability.h>
#include <linux/ioctl.h>
#include <linux/openat2.h>
#include <linux/stat.h>

#include "move.h"
#include "text.h"
#include "turn.h"

#define PAGE 4096UL
#define NOREPLACE 1U
#define FOLDER_OF_NAMES (O_PATH_ | O_DIRECTORY | O_CLOEXEC_)

/* As the kernel's struct iovec. */
struct piece {
    uint64_t at;
    uint64_t size;
};

/* One end of a rename: the folder that holds the name, and the name. */
struct end {
    long folder;
    char path[PATH_BYTES];
    const char *name;
};

/* What its own rights over files are. */
static uint32_t rights;
/* Landlock tells nobody whom it confines, so from the first wish on the kernel alone renames. */
static int confined;

/* Page by page: the text may end just before one that is not there. */
static int read_text(long process, uint64_t from, char *text)
{
    for (uint64_t at = 0; at < PATH_BYTES;) {
        uint64_t size = PAGE - (from + at) % PAGE;
        if (size > PATH_BYTES - at)
            size = PATH_BYTES - at;
        struct piece here = {(uint64_t)(uintptr_t)(text + at), size};
        struct piece there = {from + at, size};
        if (kernel(process_vm_readv, process, &here, 1, &there, 1, 0) != (long)size)
            return 0;
        for (uint64_t end = at + size; at < end; at++)
            if (text[at] == 0)
                return 1;
    }
    return 0;
}

/* Where a path starts that is not absolute. */
static void name_start(char *path, size_t size, long process, int folder)
{
    path[0] = 0;
    text_append(path, size, "/proc/");
    text_append_number(path, size, process);
    text_append(path, size, folder == AT_FDCWD ? "/cwd/" : "/fd/");
    if (folder != AT_FDCWD)
        text_append_number(path, size, folder);
    text_append(path, size, "/");
}

static int is_folder(int folder, const char *path)
{
    struct statx facts;
    return kernel(statx, folder, path, AT_SYMLINK_NOFOLLOW, STATX_TYPE, &facts) >= 0 &&
           (facts.stx_mode & S_IFMT) == S_IFDIR;
}

/* One look tells most renames, which are of files. The name alone: with a slash behind it a link would be followed. */
static int may_be_folder(long process, int folder, const struct end *end)
{
    char path[PATH_BYTES + 64] = "";
    if (end->path[0] != '/')
        name_start(path, sizeof path, process, folder);
    text_append(path, sizeof path, end->path);
    return is_folder(AT_FDCWD, path);
}

/* Cuts the name off the path. Not for `.` and `..`. */
static int split_name(struct end *end)
{
    size_t length = text_length(end->path);
    while (length > 1 && end->path[length - 1] == '/')
        end->path[--length] = 0;
    size_t cut = length;
    while (cut > 0 && end->path[cut - 1] != '/')
        cut--;
    end->name = end->path + cut;
    return length > 0 && end->name[0] != 0 && !text_equal(end->name, ".") && !text_equal(end->name, "..");
}

static int read_end(struct end *end, long process, uint64_t path)
{
    end->folder = -1;
    return read_text(process, path, end->path) && split_name(end);
}

/* Not through /proc/self and the like, where `self` would be whoever looks. */
static long open_holder(long from, const char *path)
{
    struct open_how how = {.flags = FOLDER_OF_NAMES, .resolve = RESOLVE_NO_MAGICLINKS};
    return kernel(openat2, from, path, &how, sizeof how);
}

static int open_end(struct end *end, long process, int folder)
{
    char holder[PATH_BYTES];
    char start[64];
    size_t length = (size_t)(end->name - end->path);
    memcpy(holder, end->path, length);
    holder[length] = 0;
    if (holder[0] == '/') {
        end->folder = open_holder(AT_FDCWD, holder);
        return end->folder >= 0;
    }
    name_start(start, sizeof start, process, folder);
    long from = kernel(openat, AT_FDCWD, start, FOLDER_OF_NAMES);
    if (from < 0)
        return 0;
    end->folder = open_holder(from, length == 0 ? "." : holder);
    kernel(close, from);
    return end->folder >= 0;
}

/* It may do with files what this process may: another user may not, nor who gave up rights. */
static int has_same_rights(long process)
{
    struct statx facts;
    struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, (int)process};
    struct __user_cap_data_struct data[2] = {{0, 0, 0}, {0, 0, 0}};
    char path[64] = "/proc/";
    text_append_number(path, sizeof path, process);
    return !confined && kernel(capget, &header, data) >= 0 && (data[0].effective & rights) == rights &&
           kernel(statx, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_UID, &facts) >= 0 &&
           facts.stx_uid == (uint32_t)kernel(geteuid);
}

/* What the call says, whichever of the three it is. */
static void read_call(const struct seccomp_data *data, int *folders, uint64_t *paths, unsigned *flags)
{
    int plain = 0;
#if defined(__x86_64__)
    plain = data->nr == __NR_rename;
#endif
    folders[0] = plain ? AT_FDCWD : (int)data->args[0];
    folders[1] = plain ? AT_FDCWD : (int)data->args[2];
    paths[0] = data->args[plain ? 0 : 1];
    paths[1] = data->args[plain ? 1 : 3];
    *flags = data->nr == __NR_renameat2 ? (unsigned)data->args[4] : 0;
}

static int is_still_there(int listener, uint64_t id)
{
    return kernel(ioctl, listener, SECCOMP_IOCTL_NOTIF_ID_VALID, &id) >= 0;
}

static long move_in_turn(const struct end *old, const struct end *new, unsigned flags)
{
    turn_take();
    long result = move_folder((int)old->folder, old->name, (int)new->folder, new->name, flags);
    turn_give();
    return result;
}

void asked_with(uint32_t kept)
{
    rights = kept;
}

long asked_carry_out(int listener, const struct seccomp_notif *asked)
{
    static struct end old;
    static struct end new;
    int folders[2];
    uint64_t paths[2];
    unsigned flags;
    long process = asked->pid;
    long result = 1;
    if (asked->data.nr == __NR_landlock_restrict_self) {
        confined = 1;
        return 1;
    }
    read_call(&asked->data, folders, paths, &flags);
    if ((flags & ~NOREPLACE) != 0 || !read_end(&old, process, paths[0]) || !may_be_folder(process, folders[0], &old) ||
        !read_end(&new, process, paths[1]))
        return 1;
    if (open_end(&old, process, folders[0]) && open_end(&new, process, folders[1]) && has_same_rights(process) &&
        is_still_there(listener, asked->id) && is_folder((int)old.folder, old.name)) {
        result = kernel(renameat2, old.folder, old.name, new.folder, new.name, flags);
        if (result == -EXDEV_)
            result = move_in_turn(&old, &new, flags);
    }
    if (old.folder >= 0)
        kernel(close, old.folder);
    if (new.folder >= 0)
        kernel(close, new.folder);
    return result;
}
