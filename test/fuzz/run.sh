#!/bin/sh
# Feeds the launcher with bytes, built with address and undefined-behaviour sanitizers: its parsers, then random changes of a copy
# of a folder, on real files.
#   run.sh [SECONDS]    for each of the two; default 15; exit 77: no compiler that can
set -eu
here=$(cd "$(dirname "$0")" && pwd)
sandbox=$(cd "$here/../../packages/sandbox" && pwd)
seconds=${1:-15}
out=$(mktemp -d)
memory=
trap 'rm -rf "$out" $memory' EXIT INT TERM

flags="-std=gnu17 -D_GNU_SOURCE -g -O1 -Wall -Wextra -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all -I$sandbox"
parsers="options.c text.c process.c program.c plan.c"
# The copy, and what becomes of it; the rest is what these call.
copies="clone.c difference.c changes.c known.c obstacle.c own.c walk.c attributes.c object.c same.c lease.c text.c commit.c plan.c prepare.c process.c"

objects() { # compiler folder options sources
  mkdir -p "$out/$2"
  for name in $4; do
    "$1" $flags -ffreestanding -ffunction-sections $3 -c -o "$out/$2/$name.o" "$sandbox/launcher/$name" || return 1
  done
}

# What a tested source has beside what is tested may call the rest of the launcher: it is left out, and its calls with it.
build() { # compiler entry link-flag
  link="$flags $3 -Wl,--gc-sections"
  objects "$1" parsers "-include $here/hosted.h" "$parsers" &&
    "$1" $link -o "$out/fuzz-parsers" "$here/targets.c" "$here/fuzz.c" "$here/seeds.c" "$here/$2" "$out"/parsers/*.o &&
    objects "$1" copies "" "$copies" &&
    "$1" $link -o "$out/fuzz-copies" "$here"/copy-*.c "$here/$2" "$out"/copies/*.o
}

guided() { # name
  mkdir "$out/found-$1"
  cd "$out/found-$1"
  "$out/fuzz-$1" -seed=1 -max_len=16384 -max_total_time="$seconds" -print_final_stats=1 -rss_limit_mb=1024 2>"$out/log" || {
    tail -60 "$out/log" >&2
    exit 1
  }
  echo "$1: $(grep -E 'number_of_executed_units|^Done|cov:' "$out/log" | tail -2 | tr '\n' ' ')"
}

# Random files are made in memory where that takes their attributes: some twenty times as many. What a failed run leaves goes as well.
place_for() { # compiler
  [ -w /dev/shm ] && memory=$(mktemp -d /dev/shm/bulkhead-fuzz-XXXXXX) || return 0
  echo '#include <sys/xattr.h>
int main(int count, char **path) { return count != 2 || setxattr(path[1], "user.overlay.origin", "y", 1, 0) != 0; }' >"$out/attributes.c"
  if "$1" -o "$out/attributes" "$out/attributes.c" && "$out/attributes" "$memory"; then export TMPDIR="$memory"; fi
}
export TMPDIR="$out"

# Whether the compiler has the sanitizers: sources that do not compile are a failure, not a reason to skip.
able() { # compiler option
  echo 'int main(void) { return 0; }' >"$out/able.c"
  [ -n "$2" ] && echo 'int LLVMFuzzerTestOneInput(const char *b, unsigned long n) { return b == 0 && n; }' >"$out/able.c"
  "$1" $flags $2 -o "$out/able" "$out/able.c" 2>>"$out/why"
}

if able clang -fsanitize=fuzzer; then
  build clang with-libfuzzer.c -fsanitize=fuzzer
  echo "clang's fuzzer, $seconds s each"
  place_for clang
  guided parsers
  guided copies
elif able "${CC:-cc}" ''; then
  build "${CC:-cc}" with-driver.c ''
  echo "own driver, $seconds s each"
  place_for "${CC:-cc}"
  for name in parsers copies; do echo "$name: $("$out/fuzz-$name" "$seconds" 1)"; done
else
  cat "$out/why" >&2
  exit 77
fi
