#!/usr/bin/env bash
# Runs every perft suite of a folder in full (*.epd and *.perft) and prints one line per suite.
#
#   scripts/full-suites.sh DIR [PERFT-ARGUMENT...]      for example: --backend cuda --threads 0
#
# CUARBITER  the program to run (default: build/bin/cuarbiter). Exit status 1 when any suite fails.
set -euo pipefail

if (($# < 1)); then
  printf 'usage: %s DIR [PERFT-ARGUMENT...]\n' "$0" >&2
  exit 2
fi
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
program=${CUARBITER:-$root/build/bin/cuarbiter}
folder=$1
shift

shopt -s nullglob
suites=("$folder"/*.epd "$folder"/*.perft)
if ((${#suites[@]} == 0)); then
  printf 'full-suites: no *.epd or *.perft file in %s\n' "$folder" >&2
  exit 2
fi

report=$(mktemp)
trap 'rm -f -- "$report"' EXIT
failed=0
summary=()
for suite in "${suites[@]}"; do
  status=0
  start=$SECONDS
  "$program" perft --suite "$suite" --format jsonl "$@" >"$report" || status=$?
  counts=$(grep -c '"ok":' "$report" || true)
  wrong=$(grep -c '"ok":false' "$report" || true)
  verdict=ok
  if ((status != 0 || wrong > 0 || counts == 0)); then
    verdict=FAILED
    failed=1
    grep '"ok":false' "$report" | head -n 20 || true
  fi
  summary+=("$(printf '%-6s %8d counts %6d wrong %7d s  status %d  %s' \
    "$verdict" "$counts" "$wrong" "$((SECONDS - start))" "$status" "${suite##*/}")")
  printf '%s\n' "${summary[-1]}" >&2
done

printf '%s\n' "${summary[@]}"
exit "$failed"
