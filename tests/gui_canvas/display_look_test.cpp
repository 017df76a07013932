// What the screen shows of samples, against a slow scalar truth: exposure, gamma, one channel,
// false colours, clipping.
#include <QRandomGenerator>
#include <cmath>
#include <limits>

#include "gui/display/display_levels.h"
#include "gui/display/display_settings.h"
#include "gui_canvas/canvas_fixture.h"
#include "support/test_case.h"

namespace warpscope::gui {

using namespace warpscope::test;

namespace {

double chance() {
    return warpscope::test::freshRandom()->generateDouble();
}

int below(int n) {
    return warpscope::test::freshRandom()->bounded(n);
}

Image randomImage(PixelFormat format) {
    const Size size{1 + below(70), 1 + below(40)};
    auto image = MutableImage::create(format, size).value();
    ImageInfo info;
    info.whiteLevel = isFloat(format) ? 1.0 : fullScale(format);
    info.hasAlpha = isColor(format) && below(2) == 0;
    visitSampleType(format, [&]<class T>() {
        const auto view = image.view<T>();
        for (int y = 0; y < size.height; ++y)
            for (int i = 0; i < view.samplesPerRow(); ++i) {
                T& sample = view.row(y)[i];
                if constexpr (std::is_floating_point_v<T>) {
                    const T odd[] = {std::numeric_limits<T>::quiet_NaN(),
                                     std::numeric_limits<T>::infinity(),
                                     -std::numeric_limits<T>::infinity(), T(1e30)};
                    const int which = below(200);
                    sample = which < 4 ? odd[which] : T(chance() * 1.6 - 0.3);
                } else {
                    sample = T(chance() * double(std::numeric_limits<T>::max()));
                }
            }
    });
    return std::move(image).freeze(std::move(info));
}

ViewLook randomView(bool scalar) {
    ViewLook view;
    if (below(2)) view.stops = chance() * 6 - 3;
    if (below(2)) view.gamma = 0.3 + chance() * 3;
    if (!scalar) return view;
    view.channel = kAllViewChannels[below(5)];
    view.map = kAllColorMaps[view.channel == ViewChannel::All ? 1 + below(6) : below(7)];
    return view;
}

int trueLevel(double v, DisplayRange range, bool logarithmic, const ViewLook& view) {
    const bool curved = logarithmic || view.gamma != 1;
    const double top = curved ? 65535.0 : 255.0;
    const double at = (v - range.low) * (top / (range.high - range.low) * std::exp2(view.stops));
    const double place = !(at > 0) ? 0 : std::floor(std::min(at, top) + 0.5);
    if (!curved) return int(place);
    double t = place / 65535;
    if (logarithmic) t = logarithmicTone(t);
    if (view.gamma != 1) t = std::pow(t, 1 / view.gamma);
    return int(255 * t + 0.5);
}

ScreenColor markFor(double v) {
    return std::isnan(v) ? kNaNColor : v > 0 ? kInfColor : kMinusInfColor;
}

// One pixel as it must be; alpha apart.
template <class T>
ScreenColor trueColor(const Image& image, const T* p, DisplayRange range, bool logarithmic,
                      const ViewLook& view) {
    const bool color = isColor(image.format());
    if (color && !view.isScalar()) {
        for (int c = 0; c < (image.info().hasAlpha ? 4 : 3); ++c)
            if (!std::isfinite(double(p[c]))) return markFor(double(p[c]));
        const auto level = [&](int c) {
            return std::uint8_t(trueLevel(double(p[c]), range, logarithmic, view));
        };
        return {level(0), level(1), level(2)};
    }
    double v = double(p[0]);
    // Numbers of things: no range, no tone.
    if (!color && !isFloat(image.format()) && view.map == ColorMap::Labels)
        return colorsOf(view.map)[v == 0 ? 0 : std::size_t(std::fmod(v - 1, 255)) + 1];
    bool alpha = false;
    if (color && view.channel != ViewChannel::All) {
        v = double(p[int(view.channel) - 1]);
        alpha = view.channel == ViewChannel::Alpha;
    } else if (color) {
        v = (19595.0 * double(p[0]) + 38470.0 * double(p[1]) + 7471.0 * double(p[2])) / 65536;
        if (std::is_integral_v<T>) v = std::floor(v + 0.5);
    }
    if (!std::isfinite(v)) return markFor(v);
    const int level = alpha ? trueLevel(v, {0, image.info().whiteLevel}, false, {})
                            : trueLevel(v, range, logarithmic, view);
    return view.map == ColorMap::None
               ? ScreenColor{std::uint8_t(level), std::uint8_t(level), std::uint8_t(level)}
               : colorsOf(view.map)[std::size_t(level)];
}

ScreenColor shownColor(const Image& screen, int x, int y) {
    const auto view = screen.view<std::uint8_t>();
    const std::uint8_t* p = view.row(y) + std::ptrdiff_t(x) * view.channels;
    return view.channels == 1 ? ScreenColor{p[0], p[0], p[0]} : ScreenColor{p[0], p[1], p[2]};
}

}  // namespace

class DisplayLookTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

