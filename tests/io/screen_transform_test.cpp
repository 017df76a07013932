// Colours on the screen against the arithmetic of matrices and curves, from profiles written by
// hand.
#include <QElapsedTimer>
#include <array>
#include <atomic>
#include <cmath>
#include <thread>

#include "engine/io/screen_transform.h"
#include "support/test_case.h"
#include "tests/io/icc_profile.h"
#include "tests/io/io_helpers.h"

using namespace warpscope;
using namespace io_test;

namespace {

// Of sRGB's curve.
double encoded(double linear) {
    linear = std::clamp(linear, 0.0, 1.0);
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

// m * x = y by Cramer's rule; the columns of m are the primaries.
std::array<double, 3> solve(const Primaries& m, const std::array<double, 3>& y) {
    const auto det = [](const Primaries& a) {
        return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
               a[1][0] * (a[0][1] * a[2][2] - a[0][2] * a[2][1]) +
               a[2][0] * (a[0][1] * a[1][2] - a[0][2] * a[1][1]);
    };
    std::array<double, 3> x{};
    for (std::size_t i = 0; i < 3; ++i) {
        Primaries replaced = m;
        replaced[i] = y;
        x[i] = det(replaced) / det(m);
    }
    return x;
}

}  // namespace

class ScreenTransformTest : public QObject {
    Q_OBJECT

  private slots:
    void wideColoursBecomeThoseOfTheScreen() {
        const double gamma = 563 / 256.0;
        for (const auto order : {ScreenTransform::Order::Rgba, ScreenTransform::Order::Bgra}) {
            const auto transform =
                ScreenTransform::create(makeProfile(&kAdobe, gamma, "wide"), {}, order);
            REQUIRE_OK(transform);
            QVERIFY(!transform->isIdentity());
            QCOMPARE(transform->name(), std::string("wide"));
            const std::size_t first = order == ScreenTransform::Order::Rgba ? 0 : 2;
            for (int i = 0; i < 3000; ++i) {
                const std::uint32_t bits = mixed(std::uint32_t(i));
                std::uint8_t pixel[4], shown[4];
                std::memcpy(pixel, &bits, 4);
                std::array<double, 3> light{};
                for (std::size_t c = 0; c < 3; ++c) {
                    const double linear = std::pow(pixel[c == 1   ? 1
                                                         : c == 0 ? first
                                                                  : 2 - first] /
                                                       255.0,
                                                   gamma);
                    for (std::size_t k = 0; k < 3; ++k) light[k] += linear * kAdobe[c][k];
                }
                const auto screen = solve(kSrgb, light);
                transform->apply(pixel, shown, 1);
                for (std::size_t c = 0; c < 3; ++c) {
                    const double want = 255 * encoded(screen[c]);
                    const int got = shown[c == 1 ? 1 : c == 0 ? first : 2 - first];
                    QVERIFY2(std::abs(want - got) <= 1.1,
                             qPrintable(QStringLiteral("%1 instead of %2").arg(got).arg(want)));
                }
                QCOMPARE(shown[3], pixel[3]);
            }
        }
    }

    void theSameColoursStay() {
        const ByteBuffer profile = makeProfile(&kAdobe, 2.2, "same");
        const auto same = ScreenTransform::create(profile, profile);
        REQUIRE_OK(same);
        QVERIFY(same->isIdentity());
        // Another curve alone is a change.
        const auto darker = ScreenTransform::create(makeProfile(&kAdobe, 1.8, "x"), profile);
        REQUIRE_OK(darker);
        QVERIFY(!darker->isIdentity());
    }

    void grayHasACurve() {
        const auto transform = ScreenTransform::create(makeProfile(nullptr, 1.0, "linear"));
        REQUIRE_OK(transform);
        QVERIFY(!transform->isIdentity());
        for (int i = 0; i < 256; ++i) {
            std::uint8_t pixel[4] = {std::uint8_t(i), std::uint8_t(i), std::uint8_t(i), 7};
            transform->apply(pixel, pixel, 1);
            QVERIFY(std::abs(255 * encoded(i / 255.0) - pixel[1]) <= 1.1);
            QCOMPARE(pixel[3], std::uint8_t(7));
        }
    }

    void whatIsNoProfileIsRefused() {
        const ByteBuffer good = makeProfile(&kAdobe, 2.2, "x");
        REQUIRE_FAILS(ScreenTransform::create({}), ErrorCode::Damaged, "damaged");
        REQUIRE_FAILS(ScreenTransform::create(fromText("no profile at all")), ErrorCode::Damaged,
                      "damaged");
        ByteBuffer inks = good;
        std::memcpy(&inks[16], "CMYK", 4);
        REQUIRE_FAILS(ScreenTransform::create(inks), ErrorCode::Unsupported, "neither");
        for (std::size_t size = 0; size < good.size(); size += 3)
            static_cast<void>(
                ScreenTransform::create(std::span<const std::uint8_t>(good.data(), size)));
        for (std::uint32_t i = 0; i < 2000; ++i) {
            ByteBuffer broken = good;
            broken[mixed(i) % broken.size()] ^= std::uint8_t(1u << mixed(i + 9999) % 8);
            static_cast<void>(ScreenTransform::create(broken));
        }
    }

    void threadsShareIt() {
        const auto transform = ScreenTransform::create(makeProfile(&kAdobe, 2.2, "x"));
        REQUIRE_OK(transform);
        const auto numbers = integers(4096, 32);
        std::vector<std::uint8_t> pixels(numbers.size() * 4), truth(pixels.size());
        std::memcpy(pixels.data(), numbers.data(), pixels.size());
        transform->apply(pixels.data(), truth.data(), numbers.size());
        std::atomic<int> wrong = 0;
        {
            std::vector<std::jthread> threads;
            for (int i = 0; i < 4; ++i)
                threads.emplace_back([&] {
                    std::vector<std::uint8_t> shown(pixels.size());
                    for (int round = 0; round < 50; ++round) {
                        transform->apply(pixels.data(), shown.data(), numbers.size());
                        wrong += shown != truth;
                    }
                });
        }
        QCOMPARE(wrong.load(), 0);
        std::vector<std::uint8_t> row;
        for (int i = 0; i < 512; ++i) row.insert(row.end(), pixels.begin(), pixels.end());
        QElapsedTimer timer;
        timer.start();
        transform->apply(row.data(), row.data(), row.size() / 4);
        qInfo("%.0f million pixels a second on one thread",
              double(row.size()) / 4e3 / double(std::max<qint64>(1, timer.elapsed())));
    }
};

WARPSCOPE_TEST(ScreenTransformTest)
#include "screen_transform_test.moc"
