// What every test needs: QtTest, and WARPSCOPE_TEST, with which a file names its class; the
// executable of its folder runs it under the file's name.
#pragma once

#include <QtTest>
#include <random>

#include "support/random_seed.h"

namespace warpscope::test {

// One `<name>_test.cpp`: registers itself under <name>.
class Entry {
  public:
    // `file` is the source's path; both must live as long as the program.
    Entry(const char* file, QObject* (*make)());
};

}  // namespace warpscope::test

// Of limits on time.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr int kSlowdown = 10;
#else
inline constexpr int kSlowdown = 1;
#endif

// What QtTest waits for where nothing is said, 5 s, is no limit that a test asks for: a machine
// that is busy with other things needs longer at times, and all need longer where everything is
// slower.
inline constexpr int kWaitMs = kSlowdown > 1 ? 120'000 : 30'000;
#undef QTRY_VERIFY
#define QTRY_VERIFY(expr) QTRY_VERIFY_WITH_TIMEOUT(expr, kWaitMs)
#undef QTRY_VERIFY2
#define QTRY_VERIFY2(expr, message) QTRY_VERIFY2_WITH_TIMEOUT(expr, message, kWaitMs)
#undef QTRY_COMPARE
#define QTRY_COMPARE(expr, expected) QTRY_COMPARE_WITH_TIMEOUT(expr, expected, kWaitMs)
template <class Condition>
[[nodiscard]] bool waitedFor(Condition condition) {
    return QTest::qWaitFor(std::move(condition), kWaitMs);
}
template <class Condition>
[[nodiscard]] bool waitedFor(Condition condition, int ms) {
    return QTest::qWaitFor(std::move(condition), ms * kSlowdown);
}

// Whether a case of a long list is left to another run: never, but of two in three under a
// sanitizer, where a case costs ten times as much. Drawn anew each time: runs see all together.
inline bool leftOut() {
    static std::mt19937 random(warpscope::test::freshSeed());
    return kSlowdown > 1 && random() % 3 != 0;
}

// The counter: files may be compiled together.
#define WARPSCOPE_TEST(Class) WARPSCOPE_TEST_NUMBERED(Class, __COUNTER__)
#define WARPSCOPE_TEST_NUMBERED(Class, number) WARPSCOPE_TEST_ENTRY(Class, number)
#define WARPSCOPE_TEST_ENTRY(Class, number)                           \
    static const ::warpscope::test::Entry warpscopeTestEntry##number( \
        __FILE__, []() -> QObject* { return new Class; });

// Of a Result: success; this error with this part in its message. Of a text: empty.
#define REQUIRE_OK(result) \
    QVERIFY2((result).has_value(), (result).has_value() ? "" : (result).error().message.c_str())
#define REQUIRE_FAILS(result, errorCode, part)                                            \
    do {                                                                                  \
        QVERIFY2(!(result).has_value(), "success where an error was expected");           \
        QVERIFY2((result).error().message.find(part) != std::string::npos,                \
                 (result).error().message.c_str());                                       \
        QVERIFY2((result).error().code == (errorCode), (result).error().message.c_str()); \
    } while (false)
#define REQUIRE_SAME(difference)                                      \
    do {                                                              \
        const std::string testedDifference = (difference);            \
        QVERIFY2(testedDifference.empty(), testedDifference.c_str()); \
    } while (false)
