// SPDX-License-Identifier: Apache-2.0
// A library that does not survive being loaded.
#include <signal.h>

__attribute__((constructor)) static void crash() { ::raise(SIGSEGV); }
