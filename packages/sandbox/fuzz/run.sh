#!/bin/sh
# Feeds the launcher's parsers with bytes, built with address and undefined-behaviour sanitizers.
#   run.sh [SECONDS]    default 15; exit 77: no compiler that can
set -eu
here=$(cd "$(dirname "$0")" && pwd)
seconds=${1:-15}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT INT TERM

flags="-std=gnu17 -g -O1 -Wall -Wextra -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all"
tested="options.c text.c process.c program.c plan.c"

objects() { # compiler
  for name in $tested; do
    "$1" $flags -ffreestanding -ffunction-sections -include "$here/hosted.h" -c -o "$out/$name.o" "$here/../launcher/$name" || return 1
  done
}

# What a tested source has beside its parser may call the rest of the launcher: it is left out, and its calls with it.
build() { # compiler entry link-flag
  objects "$1" && "$1" $flags $3 -Wl,--gc-sections -o "$out/fuzz" "$here/targets.c" "$here/fuzz.c" "$here/seeds.c" "$here/$2" "$out"/*.o
}

if build clang with-libfuzzer.c -fsanitize=fuzzer 2>"$out/why"; then
  echo "clang's fuzzer, $seconds s"
  mkdir "$out/found"
  cd "$out/found"
  "$out/fuzz" -seed=1 -max_len=16384 -max_total_time="$seconds" -print_final_stats=1 -rss_limit_mb=1024 2>"$out/log" || {
    tail -60 "$out/log" >&2
    exit 1
  }
  grep -E 'number_of_executed_units|^Done|cov:' "$out/log" | tail -2
elif build "${CC:-cc}" with-driver.c '' 2>>"$out/why"; then
  echo "own driver, $seconds s"
  "$out/fuzz" "$seconds" 1
else
  cat "$out/why" >&2
  exit 77
fi
