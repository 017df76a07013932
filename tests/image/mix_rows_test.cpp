#include "engine/image/mix_rows.h"

#include <random>
#include <vector>

#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;

class MixRowsTest : public QObject {
    Q_OBJECT
  private slots:
    // Every weight, every pair of extremes among random samples, ends that fill no vector.
    void isItsDefinition() {
        std::mt19937 random(test::freshSeed());
        for (std::uint32_t weight = 0; weight <= 256; ++weight) {
            const std::size_t count = random() % 300;
            std::vector<std::uint8_t> a(count), b(count), out(count + 1, 77);
            for (std::size_t i = 0; i < count; ++i) {
                a[i] = random() % 4 == 0 ? 255 : std::uint8_t(random());
                b[i] = random() % 4 == 0 ? 255 : std::uint8_t(random());
            }
            mixRows(a.data(), b.data(), weight, out.data(), count);
            for (std::size_t i = 0; i < count; ++i)
                QCOMPARE(unsigned(out[i]), (a[i] * (256 - weight) + b[i] * weight + 128) / 256);
            QCOMPARE(int(out[count]), 77);
        }
    }
};

WARPSCOPE_TEST(MixRowsTest)
#include "mix_rows_test.moc"
