# SPDX-License-Identifier: Apache-2.0
# What the scripts share. Sourced, not run: leaves the shell strict and in the root of the repository.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

step() { printf '\n==> %s  (%s)\n' "$*" "$(date +%H:%M:%S)"; }
fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# Builds share objects between folders and clones by this.
export CCACHE_BASEDIR=$root
# Without these, ccache stores nothing that was compiled with precompiled headers (cmake/PrecompiledHeaders.cmake). No source of ours
# asks for the time of its compilation.
export CCACHE_SLOPPINESS=pch_defines,time_macros
export NINJA_STATUS='[%f/%t %es] '
