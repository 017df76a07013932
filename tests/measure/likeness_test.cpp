// Errors, PSNR and SSIM of two images against sums over all samples and over every window.
#include "engine/measure/likeness.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "support/images.h"
#include "support/test_case.h"

using namespace warpscope;

namespace {

std::vector<ChannelLikeness> likenessOn(const Image& a, const Image& b,
                                        Threading threading = Threading::AllCores) {
    CpuContext context;
    context.threading = threading;
    auto found = likenessOf(a, b, context);
    if (!found) throw std::runtime_error(found.error().message);
    return *found;
}

const ChannelLikeness& rowOf(const std::vector<ChannelLikeness>& rows, const std::string& name) {
    for (const ChannelLikeness& row : rows)
        if (row.channel == name) return row;
    throw std::runtime_error("no row " + name);
}

// One value a pixel, of the channel or of luma.
std::vector<long double> plane(const Image& image, const std::string& name) {
    std::vector<long double> values;
    visitSampleType(image.format(), [&]<class T>() {
        const auto view = image.view<T>();
        for (int y = 0; y < view.height; ++y)
            for (int x = 0; x < view.width; ++x) {
                const T* p = view.row(y) + std::ptrdiff_t(x) * view.channels;
                const auto at = [&](int c) { return (long double)(p[c]); };
                if (name == "gray" || name == "red") values.push_back(at(0));
                if (name == "green") values.push_back(at(1));
                if (name == "blue") values.push_back(at(2));
                if (name == "alpha") values.push_back(at(3));
                if (name == "luma")
                    values.push_back(0.299L * at(0) + 0.587L * at(1) + 0.114L * at(2));
            }
    });
    return values;
}

struct Truth {
    long double squared = 0, absolute = 0, largest = 0, ssim = 0;
    std::uint64_t notFinite = 0;
};

Truth truthOf(const Image& a, const Image& b, const std::string& name) {
    const auto first = plane(a, name), second = plane(b, name);
    Truth truth;
    for (std::size_t i = 0; i < first.size(); ++i) {
        if (!std::isfinite(first[i]) || !std::isfinite(second[i])) {
            ++truth.notFinite;
            continue;
        }
        const long double apart = std::abs(first[i] - second[i]);
        truth.squared += apart * apart;
        truth.absolute += apart;
        truth.largest = std::max(truth.largest, apart);
    }
    const auto count = (long double)(first.size() - truth.notFinite);
    truth.squared /= count;
    truth.absolute /= count;
    const long double full = fullScale(a.format());
    const long double c1 = 0.0001L * full * full, c2 = 0.0009L * full * full;
    long double sum = 0;
    int windows = 0;
    for (int y = 5; y + 5 < a.height(); ++y)
        for (int x = 5; x + 5 < a.width(); ++x) {
            const auto sumOf = [&](auto&& value) {
                long double weights = 0, all = 0;
                for (int dy = -5; dy <= 5; ++dy)
                    for (int dx = -5; dx <= 5; ++dx) {
                        const long double weight = std::exp(-(dx * dx + dy * dy) / 4.5L);
                        weights += weight;
                        all += weight * value(std::size_t((y + dy) * a.width() + x + dx));
                    }
                return all / weights;
            };
            const long double meanA = sumOf([&](std::size_t i) { return first[i]; });
            const long double meanB = sumOf([&](std::size_t i) { return second[i]; });
            const auto apart = [&](std::size_t i, bool ofA) {
                return ofA ? first[i] - meanA : second[i] - meanB;
            };
            const auto moment = [&](bool one, bool other) {
                return sumOf([&](std::size_t i) { return apart(i, one) * apart(i, other); });
            };
            const long double value = (2 * meanA * meanB + c1) * (2 * moment(true, false) + c2) /
                                      ((meanA * meanA + meanB * meanB + c1) *
                                       (moment(true, true) + moment(false, false) + c2));
            if (!std::isfinite(value)) continue;
            sum += value;
            ++windows;
        }
    truth.ssim = windows ? sum / windows : std::nanl("");
    return truth;
}

bool near(double found, long double expected, double tolerance = 1e-9) {
    if (std::isnan(expected)) return std::isnan(found);
    return std::abs(found - expected) <= tolerance * std::max(1.0L, std::abs(expected));
}

void compareWithTruth(const Image& a, const Image& b) {
    const auto rows = likenessOn(a, b);
    for (const ChannelLikeness& row : rows) {
        if (row.channel == "all") continue;
        const Truth truth = truthOf(a, b, row.channel);
        const double full = fullScale(a.format());
        QCOMPARE(row.samples, std::uint64_t(a.size().pixels()));
        QCOMPARE(row.notFinite, truth.notFinite);
        QVERIFY(near(row.meanSquared, truth.squared));
        QVERIFY(near(row.rootMeanSquared, std::sqrt(truth.squared)));
        QVERIFY(near(row.meanAbsolute, truth.absolute));
        QVERIFY(near(row.largest, truth.largest));
        QVERIFY(near(row.psnr, 10 * std::log10(full * full / truth.squared)));
        QVERIFY2(near(row.ssim, truth.ssim, 1e-8),
                 qPrintable(QStringLiteral("%1: %2, not %3")
                                .arg(QString::fromStdString(row.channel))
                                .arg(row.ssim, 0, 'g', 17)
                                .arg(double(truth.ssim), 0, 'g', 17)));
    }
    if (!isColor(a.format())) return;
    const ChannelLikeness& all = rowOf(rows, "all");
    double squared = 0, ssim = 0, largest = 0;
    for (const char* name : {"red", "green", "blue"}) {
        const ChannelLikeness& row = rowOf(rows, name);
        squared += row.meanSquared * double(row.samples - row.notFinite);
        ssim += row.ssim / 3;
        largest = std::max(largest, row.largest);
    }
    QVERIFY(near(all.meanSquared, squared / double(all.samples - all.notFinite)));
    QVERIFY(near(all.ssim, ssim));
    QCOMPARE(all.largest, largest);
}

const PixelFormat kPictures[] = {PixelFormat::Gray8,  PixelFormat::Rgba8,   PixelFormat::Gray16,
                                 PixelFormat::Rgba16, PixelFormat::GrayF32, PixelFormat::RgbaF32};

}  // namespace

