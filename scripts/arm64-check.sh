#!/usr/bin/env bash
# Cross-compiles cuarbiter for 64-bit Arm and checks it under qemu-user: on the samples of data/ it
# must give what this machine's own build gives, with any number of threads. Takes seconds once both
# are built.
#
#   scripts/arm64-check.sh BUILD-FOLDER [NATIVE-PROGRAM]     (default: build/bin/cuarbiter)
#
# Needs Debian's g++-aarch64-linux-gnu and qemu-user, and the arm64 packages of the libraries that
# scripts/setup-debian.sh installs:
#   dpkg --add-architecture arm64 && apt-get update && apt-get install g++-aarch64-linux-gnu \
#     qemu-user libfmt-dev:arm64 libzstd-dev:arm64 zlib1g-dev:arm64 libbz2-dev:arm64 \
#     liblzma-dev:arm64 libxxhash-dev:arm64
#
# It shows that nothing depends on x86 instructions, on the sign of char, on the order of bytes in
# a vector or on the size of long double. It says little about memory ordering: on an x86 processor
# qemu has the ordering of x86. For that there are the tests under ThreadSanitizer.
set -euo pipefail

root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
build=${1:?usage: arm64-check.sh BUILD-FOLDER [NATIVE-PROGRAM]}
native=${2:-$root/build/bin/cuarbiter}

cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCUARBITER_CUDA=OFF \
  -DCUARBITER_TESTS=OFF "-DCMAKE_TOOLCHAIN_FILE=$root/scripts/toolchain-aarch64.cmake"
cmake --build "$build" -j "$(nproc)" --target cuarbiter
# No -L: the dynamic linker must be the one of libc6:arm64, as the libraries are. With that of the
# cross compiler (-L /usr/aarch64-linux-gnu), whose glibc is another build, the libc of the arm64
# packages finds its list of thread stacks where it is not, and the first thread never starts.
[[ -e /lib/ld-linux-aarch64.so.1 ]] || {
  printf 'arm64-check: the arm64 packages are missing (see the head of this script)\n' >&2
  exit 1
}
arm=(qemu-aarch64 "$build/bin/cuarbiter")

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
# same ARGUMENT...: both programs must say the same and end the same way.
same() {
  local here=0 there=0
  "$native" "$@" >"$work/native" 2>/dev/null || here=$?
  "${arm[@]}" "$@" >"$work/arm" 2>/dev/null || there=$?
  if ((here != there)) || ! cmp -s "$work/native" "$work/arm"; then
    printf 'arm64-check: differs (exit %d, %d): %s\n' "$here" "$there" "$*" >&2
    diff -- "$work/native" "$work/arm" | head -20 >&2
    exit 1
  fi
  printf 'arm64-check: same: %s\n' "$*"
}

"${arm[@]}" devices
for threads in 1 2 5; do
  same perft 6 --threads "$threads" --backend cpu
  same perft 5 --threads "$threads" --backend cpu --unique
  same perft 4 --threads "$threads" --backend cpu --stats --divide
done
for suite in "$root"/data/perft/*; do
  same perft --suite "$suite" --max-nodes 20000000 --threads 2 --backend cpu
  same perft --suite "$suite" --max-nodes 200000 --threads 2 --backend cpu --no-merge
done
for positions in "$root"/data/positions/*; do
  for format in text jsonl; do
    same classify --threads 2 --backend cpu --format "$format" "$positions"
    same moves --threads 2 --backend cpu --format "$format" "$positions"
  done
done
for archive in "$root"/data/games/*.pgn; do
  for threads in 1 3; do
    same validate --threads "$threads" --backend cpu --format jsonl --games --duplicates "$archive"
    same validate --threads "$threads" --backend cpu --format pgn --fix "$archive"
    same classify --threads "$threads" --backend cpu --format jsonl --every-ply "$archive"
  done
done
"${arm[@]}" bench --quick --backend cpu  # compares signatures
