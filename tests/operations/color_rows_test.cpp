// Pixels taken apart into rows of their colours, and joined: every number of pixels up to some
// vectors, every instruction set and sample type, and nothing beyond.
#include <random>
#include <vector>

#include "engine/operations/color_rows.h"
#include "support/operation_run.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

constexpr int kMost = 70;

template <class T>
std::vector<T> randomSamples(std::size_t count, std::mt19937& random) {
    std::vector<T> samples(count);
    for (T& sample : samples) sample = T(random() % 60000);
    return samples;
}

template <class T>
void apartAndTogether(std::mt19937& random) {
    forEachVectorTarget([&](const std::string& target) {
        for (int n = 0; n <= kMost; ++n) {
            const std::string name = target + ", " + std::to_string(n);
            const auto pixels = randomSamples<T>(4 * kMost, random);
            const auto others = randomSamples<T>(4 * kMost, random);
            std::vector<std::vector<T>> rows(3, std::vector<T>(kMost + 64, T(77)));
            T* const apart[3] = {rows[0].data(), rows[1].data(), rows[2].data()};
            splitColors(pixels.data(), apart, n);
            int wrong = 0;
            for (std::size_t i = 0; i < std::size_t(kMost); ++i)
                for (std::size_t c = 0; c < 3; ++c)
                    wrong += rows[c][i] != (i < std::size_t(n) ? pixels[4 * i + c] : T(77));
            QVERIFY2(wrong == 0, name.c_str());

            const T* const colors[3] = {rows[0].data(), rows[1].data(), rows[2].data()};
            std::vector<T> made(4 * kMost, T(78));
            joinColors(colors, others.data(), made.data(), n);
            auto inPlace = others;
            joinColors(colors, inPlace.data(), inPlace.data(), n);
            for (std::size_t s = 0; s < made.size(); ++s) {
                const bool inside = s < 4 * std::size_t(n);
                const T wanted = s % 4 == 3 ? others[s] : pixels[s];
                wrong += made[s] != (inside ? wanted : T(78));
                wrong += inPlace[s] != (inside ? wanted : others[s]);
            }
            QVERIFY2(wrong == 0, name.c_str());
        }
    });
}

}  // namespace

class ColorRowsTest : public QObject {
    Q_OBJECT

  private slots:
    void init() { m_random.seed(freshSeed()); }
    void bytes() { apartAndTogether<std::uint8_t>(m_random); }
    void words() { apartAndTogether<std::uint16_t>(m_random); }
    void floats() { apartAndTogether<float>(m_random); }

  private:
    std::mt19937 m_random;
};

WARPSCOPE_TEST(ColorRowsTest)
#include "color_rows_test.moc"
