// SPDX-License-Identifier: Apache-2.0
#pragma once

// Annotations for Clang's thread-safety analysis (-Wthread-safety): a member states which mutex guards it, a function which mutex it
// needs, and the compiler checks both. Mutexes and their order: base/mutex.h.
//
//   Mutex mutex_ LOCK_RANK(queue);
//   std::deque<Command*> held_ GUARDED_BY(mutex_);
//   void advance() REQUIRES(mutex_);
#if defined(__clang__)
#define CLCUDA_ANNOTATE(x) __attribute__((x))
#else
#define CLCUDA_ANNOTATE(x)
#endif
#define CAPABILITY(x) CLCUDA_ANNOTATE(capability(x))
#define SCOPED_CAPABILITY CLCUDA_ANNOTATE(scoped_lockable)
#define GUARDED_BY(x) CLCUDA_ANNOTATE(guarded_by(x))
#define ACQUIRED_BEFORE(...) CLCUDA_ANNOTATE(acquired_before(__VA_ARGS__))
#define ACQUIRED_AFTER(...) CLCUDA_ANNOTATE(acquired_after(__VA_ARGS__))
#define REQUIRES(...) CLCUDA_ANNOTATE(requires_capability(__VA_ARGS__))
#define EXCLUDES(...) CLCUDA_ANNOTATE(locks_excluded(__VA_ARGS__))
#define ACQUIRE(...) CLCUDA_ANNOTATE(acquire_capability(__VA_ARGS__))
#define TRY_ACQUIRE(...) CLCUDA_ANNOTATE(try_acquire_capability(__VA_ARGS__))
#define RELEASE(...) CLCUDA_ANNOTATE(release_capability(__VA_ARGS__))
#define RETURN_CAPABILITY(x) CLCUDA_ANNOTATE(lock_returned(x))
#define NO_THREAD_SAFETY_ANALYSIS CLCUDA_ANNOTATE(no_thread_safety_analysis)
