#!/bin/sh
# Builds both launchers and records what they were built from, with which compiler.
#   build.sh            writes ../prebuilt
#   build.sh OUT x64    one launcher into the folder OUT, nothing recorded
# Same compiler, same kernel headers, same sources: same bytes.
set -eu
export LC_ALL=C
unset SOURCE_DATE_EPOCH CFLAGS LDFLAGS || true
here=$(cd "$(dirname "$0")" && pwd)
cd "$here"

flags="-std=gnu17 -O2 -Wall -Wextra -Werror -ffreestanding -fno-stack-protector -fno-pic -no-pie
  -fno-asynchronous-unwind-tables -fno-unwind-tables -fno-ident -fno-tree-loop-distribute-patterns -fcf-protection=none
  -ffile-prefix-map=$here=. -ffunction-sections -fdata-sections -nostdlib -static -s
  -Wl,--gc-sections,--build-id=none,-z,noexecstack,-z,norelro,-z,noseparate-code,--no-dynamic-linker,--hash-style=gnu"
arm_flags=$(printf '%s' "$flags" | sed 's/-fcf-protection=none//')

build() { # out arch
  case $2 in
    x64) ${CC_X64:-x86_64-linux-gnu-gcc} $flags -o "$1/bulkhead-launcher" ./*.c ;;
    arm64) ${CC_ARM64:-aarch64-linux-gnu-gcc} $arm_flags -o "$1/bulkhead-launcher" ./*.c ;;
    *) echo "unknown target $2" >&2; exit 2 ;;
  esac
  chmod 755 "$1/bulkhead-launcher"
}

sum() { sha256sum "$1" | cut -d' ' -f1; }

if [ $# -eq 2 ]; then
  build "$1" "$2"
  exit 0
fi

out=$here/../prebuilt
for arch in x64 arm64; do
  mkdir -p "$out/linux-$arch"
  build "$out/linux-$arch" $arch
done
{
  echo '{'
  echo '  "compilers": {'
  echo "    \"x64\": \"$(${CC_X64:-x86_64-linux-gnu-gcc} --version | head -1)\","
  echo "    \"arm64\": \"$(${CC_ARM64:-aarch64-linux-gnu-gcc} --version | head -1)\""
  echo '  },'
  echo '  "sources": {'
  first=1
  for file in build.sh *.c *.h; do
    [ $first -eq 1 ] || echo ','
    first=0
    printf '    "%s": "%s"' "$file" "$(sum "$file")"
  done
  echo
  echo '  },'
  echo '  "binaries": {'
  echo "    \"linux-x64\": \"$(sum "$out/linux-x64/bulkhead-launcher")\","
  echo "    \"linux-arm64\": \"$(sum "$out/linux-arm64/bulkhead-launcher")\""
  echo '  }'
  echo '}'
} > "$out/BUILD.json"
