// Against Pillow's results, as they stand in a table: its filters are the same, but it rounds to 8
// bits between the passes, so that results are within 1.
#include <cstdlib>

#include "engine/operations/geometry/resize.h"
#include "operations/geometry/resize_pillow.h"
#include "support/images.h"
#include "support/operation_run.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::test;

namespace {

int pillowSample(int x, int y, int channel) {
    return (7 * x * x + 13 * y * y + 5 * x * y + 71 * channel +
            9 * ((31 * x + 17 * y + 7 * channel) % 11)) %
           256;
}

int hexDigit(char digit) {
    return digit <= '9' ? digit - '0' : digit - 'a' + 10;
}

}  // namespace

class ResizePillowTest : public QObject {
    Q_OBJECT

  private slots:
    void withinOne() {
        int exact = 0, all = 0;
        for (const PillowResult& result : kPillowResults) {
            const Size from{result.fromWidth, result.fromHeight};
            const Size to{result.toWidth, result.toHeight};
            const bool isGray = result.channels == 1;
            std::vector<double> samples;
            for (int y = 0; y < from.height; ++y)
                for (int x = 0; x < from.width; ++x)
                    for (int c = 0; c < (isGray ? 1 : 4); ++c)
                        samples.push_back(c == 3 ? 255 : pillowSample(x, y, c));
            const Image image =
                makeImage(isGray ? PixelFormat::Gray8 : PixelFormat::Rgba8, from, samples);
            const Image made = runOn(resize_operation(),
                                     {{"width", std::to_string(to.width)},
                                      {"height", std::to_string(to.height)},
                                      {"method", result.method}},
                                     image);
            QCOMPARE(made.size(), to);
            const std::string_view theirs = result.samples;
            QCOMPARE(theirs.size(), std::size_t(2 * to.pixels() * result.channels));
            const int allowed = std::string_view(result.method) == "nearest" ? 0 : 1;
            std::size_t at = 0;
            for (int y = 0; y < to.height; ++y)
                for (int x = 0; x < to.width; ++x)
                    for (int c = 0; c < result.channels; ++c, at += 2) {
                        const int theirSample =
                            16 * hexDigit(theirs[at]) + hexDigit(theirs[at + 1]);
                        const int ours = made.view<std::uint8_t>().row(y)[x * (isGray ? 1 : 4) + c];
                        const int apart = std::abs(ours - theirSample);
                        QVERIFY2(apart <= allowed,
                                 qPrintable(QString("%1, %2 x %3 to %4 x %5, %6 channels: %7 "
                                                    "instead of %8 at %9, %10")
                                                .arg(result.method)
                                                .arg(from.width)
                                                .arg(from.height)
                                                .arg(to.width)
                                                .arg(to.height)
                                                .arg(result.channels)
                                                .arg(ours)
                                                .arg(theirSample)
                                                .arg(x)
                                                .arg(y)));
                        ++all;
                        exact += apart == 0;
                    }
        }
        qInfo("%d of %d samples are the same", exact, all);
        QVERIFY(exact > all * 4 / 5);
    }
};

WARPSCOPE_TEST(ResizePillowTest)
#include "resize_pillow_test.moc"
