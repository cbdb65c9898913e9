#!/usr/bin/env bash
# Cross-compiles cuarbiter for 64-bit Arm and checks it under qemu-user: the perft suites of data/
# and the sample archive must give what this machine's own build gives.
#
#   scripts/arm64-check.sh BUILD-FOLDER [NATIVE-PROGRAM]     (default: build/bin/cuarbiter)
#
# Needs Debian's g++-aarch64-linux-gnu and qemu-user, and the arm64 packages of the libraries that
# scripts/setup-debian.sh installs:
#   dpkg --add-architecture arm64 && apt-get update && apt-get install g++-aarch64-linux-gnu \
#     qemu-user libfmt-dev:arm64 libzstd-dev:arm64 zlib1g-dev:arm64 libbz2-dev:arm64 \
#     liblzma-dev:arm64 libxxhash-dev:arm64
set -euo pipefail

root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
build=${1:?usage: arm64-check.sh BUILD-FOLDER [NATIVE-PROGRAM]}
native=${2:-$root/build/bin/cuarbiter}

cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCUARBITER_CUDA=OFF \
  -DCUARBITER_TESTS=OFF "-DCMAKE_TOOLCHAIN_FILE=$root/scripts/toolchain-aarch64.cmake"
cmake --build "$build" -j "$(nproc)" --target cuarbiter
arm=(qemu-aarch64 -L /usr/aarch64-linux-gnu "$build/bin/cuarbiter")

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
for suite in "$root"/data/perft/*; do
  same perft --suite "$suite" --max-nodes 20000 --threads 2 --backend cpu
  same perft --suite "$suite" --max-nodes 20000 --threads 2 --backend cpu --no-merge
done
for archive in "$root"/data/games/*.pgn; do
  same validate --backend cpu --format jsonl --games "$archive"
  same classify --backend cpu --format jsonl "$archive"
done
