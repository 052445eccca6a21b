/*
 * What the view of a command that goes on was given of the folder, by path: by a replay, or by the command itself before its own
 * changes were committed. As long as it is like that, the command has not changed it since.
 */
#ifndef BULKHEAD_KNOWN_H
#define BULKHEAD_KNOWN_H

#include "object.h"

/* Of a content, in any number of parts. It is no defence: a command that fakes one only loses what it wrote itself. */
#define DIGEST_BEGIN 0xcbf29ce484222325ULL
uint64_t digest_add(uint64_t digest, const char *bytes, size_t size);
/* Of a file or the text of a link; 0 or -errno. */
long digest_of(int folder, const char *name, const struct object *object, uint64_t *digest);

/* `object` is what was given: its kind, mode and size count. KIND_MISSING: the name was taken away. 0 or -ENOMEM. */
long known_put(const char *path, const struct object *object, uint64_t digest);
/* The path is the command's own again, as if nothing had been given. */
void known_forget(const char *path);
/* True if the path was last given this content: then the view has it, or what the command made of it since. */
int known_same(const char *path, const struct object *object, uint64_t digest);
/* A number for the place of a path in a table: nobody who chooses paths can make many the same. */
uint64_t known_place(const char *path);
/* True if the view has at `folder`'s `name`, which is `path`, what it was given. Of a folder: that it was given one. */
int known_is(int folder, const char *name, const char *path, const struct object *object);

#endif
