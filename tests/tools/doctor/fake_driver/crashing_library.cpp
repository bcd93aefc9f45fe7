// SPDX-License-Identifier: Apache-2.0
// A library that crashes when it is loaded.
#include <signal.h>

__attribute__((constructor)) static void crash() { ::raise(SIGSEGV); }