class LikenessTest : public QObject {
    Q_OBJECT
  private slots:
    void againstTheDefinition() {
        const auto seed = warpscope::test::freshSeed();
        qInfo("seed %u", seed);
        // 267: a second strip of one column; 43 rows: more than a band.
        for (const PixelFormat format : kPictures)
            for (const Size size : {Size{23, 43}, Size{11, 11}, Size{12, 11}, Size{267, 12}})
                compareWithTruth(test::makePhotograph(format, size, seed),
                                 test::misaligned(test::makeNoise(format, size, seed + 1)));
    }
    void identical() {
        for (const PixelFormat format : kAllPixelFormats) {
            const Image image = test::makeNoise(format, {31, 17}, warpscope::test::freshSeed());
            for (const ChannelLikeness& row : likenessOn(image, test::misaligned(image))) {
                QCOMPARE(row.largest, 0.0);
                QVERIFY(std::isinf(row.psnr) && row.psnr > 0);
                QVERIFY(near(row.ssim, 1));
            }
        }
    }
    void constant() {
        const auto rows = likenessOn(test::makeConstant(PixelFormat::Gray8, {19, 13}, 100),
                                     test::makeConstant(PixelFormat::Gray8, {19, 13}, 103));
        QCOMPARE(rows.size(), std::size_t(1));
        QCOMPARE(rows[0].meanSquared, 9.0);
        QCOMPARE(rows[0].rootMeanSquared, 3.0);
        QVERIFY(near(rows[0].psnr, 10 * std::log10(255.0 * 255 / 9)));
        const double c1 = 2.55 * 2.55;
        QVERIFY(near(rows[0].ssim, (2 * 100 * 103 + c1) / (100 * 100 + 103 * 103 + c1)));
    }
    // There is no window: everything else is there.
    void smallerThanTheWindow() {
        for (const Size size : {Size{10, 40}, Size{40, 10}, Size{1, 1}, Size{1, 30}})
            compareWithTruth(test::makeNoise(PixelFormat::Rgba16, size, 3),
                             test::makeNoise(PixelFormat::Rgba16, size, 4));
        const auto rows = likenessOn(test::makeNoise(PixelFormat::Gray8, {10, 40}, 3),
                                     test::makeNoise(PixelFormat::Gray8, {10, 40}, 4));
        QVERIFY(std::isnan(rows[0].ssim) && rows[0].rootMeanSquared > 0);
    }
    void notFinite() {
        const auto put = [](float value) {
            std::mt19937 random(5);
            std::vector<double> samples;
            for (int i = 0; i < 30 * 26; ++i) samples.push_back(double(random() % 1000) / 1000);
            samples[3 * 30 + 4] = double(value);
            return test::makeImage(PixelFormat::GrayF32, {30, 26}, samples);
        };
        const float inf = std::numeric_limits<float>::infinity();
        const Image plain = test::makeNoise(PixelFormat::GrayF32, {30, 26}, 8);
        for (const float value : {std::nanf(""), inf, -inf}) {
            compareWithTruth(put(value), plain);
            compareWithTruth(plain, put(value));
            const auto rows = likenessOn(put(value), put(value));
            QCOMPARE(rows[0].notFinite, std::uint64_t(1));
            QVERIFY(std::isinf(rows[0].psnr));
            QVERIFY(near(rows[0].ssim, 1));
        }
        const Image none = test::makeConstant(PixelFormat::GrayF32, {20, 20}, std::nan(""));
        const auto rows = likenessOn(none, none);
        QVERIFY(std::isnan(rows[0].rootMeanSquared) && std::isnan(rows[0].ssim) &&
                std::isnan(rows[0].psnr) && std::isnan(rows[0].largest));
    }
    void alphaOnlyWhereItSaysSomething() {
        const auto namesOf = [](const std::vector<ChannelLikeness>& rows) {
            std::string names;
            for (const auto& row : rows) names += row.channel + " ";
            return names;
        };
        const Image full = test::makeConstant(PixelFormat::Rgba8, {12, 12}, 255);
        const Image noise = test::makeNoise(PixelFormat::Rgba8, {12, 12}, 1);
        QCOMPARE(namesOf(likenessOn(full, full)), std::string("red green blue luma all "));
        QCOMPARE(namesOf(likenessOn(full, noise)), std::string("red green blue alpha luma all "));
    }
    void threadsChangeNoBit() {
        const Image a = test::makeNoise(PixelFormat::RgbaF32, {301, 203}, 1);
        const Image b = test::makePhotograph(PixelFormat::RgbaF32, {301, 203});
        const auto one = likenessOn(a, b, Threading::Single), many = likenessOn(a, b);
        QCOMPARE(one.size(), many.size());
        for (std::size_t i = 0; i < one.size(); ++i) {
            QVERIFY(one[i].meanSquared == many[i].meanSquared);
            QVERIFY(one[i].ssim == many[i].ssim);
        }
    }
    void refused() {
        const Image image = test::makeNoise(PixelFormat::Gray8, {20, 15}, 1);
        const auto size = likenessOf(image, test::makeNoise(PixelFormat::Gray8, {15, 20}, 1), {});
        QVERIFY(!size && size.error().code == ErrorCode::InvalidArgument);
        QCOMPARE(size.error().message,
                 std::string("images of 20 x 15 and 15 x 20 pixels cannot be compared"));
        const auto format =
            likenessOf(image, test::makeNoise(PixelFormat::Gray16, {20, 15}, 1), {});
        QVERIFY(!format && format.error().message.find("Gray16") != std::string::npos);
        QVERIFY(!likenessOf(image, Image(), {}));
        std::stop_source stop;
        stop.request_stop();
        const auto stopped = likenessOf(image, image, {Threading::AllCores, stop.get_token(), {}});
        QVERIFY(!stopped && stopped.error().code == ErrorCode::Cancelled);
    }
    void table() {
        const Image image = test::makeNoise(PixelFormat::Rgba8, {20, 15}, 1);
        const auto rows = likenessOn(image, image);
        const AnalysisTable table = likenessTable(rows);
        QCOMPARE(table.rows(), rows.size());
        QCOMPARE(table.columns[7].id, std::string("psnr"));
        for (const TableColumn& column : table.columns) QCOMPARE(column.cells.size(), rows.size());
    }
};

WARPSCOPE_TEST(LikenessTest)

#include "likeness_test.moc"
