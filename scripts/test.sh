#!/usr/bin/env bash
# Builds cuarbiter with its tests and runs them.
#
#   scripts/test.sh [CTEST-ARGUMENT...]        for example: scripts/test.sh -L unit
#
# CUARBITER_SHARED_DIR  a folder of further suites and archives (perft/, pgn/, cases/); the tests
#                       that read it skip where it is not given
# CUARBITER_WERROR=ON   treat compiler warnings as errors
set -euo pipefail

root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
shared=${CUARBITER_SHARED_DIR:-}
if [[ -n $shared ]]; then
  shared=$(readlink -e -- "$shared")
fi
export CUARBITER_SHARED_DIR=$shared
# Debian installs stockfish and pgn-extract, which the differential tests use, in /usr/games.
export PATH=$PATH:/usr/games

cd -- "$root"
scripts/setup-debian.sh
cmake --preset release -DCUARBITER_TESTS=ON "-DCUARBITER_WERROR=${CUARBITER_WERROR:-OFF}" \
  "-DCUARBITER_SHARED_DIR=$shared"
cmake --build build -j "$(nproc)"
exec ctest --test-dir build --output-on-failure --no-tests=error -j "$(nproc)" "$@"
