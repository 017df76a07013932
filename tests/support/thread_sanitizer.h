// For tests of threads. QtTest runs a watchdog thread whose end Qt synchronizes with futexes that
// the thread sanitizer cannot see; depending on timing it then reports QtTest's own clean-up as a
// race. Memory that is touched by the C library on behalf of modules that were not instrumented is
// therefore left out; synchronization in them counts as before, and nothing of ours is left out.
#pragma once

#if defined(__SANITIZE_THREAD__)
inline constexpr int kSlowdown = 10;  // of limits on time
extern "C" const char* __tsan_default_options();
extern "C" inline __attribute__((used, visibility("default"))) const char*
__tsan_default_options() {
    return "ignore_noninstrumented_modules=1";
}
#elif defined(__SANITIZE_ADDRESS__)
inline constexpr int kSlowdown = 10;
#else
inline constexpr int kSlowdown = 1;
#endif
