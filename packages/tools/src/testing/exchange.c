/* Exchanges names with what stands beside them, as fast as it can, until it is killed: exchange ROOT NAME SPARE TARGET …
 * SPARE is kept a symbolic link to TARGET: whoever is raced may put a file in the link's place. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CYCLE = 16 };

static int is_link(int root, const char *name) {
  struct stat found;
  return fstatat(root, name, &found, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(found.st_mode);
}

int main(int count, char **words) {
  int root = count < 2 ? -1 : open(words[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (root < 0 || count < 5 || (count - 2) % 3 != 0) return 2;
  for (;;) {
    for (int at = 2; at < count; at += 3) {
      const char *name = words[at], *spare = words[at + 1], *target = words[at + 2];
      if (is_link(root, name)) renameat2(root, name, root, spare, RENAME_EXCHANGE);
      if (!is_link(root, spare)) {
        unlinkat(root, spare, 0);
        if (symlinkat(target, root, spare) != 0) return 3;
      }
      for (int turn = 0; turn < CYCLE; turn++) renameat2(root, name, root, spare, RENAME_EXCHANGE);
    }
  }
}
