#!/usr/bin/env bash
# From a fresh clone to the main job in one command: installs what is missing, builds cuarbiter and
# runs it on the samples in data/. Ends with status 0 only if every step did what it should.
#
#   scripts/quickstart.sh
set -euo pipefail

root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
cd -- "$root"

heading() {
  printf '\n== %s ==\n' "$*"
}

# shorten LINES FILE: the first lines of a file, and how many more there are.
shorten() {
  local more=$(($(wc -l <"$2") - $1))
  head -n "$1" -- "$2"
  if ((more > 0)); then
    printf '  (%d more lines)\n' "$more"
  fi
}

# expect STATUS LINES ARGUMENT...: runs cuarbiter, shows the first LINES lines of what it writes, and
# stops here at any other exit status.
expect() {
  local wanted=$1 lines=$2 status=0
  shift 2
  printf '$ cuarbiter %s\n' "$*"
  build/bin/cuarbiter "$@" >"$output" 2>"$messages" || status=$?
  shorten "$lines" "$output"
  if ((status != wanted)); then
    cat -- "$messages" >&2
    printf 'quickstart: exit status %d where %d was expected\n' "$status" "$wanted" >&2
    exit 1
  fi
  shorten 4 "$messages"
}

output=$(mktemp)
messages=$(mktemp)
trap 'rm -f -- "$output" "$messages"' EXIT

heading 'What the build needs'
scripts/setup-debian.sh

heading 'Build'
if ! cmake --preset release -DCUARBITER_TESTS=OFF >"$output"; then
  cat -- "$output"
  exit 1
fi
grep -e '^-- CUDA backend' -- "$output" || true
cmake --build build -j "$(nproc)"

heading 'What can compute here'
expect 0 40 devices

heading 'An archive of historical games: all in order'
expect 0 40 validate data/games/history.pgn

heading 'An archive with one fault in each game'
expect 1 100 validate data/games/faulty.pgn
printf '(exit status 1, as it should be: there are findings)\n'

heading 'Move paths from the start position, by first move'
expect 0 40 perft 5 --divide
if ! grep -qx 'Nodes: 4865609' -- "$output"; then
  printf 'quickstart: perft(5) of the start position is not 4865609\n' >&2
  exit 1
fi

heading 'Positions with known counts'
expect 0 1 perft --suite data/perft/standard.epd -q
expect 0 1 perft --suite data/perft/chess960.epd -q

heading 'The state of each position of a file'
expect 1 28 classify data/positions/states.fen
printf '(exit status 1, as it should be: some of these positions are impossible)\n'

heading 'Done'
printf 'The program is %s/build/bin/cuarbiter; "cuarbiter --help" shows what it can do.\n' "$root"
printf 'Next: scripts/test.sh builds and runs the tests.\n'
