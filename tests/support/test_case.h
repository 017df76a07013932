// A test file names its class with WARPSCOPE_TEST; the executable of its folder runs it under the file's name.
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

#define WARPSCOPE_TEST(Class)                                  \
    static const ::warpscope::test::Entry warpscopeTestEntry(    \
        __FILE__, []() -> QObject* { return new Class; });
