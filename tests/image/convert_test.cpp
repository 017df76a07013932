#include "engine/image/convert.h"
#include "support/test_case.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace warpscope;

namespace {

template <class T>
Image row(PixelFormat format, const std::vector<T>& samples, double white) {
    const int width = int(samples.size()) / channelCount(format);
    MutableImage made = MutableImage::create(format, {width, 1}).value();
    std::copy(samples.begin(), samples.end(), made.view<T>().row(0));
    ImageInfo info;
    info.whiteLevel = white;
    return std::move(made).freeze(std::move(info));
}

std::vector<int> bytesOf(const Image& image) {
    const auto view = image.view<std::uint8_t>();
    return {view.row(0), view.row(0) + view.samplesPerRow()};
}

}  // namespace

class ConvertTest : public QObject {
    Q_OBJECT
  private slots:
    void sixteenToEightIsTheNearest() {
        // (v 255 + 32,895) >> 16 is v / 257 rounded, for all 65,536 values.
        for (int v = 0; v < 65536; ++v)
            QCOMPARE(int(narrowSample(std::uint16_t(v))), int(std::floor(v / 257.0 + 0.5)));
    }
    void sixteenBitImages() {
        const Image image =
            row<std::uint16_t>(PixelFormat::Gray16, {0, 128, 129, 32896, 65535}, 65535);
        QCOMPARE(bytesOf(toEightBit(image, CpuContext{}).value()),
                 (std::vector<int>{0, 0, 1, 128, 255}));
    }
    void whiteLevelOf4095() {
        const Image image = row<std::uint16_t>(PixelFormat::Gray16, {0, 2048, 4095, 5000}, 4095);
        QCOMPARE(bytesOf(toEightBit(image, naturalRange(image), CpuContext{}).value()),
                 (std::vector<int>{0, 128, 255, 255}));
        const Image narrow = toEightBit(image, CpuContext{}).value();
        QCOMPARE(bytesOf(narrow), (std::vector<int>{0, 128, 255, 255}));
        QCOMPARE(narrow.info().whiteLevel, 255.0);
        // Alpha of the file ends at the white level too; one that a reader filled in is larger.
        const Image color =
            row<std::uint16_t>(PixelFormat::Rgba16, {0, 2048, 4095, 4095, 4095, 0, 0, 65535}, 4095);
        QCOMPARE(bytesOf(toEightBit(color, CpuContext{}).value()),
                 (std::vector<int>{0, 128, 255, 255, 255, 0, 0, 255}));
    }
    void floatClampsAndNanIsZero() {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const float inf = std::numeric_limits<float>::infinity();
        const Image image =
            row<float>(PixelFormat::GrayF32, {-1.f, 0.f, 0.5f, 1.f, 7.f, nan, inf, -inf}, 1);
        QCOMPARE(bytesOf(toEightBit(image, CpuContext{}).value()),
                 (std::vector<int>{0, 0, 128, 255, 255, 0, 255, 0}));
    }
    void rangeLeavesAlphaAlone() {
        const Image image = row<std::uint8_t>(PixelFormat::Rgba8, {10, 20, 30, 128}, 255);
        QCOMPARE(bytesOf(toEightBit(image, {10, 30}, CpuContext{}).value()),
                 (std::vector<int>{0, 128, 255, 128}));
    }
    void eightBitsAreShared() {
        const Image image = row<std::uint8_t>(PixelFormat::Gray8, {1, 2, 3}, 255);
        QCOMPARE(toEightBit(image, CpuContext{}).value().id(), image.id());
        const Image dim = row<std::uint8_t>(PixelFormat::Gray8, {1, 50, 100}, 100);
        QCOMPARE(toEightBit(dim, CpuContext{}).value().id(), dim.id());
    }
    void emptyRange() {
        const Image image = row<std::uint8_t>(PixelFormat::Gray8, {1, 2, 3}, 255);
        QCOMPARE(bytesOf(toEightBit(image, {2, 2}, CpuContext{}).value()),
                 (std::vector<int>{0, 0, 255}));
    }
    void sumsUseTheirOwnRange() {
        const Image image =
            row<std::uint64_t>(PixelFormat::Gray64, {0, 5'000'000'000, 10'000'000'000}, 1e19);
        QCOMPARE(bytesOf(toEightBit(image, CpuContext{}).value()), (std::vector<int>{0, 128, 255}));
    }
};

WARPSCOPE_TEST(ConvertTest)
#include "convert_test.moc"
