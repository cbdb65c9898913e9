#!/usr/bin/env bash
# Installs those Debian 12 packages that building and testing cuarbiter needs and that are missing.
#
#   scripts/setup-debian.sh [PACKAGE...]
#
# PACKAGE...  further packages to install where missing (.ci/run names its tools here)
#
# Asks apt only when something is missing, so that a ready machine needs no network. Uses sudo when
# not root. CUARBITER_SKIP_SETUP=1 turns it into a no-op (a private prefix, a module system).
set -euo pipefail

if [[ ${CUARBITER_SKIP_SETUP:-0} == 1 ]]; then
  exit 0
fi

# What is run is looked for as a command, so that a newer one from elsewhere counts.
tools=(g++:g++ cmake:cmake ninja:ninja-build pkg-config:pkg-config)
libraries=(
  libcli11-dev libfmt-dev libzstd-dev libxxhash-dev zlib1g-dev libbz2-dev liblzma-dev
  libthrust-dev libgtest-dev libbenchmark-dev
)

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  printf 'setup: this is no Debian system; make sure that these are installed:\n' >&2
  printf '  %s\n' "${tools[@]%%:*}" "${libraries[@]}" "$@" >&2
  exit 0
fi

installed() {
  [[ $(dpkg-query -W -f='${db:Status-Status}\n' "$1" 2>/dev/null | head -n 1) == installed ]]
}

missing=()
for tool in "${tools[@]}"; do
  command -v "${tool%%:*}" >/dev/null || missing+=("${tool#*:}")
done
for package in "${libraries[@]}" "$@"; do
  installed "$package" || missing+=("$package")
done

if ((${#missing[@]} == 0)); then
  printf 'setup: all packages are installed\n' >&2
  exit 0
fi

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    printf 'setup: missing packages, and no sudo to install them. As root, run:\n' >&2
    printf '  apt-get update && apt-get install --no-install-recommends %s\n' "${missing[*]}" >&2
    printf 'Without root: scripts/private-prefix.sh\n' >&2
    exit 1
  fi
  as_root=(sudo)
fi

# "env" carries the variable through sudo, which clears the environment.
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive
  apt-get -q -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3)
printf 'setup: installing %s\n' "${missing[*]}" >&2
"${apt[@]}" update >&2
"${apt[@]}" install -y --no-install-recommends "${missing[@]}" >&2
