#!/usr/bin/env bash
# Keeps the table of codes in README.md equal to what "cuarbiter codes --format markdown" writes.
#
#   scripts/readme-codes.sh            writes the table between its markers
#   scripts/readme-codes.sh --check    exit status 1 when it is out of date
#
# CUARBITER  the program to ask (default: build/bin/cuarbiter)
set -euo pipefail

root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
program=${CUARBITER:-$root/build/bin/cuarbiter}
begin='<!-- codes: written by scripts/readme-codes.sh -->'
end='<!-- end of codes -->'
readme=$root/README.md

if [[ $(grep -cxF -e "$begin" -- "$readme") != 1 || $(grep -cxF -e "$end" -- "$readme") != 1 ]]; then
  printf 'readme-codes: the markers are missing in README.md\n' >&2
  exit 2
fi
table=$("$program" codes --format markdown)
wanted=$(
  TABLE=$table awk -v begin="$begin" -v end="$end" '
    $0 == begin { print; printf "\n%s\n\n", ENVIRON["TABLE"]; inside = 1 }
    $0 == end { inside = 0 }
    !inside' "$readme"
)
case ${1:-} in
  --check)
    if ! diff -u --label README.md --label 'cuarbiter codes' -- "$readme" <(printf '%s\n' "$wanted"); then
      printf 'readme-codes: README.md is out of date: run scripts/readme-codes.sh\n' >&2
      exit 1
    fi
    ;;
  '') printf '%s\n' "$wanted" >"$readme.new" && mv -- "$readme.new" "$readme" ;;
  *)
    printf 'usage: %s [--check]\n' "$0" >&2
    exit 2
    ;;
esac
