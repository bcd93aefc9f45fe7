// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace clcuda {

// Moves a descriptor that has just been opened above those of the standard streams, and returns the new one. If the application has closed
// a standard stream, open() returns its number, and what the application prints would go into our file. A failed open()'s -1 is returned
// as it is; errno tells why there is no descriptor in either case.
//
//   const int file = own_descriptor(::open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
int own_descriptor(int opened) noexcept;

// Empties a regular file that is open for writing: it may have got what a thread of the application printed before the descriptor was
// moved. Returns -1 and sets errno on failure.
int make_empty(int file) noexcept;

}  // namespace clcuda
