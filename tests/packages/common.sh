# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What these tests share; $1 is the build folder. A test that cannot run here ends with 77, and says why.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset OCL_ICD_VENDORS OCL_ICD_FILENAMES

skip() {
  echo "skipped: $*"
  exit 77
}
fail() {
  echo "failed: $*" >&2
  exit 1
}
command -v clinfo >/dev/null || skip "there is no clinfo"

# shows_clcuda command…: it is a clinfo -l that lists a device of clcuda.
shows_clcuda() {
  "$@" >"$work/list" || fail "$*"
  grep -q 'Device #0: clcuda CPU' "$work/list" || fail "$* shows no device of clcuda: $(cat "$work/list")"
}
