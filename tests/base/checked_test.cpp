#include "engine/base/checked.h"
#include "support/test_case.h"

#include <QTest>

using namespace warpscope;

class CheckedTest : public QObject {
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
};

WARPSCOPE_TEST(CheckedTest)
#include "checked_test.moc"
