#!/usr/bin/env bash
# Runs the CUDA tests on a machine without a GPU: builds a CUDA runtime emulator (a libcudart.so.13
# that executes PTX on the CPU) and a CUDA build of cuarbiter, and runs "ctest -L cuda" under it.
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
ctest --test-dir "$build/cuarbiter" -L cuda --output-on-failure --no-tests=error -j "$jobs" "$@"
