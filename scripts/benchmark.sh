#!/usr/bin/env bash
# Measures cuarbiter against Debian's stockfish and pgn-extract, one core each, in the same run and
# interleaved, and prints the ratios.
#
#   scripts/benchmark.sh [--runs N] [ARCHIVE.pgn]
#
# ARCHIVE.pgn  a plain PGN file (default: data/games/history.pgn repeated to about 20 MB)
# --runs N     measurements of each, of which the median counts (default 5)
#
# CUARBITER    the program to measure (default: build/bin/cuarbiter)
#
# Stockfish's time runs from "go perft" to its answer; that of cuarbiter and pgn-extract is the whole
# process. Each result comes as a line for people and as one JSON object for scripts.
set -euo pipefail
export LC_ALL=C PATH=$PATH:/usr/games

root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
program=${CUARBITER:-$root/build/bin/cuarbiter}
runs=5
archive=
while (($# > 0)); do
  case $1 in
    --runs)
      runs=${2:?--runs needs a number}
      shift 2
      ;;
    -*)
      printf 'usage: %s [--runs N] [ARCHIVE.pgn]\n' "$0" >&2
      exit 2
      ;;
    *)
      archive=$1
      shift
      ;;
  esac
done
for tool in "$program" stockfish pgn-extract; do
  if ! command -v "$tool" >/dev/null; then
    printf 'benchmark: %s is missing\n' "$tool" >&2
    exit 1
  fi
done

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
if [[ -z $archive ]]; then
  archive=$work/history.pgn
  for ((i = 0; i < 800; i++)); do
    cat -- "$root/data/games/history.pgn"
    printf '\n'
  done >"$archive"
fi

median() {
  printf '%s\n' "$@" | sort -g | sed -n "$(($# / 2 + 1))p"
}

# seconds COMMAND...: its wall-clock time; its output goes to $work/out. Status 1 means findings.
seconds() {
  local start=$EPOCHREALTIME status=0
  "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
  local stop=$EPOCHREALTIME
  if ((status > 1)); then
    printf 'benchmark: exit status %d: %s\n' "$status" "$*" >&2
    cat -- "$work/err" >&2
    exit 1
  fi
  awk -v a="$start" -v b="$stop" 'BEGIN { printf "%.6f\n", b - a }'
}

# report NAME UNIT WORK OUR_SECONDS PEER PEER_SECONDS
report() {
  awk -v name="$1" -v unit="$2" -v work="$3" -v ours="$4" -v peer="$5" -v theirs="$6" -v runs="$runs" '
    BEGIN {
      printf "%-18s cuarbiter %10.1f %s   %s %8.1f %s   ratio %.2f\n",
        name, work / ours / 1e6, unit, peer, work / theirs / 1e6, unit, theirs / ours
      printf "{\"type\":\"benchmark\",\"name\":\"%s\",\"unit\":\"%s\",\"runs\":%d,\"work\":%.0f,", name, unit, runs, work
      printf "\"cuarbiter_seconds\":%s,\"peer\":\"%s\",\"peer_seconds\":%s,\"ratio\":%.3f}\n",
        ours, peer, theirs, theirs / ours
    }'
}

# stockfish_perft FEN DEPTH: sets peer_nodes and peer_time.
stockfish_perft() {
  local line start
  printf 'position fen %s\nisready\n' "$1" >&"${engine[1]}"
  while read -r line <&"${engine[0]}" && [[ $line != readyok* ]]; do :; done
  start=$EPOCHREALTIME
  printf 'go perft %d\n' "$2" >&"${engine[1]}"
  while read -r line <&"${engine[0]}" && [[ $line != 'Nodes searched'* ]]; do :; done
  peer_time=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.6f\n", b - a }')
  peer_nodes=${line##* }
}

# perft NAME FEN DEPTH
perft() {
  local ours=() theirs=() run peer_nodes peer_time
  for ((run = 0; run < runs; run++)); do
    ours+=("$(seconds "$program" perft "$3" --fen "$2" --no-merge --threads 1 --backend cpu --format jsonl)")
    stockfish_perft "$2" "$3"
    theirs+=("$peer_time")
    if ! grep -q "\"nodes\":\"$peer_nodes\"" "$work/out"; then
      printf 'benchmark: %s depth %d: stockfish counts %s, cuarbiter says\n' "$2" "$3" "$peer_nodes" >&2
      cat -- "$work/out" >&2
      exit 1
    fi
  done
  report "$1" Mnodes/s "$peer_nodes" "$(median "${ours[@]}")" stockfish "$(median "${theirs[@]}")"
}

# validate NAME FILE
validate() {
  local ours=() theirs=() run bytes
  bytes=$(stat -Lc %s -- "$2")
  cat -- "$2" >/dev/null # into the page cache
  for ((run = 0; run < runs; run++)); do
    ours+=("$(seconds "$program" validate --threads 1 --backend cpu -- "$2")")
    theirs+=("$(seconds pgn-extract -r "$2")")
  done
  report "$1" MB/s "$bytes" "$(median "${ours[@]}")" pgn-extract "$(median "${theirs[@]}")"
}

coproc engine { stockfish; }
perft perft-startpos-6 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1' 6
perft perft-kiwipete-5 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1' 5
printf 'quit\n' >&"${engine[1]}"
validate validate-pgn "$archive"
