#!/usr/bin/env bash
# Builds the fuzz targets (tests/fuzz) with clang, libFuzzer and the address and undefined behaviour
# sanitizers, and runs each for a while on seeds out of data/.
#
#   scripts/fuzz.sh [SECONDS [TARGET...]]     for example: scripts/fuzz.sh 600 pgn framer
#
# SECONDS  for each target; default 60. As many targets as there are CPUs run at once.
# TARGET   border, decoder, fen, framer, lines, pgn or san; default all
#
# CUARBITER_FUZZ_CORPUS  a folder that keeps what was found to be interesting, one folder a target,
#                        for the next run; default: kept nowhere
# CUARBITER_FUZZ_SEED    the seed of the random numbers; default 1; 0 takes another every time
#
# An input that breaks a promise is written to the current folder as TARGET-crash-..., -timeout-...
# or -oom-... Exit status 0: nothing was found; 1: something was; 77: clang++ or libFuzzer is missing.
set -euo pipefail

root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
seconds=${1:-60}
if [[ ! $seconds =~ ^[1-9][0-9]*$ ]]; then
  printf 'fuzz: "%s" is no number of seconds\n' "$seconds" >&2
  exit 2
fi
targets=("${@:2}")
if ((${#targets[@]} == 0)); then
  targets=(border decoder fen framer lines pgn san)
fi
random_seed=${CUARBITER_FUZZ_SEED:-1}

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

printf 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }\n' \
  >"$work/probe.cpp"
if ! clang++ -fsanitize=fuzzer,address,undefined "$work/probe.cpp" -o "$work/probe" 2>/dev/null; then
  printf 'fuzz: clang++ with libFuzzer is missing\n' >&2
  exit 77
fi

cmake -S "$root" --preset fuzz -DCUARBITER_TESTS=ON
cmake --build "$root/build-fuzz" -j "$(nproc)" --target "${targets[@]/%/_fuzz}"

# Each line of a file as a seed of its own, behind the control bytes given.
lines_as_seeds() {
  local folder=$1 control=$2 file=$3 line n=0
  local seed=$folder/${file##*/}.$RANDOM
  while IFS= read -r line && ((n < 400)); do
    n=$((n + 1))
    printf '%b%s' "$control" "$line" >"$seed.$n"
  done <"$file"
}

files_as_seeds() {
  local folder=$1 control=$2 file
  for file in "$root"/data/games/*.pgn "$root"/data/positions/*.fen; do
    { printf '%b' "$control" && cat -- "$file"; } >"$folder/${file##*/}.$RANDOM"
  done
}

make_seeds() {
  local target=$1 folder=$2 file how
  local games='[Event "A"]\n\n1. d4 *\n\n[Event "B"]\n\n1. c4 *\n\n'
  mkdir -p -- "$folder"
  case $target in
    fen)
      for file in "$root"/data/perft/*.epd "$root"/data/positions/*.fen; do
        lines_as_seeds "$folder" '\0' "$file"
        lines_as_seeds "$folder" '\1' "$file"
      done
      ;;
    san)
      grep -aohE '[A-Za-z][A-Za-z0-9=+#x-]{1,9}' "$root"/data/games/*.pgn | sort -u >"$work/moves"
      lines_as_seeds "$folder" '' "$work/moves"
      ;;
    pgn | framer)
      files_as_seeds "$folder" '\0\100\377'
      files_as_seeds "$folder" '\3\100\20'
      ;;
    border)
      # In 2, 4 and 16 parts; games in comments, and braces that are near and far.
      for how in '\2' '\6' '\36'; do
        files_as_seeds "$folder" "$how\100\377"
      done
      for how in '{' '}' '{ \1 }' '{ \1 \1 }' '\1 \1 }' '} \1 {' '; {' '\357\273\277'; do
        printf '\7\100\20\n\n%b1. e4 %b e5 *\n\n%b%b' "$games" "$how" "$games" "$games" \
          >"$folder/braces.$RANDOM"
      done
      ;;
    lines)
      files_as_seeds "$folder" '\377\377'
      files_as_seeds "$folder" '\20\7'
      ;;
    decoder)
      # The four codecs, undamaged, cut, changed and with bytes in between.
      for how in 0 1 2 3; do
        files_as_seeds "$folder" "\\$how\\377\\377\\3\\100\\0\\0\\0\\0"
        files_as_seeds "$folder" "\\$how\\7\\20\\0\\20\\1\\1\\20\\0"
        files_as_seeds "$folder" "\\$how\\7\\20\\1\\20\\2\\2\\20\\40"
        files_as_seeds "$folder" "\\$how\\7\\20\\2\\20\\3\\1\\20\\0"
      done
      ;;
    *)
      printf 'fuzz: there is no target "%s"\n' "$target" >&2
      return 2
      ;;
  esac
}

run_target() {
  local target=$1 corpus=$2
  "$root/build-fuzz/fuzz/${target}_fuzz" -max_total_time="$seconds" -seed="$random_seed" -max_len=20000 \
    -timeout=30 -rss_limit_mb=3000 -artifact_prefix="$target-" -print_final_stats=1 \
    "$corpus" "$work/seeds/$target" >"$work/$target.log" 2>&1
}

wait_for_one() {
  local pid=$1 target=$2
  if wait "$pid"; then
    printf 'fuzz: %s: nothing found, %s inputs in %s s\n' "$target" \
      "$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/$target.log")" "$seconds"
  else
    printf 'fuzz: %s: FAILED\n' "$target"
    tail -n 60 -- "$work/$target.log"
    status=1
  fi
}

status=0
pids=()
for ((i = 0; i < ${#targets[@]}; ++i)); do
  target=${targets[i]}
  make_seeds "$target" "$work/seeds/$target"
  corpus=${CUARBITER_FUZZ_CORPUS:-$work/corpus}/$target
  mkdir -p -- "$corpus"
  before=$((i - $(nproc)))
  if ((before >= 0)); then
    wait_for_one "${pids[before]}" "${targets[before]}"
  fi
  run_target "$target" "$corpus" &
  pids+=("$!")
done
for ((i = ${#targets[@]} > $(nproc) ? ${#targets[@]} - $(nproc) : 0; i < ${#targets[@]}; ++i)); do
  wait_for_one "${pids[i]}" "${targets[i]}"
done
exit "$status"
