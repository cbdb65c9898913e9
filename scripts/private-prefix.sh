#!/usr/bin/env bash
# Unpacks the libraries that cuarbiter builds with into a folder of one's own, without root: for
# clusters where nothing can be installed. Takes Debian's packages with "apt-get download", so run it
# on a Debian 12 machine with network and copy PREFIX to where it is needed (about 15 MB; the
# libraries want glibc 2.36 or newer there).
#
#   scripts/private-prefix.sh PREFIX
#
# PREFIX/{include,lib,share} are what /usr/{include,lib,share} would be. Prints the cmake line to use.
set -euo pipefail

if (($# != 1)); then
  printf 'usage: %s PREFIX\n' "$0" >&2
  exit 2
fi
root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
mkdir -p -- "$1"
prefix=$(readlink -e -- "$1")

packages=(
  libcli11-dev
  libfmt-dev libfmt9
  libgtest-dev libgmock-dev
  libzstd-dev libzstd1
  libxxhash-dev libxxhash0
  libbenchmark-dev libbenchmark1debian
  libbz2-dev libbz2-1.0
  liblzma-dev liblzma5
  zlib1g-dev zlib1g
)

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
mkdir "$work/packages" "$work/files"
# As root, apt would try to drop to the user "_apt", who cannot write here.
(cd "$work/packages" && apt-get -q -o APT::Sandbox::User="$(id -un)" download "${packages[@]}") >&2
for package in "$work"/packages/*.deb; do
  dpkg -x "$package" "$work/files"
done

# /lib and /usr/lib become one, as on a merged-/usr system.
for folder in "$work/files/usr" "$work/files"; do
  for part in include lib share; do
    if [[ -d $folder/$part ]]; then
      mkdir -p -- "$prefix/$part"
      cp -a -- "$folder/$part/." "$prefix/$part/"
    fi
  done
done
rm -rf -- "$prefix/share/doc"

# Links to absolute places and the prefix in pkg-config files still say /usr.
while IFS= read -r -d '' link; do
  target=$(readlink -- "$link")
  if [[ $target == /* ]]; then
    ln -sfn -- "${target##*/}" "$link"
  fi
done < <(find "$prefix/lib" -type l -print0)
find "$prefix" -name '*.pc' -exec sed -i "s|/usr\\b|$prefix|g" {} +

triplet=$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || gcc -print-multiarch)
printf 'Configure with:\n\n'
printf '  PKG_CONFIG_PATH=%q cmake -S %q -B build \\\n' "$prefix/lib/$triplet/pkgconfig" "$root"
printf '    -DCMAKE_PREFIX_PATH=%q -DCMAKE_LIBRARY_ARCHITECTURE=%s\n\n' "$prefix" "$triplet"
printf 'then: cmake --build build -j\n'
