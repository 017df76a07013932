// Keys of float samples, bit by bit: every kind of number, every length up to some vectors, every
// instruction set, and nothing beyond the row.
#include "engine/operations/order_keys.h"

#include <bit>
#include <limits>
#include <random>
#include <vector>

#include "support/operation_run.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

class OrderKeysTest : public QObject {
    Q_OBJECT

    std::mt19937 m_random{freshSeed()};

    float anySample() {
        static constexpr std::uint32_t kEnds[] = {
            0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x7f7fffff, 0xff7fffff,
            0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000, 0x7f800001, 0xff800001, 0x7fc12345};
        return std::bit_cast<float>(m_random() % 2 ? kEnds[m_random() % std::size(kEnds)]
                                                   : std::uint32_t(m_random()));
    }

  private slots:
    void rowsEqualSingleSamples() {
        constexpr std::int32_t kUntouched = 0x5a5a5a5a;
        forEachVectorTarget([&](const std::string& target) {
            for (int count = 0; count <= 70; ++count) {
                std::vector<float> samples(std::size_t(count) + 1);
                for (float& sample : samples) sample = anySample();
                std::vector<std::int32_t> keys(samples.size(), kUntouched);
                toOrderKeys(samples.data(), keys.data(), count);
                std::vector<float> back(samples.size(), std::bit_cast<float>(kUntouched));
                fromOrderKeys(keys.data(), back.data(), count);
                for (std::size_t i = 0; i < std::size_t(count); ++i) {
                    QVERIFY2(keys[i] == orderKey(samples[i]), target.c_str());
                    QVERIFY2(std::bit_cast<std::int32_t>(back[i]) ==
                                 std::bit_cast<std::int32_t>(fromOrderKey(keys[i])),
                             target.c_str());
                }
                QCOMPARE(keys.back(), kUntouched);
                QCOMPARE(std::bit_cast<std::int32_t>(back.back()), kUntouched);
            }
        });
    }

    void orderIsThatOfTheNumbers() {
        for (int round = 0; round < 100'000; ++round) {
            const float a = anySample(), b = anySample();
            if (a < b) QVERIFY(orderKey(a) < orderKey(b));
            if (a != a) QCOMPARE(orderKey(a), kNanKey);
            if (a == a) QVERIFY(orderKey(a) < kNanKey);
            if (a == a)
                QCOMPARE(std::bit_cast<std::uint32_t>(fromOrderKey(orderKey(a))),
                         std::bit_cast<std::uint32_t>(a));
        }
        QVERIFY(orderKey(-0.0f) < orderKey(0.0f));
    }
};

WARPSCOPE_TEST(OrderKeysTest)
#include "order_keys_test.moc"
