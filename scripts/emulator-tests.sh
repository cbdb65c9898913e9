#!/usr/bin/env bash
# Runs the CUDA tests on a machine without a GPU: builds a CUDA runtime emulator (a libcudart.so.13
# that executes PTX on the CPU) and a CUDA build of cuarbiter, and runs "ctest -L cuda" under it:
# with one device, with three, and with an allocation that fails. Then it compares what the program
# writes with either backend, byte by byte.
#
#   scripts/emulator-tests.sh EMULATOR_SOURCE_DIR BUILD_DIR [CTEST-ARGUMENT...]
#
# BUILD_DIR (made when missing, outside both source trees) receives emulator/ and cuarbiter/.
# Needs nvcc 13. Warnings are errors.
set -euo pipefail

if (($# < 2)); then
  printf 'usage: %s EMULATOR_SOURCE_DIR BUILD_DIR [CTEST-ARGUMENT...]\n' "$0" >&2
  exit 2
fi
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
emulator=$(readlink -e -- "$1")
mkdir -p -- "$2"
build=$(readlink -e -- "$2")
shift 2
jobs=$(nproc)

if ! command -v nvcc >/dev/null && [[ -x /usr/local/cuda/bin/nvcc ]]; then
  PATH=/usr/local/cuda/bin:$PATH
fi
if ! command -v nvcc >/dev/null; then
  printf 'emulator-tests: nvcc is not installed\n' >&2
  exit 1
fi

cmake -G Ninja -S "$emulator" -B "$build/emulator" -DCMAKE_BUILD_TYPE=Release -DCUDA_EMU_TESTS=OFF
cmake --build "$build/emulator" -j "$jobs"

# Without an RPATH the loader takes the runtime that LD_LIBRARY_PATH names. The emulator reads the
# compute_80 PTX image only, so no other architecture is built.
cmake -G Ninja -S "$root" -B "$build/cuarbiter" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_SKIP_RPATH=ON -DCMAKE_CUDA_ARCHITECTURES=80-virtual \
  -DCUARBITER_CUDA=ON -DCUARBITER_CUDART_SHARED=ON -DCUARBITER_TESTS=ON -DCUARBITER_WERROR=ON \
  "-DCUARBITER_SHARED_DIR=${CUARBITER_SHARED_DIR:-}"
# gtest_discover_tests runs the test programs during the build, hence the variable here too.
export LD_LIBRARY_PATH=$build/emulator/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
cmake --build "$build/cuarbiter" -j "$jobs"
tests() {
  ctest --test-dir "$build/cuarbiter" -L cuda --output-on-failure --no-tests=error -j "$jobs" "$@"
}
tests "$@"
printf '\n== three devices ==\n'
CUDA_EMU_DEVICES=3 tests "$@"
printf '\n== the third allocation of each test fails ==\n'
CUDA_EMU_DEVICES=2 CUDA_EMU_FAIL=malloc:3 CUDA_EMU_QUIET=1 tests "$@"

# identical ARGUMENT...: cuarbiter writes the same and ends the same with either backend, the CUDA
# one on all devices.
program=$build/cuarbiter/bin/cuarbiter
compared=0
identical() {
  local backend status=()
  for backend in cpu cuda; do
    local code=0 where=(--backend cpu)
    [[ $backend == cpu ]] || where=(--device all)
    "$program" "$@" -q "${where[@]}" >"$build/$backend.out" 2>"$build/$backend.err" || code=$?
    status+=("$code")
  done
  if ((status[0] != status[1])) || ((status[0] > 1)) || [[ ! -s $build/cpu.out ]] ||
    ! cmp -- "$build/cpu.out" "$build/cuda.out" || ! cmp -- "$build/cpu.err" "$build/cuda.err"; then
    printf 'emulator-tests: the backends differ (exit status %s): cuarbiter %s\n' "${status[*]}" "$*" >&2
    cat -- "$build/cuda.err" >&2
    exit 1
  fi
  compared=$((compared + 1))
}

all_identical() {
  local file format
  for format in text jsonl csv; do
    for file in "$root"/data/games/*.pgn; do
      identical validate --games --format "$format" "$file"
      identical classify --format "$format" "$file"
      identical classify --every-ply --rules qq --format "$format" "$file"
    done
    identical classify --format "$format" "$root/data/positions/states.fen"
    identical moves --format "$format" "$root/data/positions/states.fen"
    identical perft --suite --max-nodes 3000 --format "$format" "$root/data/perft/standard.epd"
  done
  identical perft --suite --max-nodes 3000 --no-merge "$root/data/perft/standard.epd"
  identical perft --suite --max-nodes 3000 "$root/data/perft/chess960.epd"
  identical perft 3 --divide
  identical perft 3 --stats --divide
  identical perft 2 --stats --format jsonl "$root/data/perft/standard.epd"
  identical perft 3 --unique
  identical perft 2 --unique --format jsonl "$root/data/perft/standard.epd"
  identical perft 2 --divide --format jsonl "$root/data/perft/standard.epd"
}
printf '\n== the same output from both backends ==\n'
all_identical
CUDA_EMU_DEVICES=3 all_identical
CUDA_EMU_DEVICES=2 CUDA_EMU_FAIL=malloc:3 CUDA_EMU_QUIET=1 all_identical
printf '%d outputs compared, no difference\n' "$compared"
