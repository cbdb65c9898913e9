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

# expect STATUS ARGUMENT...: shows and runs cuarbiter, and stops here at any other exit status.
expect() {
  local wanted=$1 status=0
  shift
  printf '$ cuarbiter %s\n' "$*"
  build/bin/cuarbiter "$@" || status=$?
  if ((status != wanted)); then
    printf 'quickstart: exit status %d where %d was expected\n' "$status" "$wanted" >&2
    exit 1
  fi
}

heading 'What the build needs'
scripts/setup-debian.sh

heading 'Build'
cmake --preset release -DCUARBITER_TESTS=OFF
cmake --build build -j "$(nproc)"

heading 'What can compute here'
expect 0 devices

heading 'Validate: an archive of historical games, all in order'
expect 0 validate data/games/history.pgn

heading 'Validate: the same with an archive of faulty games'
expect 1 validate data/games/history.pgn data/games/faulty.pgn
printf '(exit status 1, as expected: findings were reported)\n'

heading 'Perft: move paths from the start position, by first move'
expect 0 perft 5 --divide
nodes=$(build/bin/cuarbiter perft 5 --format jsonl)
if [[ $nodes != *'"nodes":"4865609"'* ]]; then
  printf 'quickstart: perft(5) of the start position is not 4865609: %s\n' "$nodes" >&2
  exit 1
fi

heading 'Perft: positions with known counts'
expect 0 perft --suite data/perft/standard.epd
expect 0 perft --suite data/perft/chess960.epd

heading 'Classify: the state of each position of a file'
expect 1 classify data/positions/states.fen
printf '(exit status 1, as expected: some of these positions are impossible)\n'

heading 'Done'
printf 'The program is %s/build/bin/cuarbiter; "cuarbiter --help" shows what it can do.\n' "$root"
printf 'Next: scripts/test.sh builds and runs the tests.\n'
