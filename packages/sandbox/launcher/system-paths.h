/* What of the host's system a shell box shows, read-only. */
#ifndef BULKHEAD_SYSTEM_PATHS_H
#define BULKHEAD_SYSTEM_PATHS_H

/* Shown where the host has them: a folder as it is, a symbolic link as a link. */
static const char *const system_paths[] = {
    "/usr",    "/bin",   "/sbin",      "/lib",       "/lib32", "/lib64",
    "/libx32", "/opt",   "/nix/store", "/gnu/store", "/run/current-system",
    /* Which packages are installed, and their files. */
    "/var/lib/dpkg",
    "/var/lib/apt/lists",
    "/var/lib/apt/extended_states",
    /* Of /etc what tools read to work at all; nothing that holds keys, and no names of this machine. */
    "/etc/alternatives",
    /* Not apt.conf.d and auth.conf: they hold passwords. */
    "/etc/apt/keyrings",
    "/etc/apt/preferences",
    "/etc/apt/preferences.d",
    "/etc/apt/sources.list",
    "/etc/apt/sources.list.d",
    "/etc/apt/trusted.gpg",
    "/etc/apt/trusted.gpg.d",
    "/etc/ca-certificates",
    "/etc/ca-certificates.conf",
    "/etc/crypto-policies",
    "/etc/debian_version",
    "/etc/dpkg",
    "/etc/fonts",
    "/etc/gai.conf",
    "/etc/group",
    "/etc/host.conf",
    "/etc/inputrc",
    "/etc/java-11-openjdk",
    "/etc/java-17-openjdk",
    "/etc/java-21-openjdk",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/locale.alias",
    "/etc/locale.conf",
    "/etc/localtime",
    "/etc/login.defs",
    "/etc/lsb-release",
    "/etc/magic",
    "/etc/magic.mime",
    "/etc/manpath.config",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/passwd",
    "/etc/perl",
    "/etc/pki/ca-trust/extracted",
    "/etc/pki/tls/cert.pem",
    "/etc/pki/tls/certs",
    "/etc/protocols",
    "/etc/python3",
    "/etc/redhat-release",
    "/etc/rpc",
    "/etc/services",
    "/etc/shells",
    "/etc/ssl/cert.pem",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/static",
    "/etc/terminfo",
    "/etc/timezone",
    "/etc/xattr.conf",
};

static const char *const device_paths[] = {
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
};

struct link {
    const char *target;
    const char *path;
};

static const struct link fixed_links[] = {
    {"/proc/self/fd", "/dev/fd"},       {"/proc/self/fd/0", "/dev/stdin"},
    {"/proc/self/fd/1", "/dev/stdout"}, {"/proc/self/fd/2", "/dev/stderr"},
    {"/proc/self/mounts", "/etc/mtab"}, {"/run", "/var/run"},
    {"pts/ptmx", "/dev/ptmx"},
};

#endif