    void screenIsTheTruth_data() {
        QTest::addColumn<int>("format");
        for (const PixelFormat format :
             {PixelFormat::Gray8, PixelFormat::Rgba8, PixelFormat::Gray16, PixelFormat::Rgba16,
              PixelFormat::GrayF32, PixelFormat::RgbaF32, PixelFormat::Gray32})
            QTest::newRow(std::string(formatName(format)).c_str()) << int(format);
    }
    void screenIsTheTruth() {
        QFETCH(int, format);
        for (int round = 0; round < 40; ++round) {
            const Image image = randomImage(PixelFormat(format));
            const double full = fullScale(image.format());
            const double low = (chance() - 0.3) * 0.5 * full;
            const DisplayRange range{low, low + (0.05 + chance()) * full};
            const bool logarithmic = below(3) == 0;
            const ViewLook view = randomView(round % 2 == 0);
            // That way of integers is tested beside toEightBit.
            if (!logarithmic && view.isNatural() && !isFloat(image.format())) continue;
            const auto screen = toScreen(image, range, logarithmic, view);
            QVERIFY(screen);
            ViewLook seen = view;
            if (!isColor(image.format())) seen.channel = ViewChannel::All;
            visitSampleType(image.format(), [&]<class T>() {
                const auto samples = image.view<T>();
                for (int y = 0; y < image.height(); ++y)
                    for (int x = 0; x < image.width(); ++x)
                        QVERIFY2(
                            shownColor(*screen, x, y) ==
                                trueColor(image, samples.row(y) + x * samples.channels, range,
                                          logarithmic, seen),
                            qPrintable(
                                QStringLiteral("round %1 at %2, %3").arg(round).arg(x).arg(y)));
            });
        }
    }

    // More samples than a table has: it gives what the same samples give one by one.
    void tablesGiveTheSame() {
        const Image image = makeImage<std::uint16_t>(
            PixelFormat::Gray16, {300, 300},
            [](int x, int y, int) { return std::uint16_t((y * 300 + x) * 7); });
        ViewLook view;
        view.stops = 1.3;
        view.gamma = 2.2;
        const DisplayRange range{1000, 50000};
        const auto all = toScreen(image, range, false, view);
        QVERIFY(all);
        for (int i = 0; i < 500; ++i) {
            const int x = below(300), y = below(300);
            const auto one = toScreen(image.crop({x, y, 1, 1}), range, false, view);
            QVERIFY(shownColor(*all, x, y) == shownColor(*one, 0, 0));
        }
    }

    void zebraMarksWhatIsClippedInAnyOfItsSamples() {
        for (int round = 0; round < 20; ++round) {
            const int stride = 1 << below(3);
            const Size size{1 + below(60), 1 + below(40)};
            const ViewChannel channel = kAllViewChannels[below(4)];
            const Image samples =
                makeImage<std::uint8_t>(PixelFormat::Rgba8, size, [](int, int, int c) {
                    const int v = below(40);
                    return std::uint8_t(c == 3 ? 0 : v == 0 ? 200 : v == 1 ? 20 : 100);
                });
            const Size small{(size.width + stride - 1) / stride,
                             (size.height + stride - 1) / stride};
            const Image screen = noisyImage(small, round);
            const auto marked = zebraScreen(screen, samples, 0, 0, stride, {20, 200}, channel);
            QVERIFY(marked);
            for (int y = 0; y < small.height; ++y)
                for (int x = 0; x < small.width; ++x) {
                    bool under = false, over = false;
                    for (int sy = y * stride; sy < std::min(size.height, (y + 1) * stride); ++sy)
                        for (int sx = x * stride; sx < std::min(size.width, (x + 1) * stride); ++sx)
                            for (int c = 0; c < 3; ++c) {
                                if (channel != ViewChannel::All && c != int(channel) - 1) continue;
                                const int v = samples.view<std::uint8_t>().row(sy)[4 * sx + c];
                                under = under || v <= 20;
                                over = over || v >= 200;
                            }
                    const int stripe = (x + y) / 4 % 2;
                    const ScreenColor wanted = over    ? kOverColors[stripe]
                                               : under ? kUnderColors[stripe]
                                                       : shownColor(screen, x, y);
                    QVERIFY(shownColor(*marked, x, y) == wanted);
                }
        }
    }

