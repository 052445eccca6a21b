/* Deeds done to files. Each gives the kernel's answer; see probe.h. */
#ifndef BULKHEAD_PROBE_FILES_H
#define BULKHEAD_PROBE_FILES_H

#include "probe.h"

long read_secret(const struct options *options);
long write_secret(const struct options *options);
long list_closed(const struct options *options);
long create_in_closed(const struct options *options);
long read_granted(const struct options *options);
long write_read_only(const struct options *options);
long cut_read_only(const struct options *options);
long create_in_granted(const struct options *options);
long create_in_protected(const struct options *options);
long create_in_root(const struct options *options);
long create_in_usr(const struct options *options);
long read_hidden(const struct options *options);
long open_denied(const struct options *options);
long change_owner_of_read_only(const struct options *options);
long make_device(const struct options *options);
long read_shadow(const struct options *options);
long see_secret(const struct options *options);
long see_password_file(const struct options *options);
long change_mode_of_read_only(const struct options *options);
long map_written_code(const struct options *options);

#endif
