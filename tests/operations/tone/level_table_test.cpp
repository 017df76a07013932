// Tables of 256 levels over rows: every level, every length up to some vectors, every instruction
// set, and nothing beyond the row.
#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "engine/operations/tone/level_table.h"
#include "support/operation_run.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr std::uint8_t kUntouched = 0xA5;
constexpr int kLongest = 300;

Bytes randomBytes(std::size_t count, std::mt19937& random) {
    Bytes bytes(count);
    for (std::uint8_t& byte : bytes) byte = std::uint8_t(random());
    return bytes;
}

// 256 levels in any order.
Bytes everyLevel(std::mt19937& random) {
    Bytes levels(256);
    std::iota(levels.begin(), levels.end(), std::uint8_t(0));
    std::shuffle(levels.begin(), levels.end(), random);
    return levels;
}

bool untouchedFrom(const Bytes& row, int first) {
    return std::all_of(row.begin() + first, row.end(),
                       [](std::uint8_t byte) { return byte == kUntouched; });
}

}  // namespace

class LevelTableTest : public QObject {
    Q_OBJECT

  private slots:
    void init() { m_random.seed(freshSeed()); }

    void everyLevelAndLength() {
        forEachVectorTarget([&](const std::string& target) {
            const Bytes table = randomBytes(256, m_random);
            Bytes in = everyLevel(m_random);
            in.resize(kLongest, 7);
            for (int n = 0; n <= kLongest; ++n) {
                Bytes out(kLongest + 64, kUntouched);
                lookUpRow(table, in.data(), out.data(), n);
                int wrong = 0;
                for (int i = 0; i < n; ++i)
                    wrong += out[std::size_t(i)] != table[in[std::size_t(i)]];
                QVERIFY2(wrong == 0, (target + ", " + std::to_string(n)).c_str());
                QVERIFY2(untouchedFrom(out, n), (target + ", " + std::to_string(n)).c_str());
            }
        });
    }

    void fourTablesOfASet() {
        const Bytes tables = randomBytes(256 * 7, m_random);
        forEachVectorTarget([&](const std::string& target) {
            const LevelTableSet set(tables);
            Bytes in = everyLevel(m_random);
            in.resize(kLongest, 200);
            const std::uint32_t chosen[4] = {6, 0, 3, 3};
            for (int n = 0; n <= kLongest; ++n) {
                std::vector<Bytes> rows(4, Bytes(kLongest + 64, kUntouched));
                std::uint8_t* const out[4] = {rows[0].data(), rows[1].data(), rows[2].data(),
                                              rows[3].data()};
                set.lookUpRow(chosen, in.data(), out, n);
                int wrong = 0;
                for (std::size_t t = 0; t < 4; ++t) {
                    for (std::size_t i = 0; i < std::size_t(n); ++i)
                        wrong += rows[t][i] != tables[256 * chosen[t] + in[i]];
                    QVERIFY2(untouchedFrom(rows[t], n), target.c_str());
                }
                QVERIFY2(wrong == 0, (target + ", " + std::to_string(n)).c_str());
            }
        });
    }

    // One table for the three colours and one for each.
    void pixelsKeepAlpha_data() {
        QTest::addColumn<bool>("same");
        QTest::newRow("one table") << true;
        QTest::newRow("three tables") << false;
    }
    void pixelsKeepAlpha() {
        QFETCH(const bool, same);
        const Bytes red = randomBytes(256, m_random), green = randomBytes(256, m_random),
                    blue = randomBytes(256, m_random);
        const ColorTables<std::uint8_t> tables{&red, same ? &red : &green, same ? &red : &blue};
        const Bytes* const of[3] = {tables.red, tables.green, tables.blue};
        forEachVectorTarget([&](const std::string& target) {
            const Bytes in = randomBytes(kLongest, m_random);
            for (int samples = 0; samples <= kLongest; samples += 4) {
                Bytes out(kLongest + 64, kUntouched);
                lookUpPixels(tables, in.data(), out.data(), samples);
                int wrong = 0;
                for (std::size_t s = 0; s < std::size_t(samples); ++s)
                    wrong += out[s] != (s % 4 == 3 ? in[s] : (*of[s % 4])[in[s]]);
                QVERIFY2(wrong == 0, (target + ", " + std::to_string(samples)).c_str());
                QVERIFY2(untouchedFrom(out, samples), target.c_str());
            }
        });
    }

  private:
    std::mt19937 m_random;
};

WARPSCOPE_TEST(LevelTableTest)
#include "level_table_test.moc"
