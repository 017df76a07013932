// A test file names its class with WARPSCOPE_TEST; the executable of its folder runs it under the
// file's name.
#pragma once

#include <QObject>

namespace warpscope::test {

// One `<name>_test.cpp`: registers itself under <name>.
class Entry {
  public:
    // `file` is the source's path; both must live as long as the program.
    Entry(const char* file, QObject* (*make)());
};

}  // namespace warpscope::test

// The counter: files may be compiled together.
#define WARPSCOPE_TEST(Class) WARPSCOPE_TEST_NUMBERED(Class, __COUNTER__)
#define WARPSCOPE_TEST_NUMBERED(Class, number) WARPSCOPE_TEST_ENTRY(Class, number)
#define WARPSCOPE_TEST_ENTRY(Class, number)                           \
    static const ::warpscope::test::Entry warpscopeTestEntry##number( \
        __FILE__, []() -> QObject* { return new Class; });
