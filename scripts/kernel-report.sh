#!/usr/bin/env bash
# Turns the compiler's report of the CUDA kernels (-DCUARBITER_KERNEL_REPORT=ON) into a table: the
# registers a thread, the bytes of stack frame and the bytes spilt, one row a kernel, one column an
# architecture. Kernels of Thrust and CUB that share a name share a row, which shows the most.
#
#   cmake --build build --clean-first --target kernels_cuda | scripts/kernel-report.sh
#
# Reads a build's output. Exit status 1 when a kernel of ours spills registers, or when nothing was
# compiled. Guided play alone may: its functions are called, not copied into each other, and a call
# saves registers.
set -euo pipefail

c++filt | awk '
  # bulk_kernel<cuarbiter::target_cuda::CountOp<unsigned long> >(...) is CountOp<unsigned long>;
  # of another kernel the plain name is kept.
  function short_name(text) {
    if (match(text, /bulk_kernel</)) {
      text = substr(text, RSTART + RLENGTH)
      sub(/ ?>\(.*/, "", text)
      gsub(/cuarbiter::(target_cuda::)?/, "", text)
      return text
    }
    sub(/^void /, "", text)
    sub(/[<(].*/, "", text)
    sub(/.*::/, "", text)
    return "(" text ")"
  }
  /Compiling entry function / {
    split($0, part, "\047")
    name = short_name(part[2])
    arch = part[4]
    if (!(name in seen)) { seen[name] = 1; names[++name_count] = name }
    if (!(arch in column)) { column[arch] = 1; archs[++arch_count] = arch }
    key = name SUBSEP arch
    frame = stores = loads = 0
  }
  /bytes stack frame/ {
    for (i = 2; i <= NF; ++i) {
      if ($i == "stack") frame = $(i - 2)
      if ($i == "spill" && $(i + 1) ~ /^stores/) stores = $(i - 2)
      if ($i == "spill" && $(i + 1) ~ /^loads/) loads = $(i - 2)
    }
  }
  /Used [0-9]+ registers/ {
    match($0, /Used [0-9]+/)
    used = substr($0, RSTART + 5, RLENGTH - 5) + 0
    if (used > registers[key]) registers[key] = used
    if (frame > frames[key]) frames[key] = frame
    if (stores + loads > spills[key]) spills[key] = stores + loads
    if (stores + loads > 0 && name !~ /^(\(|MatesOp$)/) spilt = 1
  }
  END {
    if (!name_count) { print "kernel-report: no kernel was compiled" > "/dev/stderr"; exit 1 }
    printf "%-36s", "registers/frame/spilt"
    for (a = 1; a <= arch_count; ++a) printf " %12s", archs[a]
    printf "\n"
    for (n = 1; n <= name_count; ++n) {
      printf "%-36s", names[n]
      for (a = 1; a <= arch_count; ++a) {
        key = names[n] SUBSEP archs[a]
        printf " %12s", (key in registers) ? registers[key] "/" frames[key] + 0 "/" spills[key] + 0 : "-"
      }
      printf "\n"
    }
    exit spilt
  }'