    void mapsBeginDarkAndTellLevelsApart() {
        for (const ColorMap map : kAllColorMaps) {
            QVERIFY(!nameOf(map).isEmpty());
            if (map == ColorMap::None) continue;
            const auto& colors = colorsOf(map);
            int alike = 0;
            for (std::size_t i = 1; i < 256; ++i) alike += colors[i] == colors[i - 1];
            QVERIFY2(alike < 12, qPrintable(nameOf(map)));
            const auto luma = [](ScreenColor c) { return 299 * c.r + 587 * c.g + 114 * c.b; };
            if (map == ColorMap::Diverging || map == ColorMap::Labels) continue;
            for (std::size_t i = 8; i < 256; ++i)
                QVERIFY2(luma(colors[i]) > luma(colors[i - 8]), qPrintable(nameOf(map)));
        }
        // Neighbouring numbers are told apart, and 0 is nothing.
        const auto& labels = colorsOf(ColorMap::Labels);
        QVERIFY(labels[0] == (ScreenColor{0, 0, 0}));
        for (std::size_t i = 1; i < 256; ++i)
            for (std::size_t j = i + 1; j < std::min<std::size_t>(i + 8, 256); ++j)
                QVERIFY(std::abs(labels[i].r - labels[j].r) + std::abs(labels[i].g - labels[j].g) +
                            std::abs(labels[i].b - labels[j].b) >
                        60);
        // As published.
        QVERIFY(std::abs(colorsOf(ColorMap::Viridis)[0].r - 68) <= 4);
        QVERIFY(std::abs(colorsOf(ColorMap::Viridis)[255].r - 253) <= 8);
        QVERIFY(std::abs(colorsOf(ColorMap::Viridis)[128].g - 144) <= 4);
        QVERIFY(std::abs(colorsOf(ColorMap::Magma)[128].r - 183) <= 8);
    }

    void canvasShowsTheLookAndSaysIt() {
        CanvasFixture f;
        DisplaySettings display;
        f.canvas.setDisplay(display);
        const Image image = plainImage({40, 30}, 20, 60, 200);
        f.show(pyramidOf(image), pyramidOf(image));
        display.setImages(image, image);
        QCOMPARE(f.colorOf({20, 15}), QColor(20, 60, 200));
        ViewLook look;
        look.channel = ViewChannel::Blue;
        display.setView(look);
        QCOMPARE(f.colorOf({20, 15}), QColor(200, 200, 200));
        look.channel = ViewChannel::All;
        look.stops = 1;
        display.setView(look);
        QCOMPARE(f.colorOf({20, 15}), QColor(40, 120, 255));
        QVERIFY(display.describe(image).contains(QStringLiteral("exposure +1")));
        look.zebra = true;
        display.setView(look);
        QCOMPARE(f.colorOf({20, 15}).green(), 0);  // over, as blue is beyond white
        look.zebra = false;
        look.map = ColorMap::Fire;
        look.stops = 0;
        display.setView(look);
        const int luma = (19595 * 20 + 38470 * 60 + 7471 * 200 + 32768) >> 16;
        const ScreenColor wanted = colorsOf(ColorMap::Fire)[std::size_t(luma)];
        QCOMPARE(f.colorOf({20, 15}), QColor(wanted.r, wanted.g, wanted.b));
        QVERIFY(!display.isNatural());
        display.resetLook();
        QVERIFY(display.isNatural() && display.describe(image).isEmpty());
        QCOMPARE(f.colorOf({20, 15}), QColor(20, 60, 200));
        look.stops = 1000;
        display.setView(look);
        QCOMPARE(display.view().stops, kMostStops);
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::DisplayLookTest)
#include "display_look_test.moc"
