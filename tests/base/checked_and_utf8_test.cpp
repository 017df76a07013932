// Arithmetic that notices overflow, and well-formed UTF-8 by the table of the Unicode standard.
#include <string>

#include "engine/base/checked.h"
#include "engine/base/utf8.h"
#include "support/test_case.h"

using namespace warpscope;

class CheckedAndUtf8Test : public QObject {
    Q_OBJECT
  private slots:
    void productsThatFit() {
        QCOMPARE(*checkedProduct(3, 4, 5), std::uint64_t(60));
        QCOMPARE(*checkedProduct(7, 0), std::uint64_t(0));
        QCOMPARE(*checkedMultiply(1ull << 32, (1ull << 32) - 1), 0xFFFFFFFF00000000ull);
    }
    void overflowIsNothing() {
        QVERIFY(!checkedMultiply(1ull << 32, 1ull << 32));
        QVERIFY(!checkedAdd(~0ull, 1));
        // A product that overflows in the middle stays nothing, even times zero.
        QVERIFY(!checkedProduct(1ull << 40, 1ull << 40, 0));
    }

    void lengths_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<int>("length");
        QTest::newRow("empty") << QByteArray() << 0;
        QTest::newRow("ASCII") << QByteArray("a") << 1;
        QTest::newRow("NUL") << QByteArray(1, '\0') << 1;
        QTest::newRow("two") << QByteArray("\xC3\xA9") << 2;
        QTest::newRow("three") << QByteArray("\xE2\x82\xAC") << 3;
        QTest::newRow("four") << QByteArray("\xF0\x9F\x98\x80") << 4;
        QTest::newRow("last") << QByteArray("\xF4\x8F\xBF\xBF") << 4;
        QTest::newRow("beyond the last") << QByteArray("\xF4\x90\x80\x80") << 0;
        QTest::newRow("overlong two") << QByteArray("\xC1\xBF") << 0;
        QTest::newRow("overlong three") << QByteArray("\xE0\x9F\xBF") << 0;
        QTest::newRow("overlong four") << QByteArray("\xF0\x8F\xBF\xBF") << 0;
        QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << 0;
        QTest::newRow("cut") << QByteArray("\xE2\x82") << 0;
        QTest::newRow("continuation") << QByteArray("\x80") << 0;
        QTest::newRow("bad third") << QByteArray("\xE2\x82\x41") << 0;
    }
    void lengths() {
        QFETCH(QByteArray, text);
        QFETCH(int, length);
        QCOMPARE(utf8Length({text.data(), std::size_t(text.size())}), std::size_t(length));
    }

    void theFirstBadByteIsFound() {
        QCOMPARE(findInvalidUtf8(""), std::string_view::npos);
        QCOMPARE(findInvalidUtf8("h\xC3\xA9llo \xF0\x9F\x98\x80"), std::string_view::npos);
        QCOMPARE(findInvalidUtf8("ab\xC3\xA9\xFF"), std::size_t(4));
        QCOMPARE(findInvalidUtf8("\xE2\x82"), std::size_t(0));
    }
};

WARPSCOPE_TEST(CheckedAndUtf8Test)
#include "checked_and_utf8_test.moc"
