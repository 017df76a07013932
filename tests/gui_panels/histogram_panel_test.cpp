// The histogram panel on a real document: what it shows, its buttons.
#include "gui/histogram/histogram_panel.h"

#include <QApplication>
#include <QLabel>
#include <QMenu>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTimer>
#include <QToolButton>
#include <QWheelEvent>
#include <QtTest>

#include "engine/image/synthetic.h"
#include "gui/histogram/histogram_view.h"
#include "gui/widgets/theme.h"
#include "gui_panels/histogram_fixture.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

class HistogramPanelTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }
    void emptyStateSaysWhatToDo() {
        HistogramFixture f;
        QVERIFY(!f.view().isVisible());
        QVERIFY(f.label("histogramEmpty").contains("Open an image"));
        QVERIFY(!f.panel.exportTo(QDir::temp().filePath("none.csv")));
        QVERIFY(!QFile::exists(QDir::temp().filePath("none.csv")));
    }

    void countsAreTheImages() {
        HistogramFixture f;
        QVERIFY(f.openScene());
        // Counted here once more, pixel by pixel.
        const Image image = f.document.image();
        std::vector<std::uint64_t> luma(256), green(256);
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) {
                const std::uint8_t* p = image.view<std::uint8_t>().row(y) + 4 * x;
                ++luma[std::size_t((19595 * p[0] + 38470 * p[1] + 7471 * p[2] + 32768) >> 16)];
                ++green[p[1]];
            }
        f.button("histogramLuma").setChecked(true);
        const double limit = f.view().verticalLimit();
        for (const HistogramSide side : {HistogramSide::Source, HistogramSide::Result})
            for (int i = 0; i < 256; ++i) {
                const auto y = [&](HistogramChannel channel) {
                    return f.view().series(side, channel)->at(1 + 2 * i).y();
                };
                QCOMPARE(y(HistogramChannel::Luma), std::min(limit, double(luma[std::size_t(i)])));
                QCOMPARE(y(HistogramChannel::Green),
                         std::min(limit, double(green[std::size_t(i)])));
            }
        QCOMPARE(f.label("histogramCaption"),
                 QString("256 bins, 19,200 pixels, luma 0.299/0.587/0.114 (BT.601); all cores"));
    }

    void followsThePipeline() {
        HistogramFixture f;
        QVERIFY(f.openScene());
        const auto* red = f.view().series(HistogramSide::Result, HistogramChannel::Red);
        const auto before = red->points();
        QSignalSpy spy(&f.bridge, &EngineBridge::histogramsReady);
        Step blur = makeStep("gaussian_blur").value();
        blur.parameters.set("sigma", 6.0);
        f.document.insertStep(0, blur);
        QTRY_VERIFY(spy.count() > 0);
        QTRY_VERIFY(red->points() != before);
        const auto& bins = f.bridge.histograms()->result.find(HistogramChannel::Red)->bins;
        const auto right = [&] {
            for (int i = 0; i < 256; ++i)
                if (red->at(1 + 2 * i).y() !=
                    std::min(f.view().verticalLimit(), double(bins[std::size_t(i)])))
                    return false;
            return true;
        };
        QTRY_VERIFY(right());
    }

    void grayImageHasLumaOnly() {
        HistogramFixture f;
        QVERIFY(f.openScene(false));
        QVERIFY(f.button("histogramLuma").isEnabled());
        for (const char* name : {"histogramRed", "histogramGreen", "histogramBlue"})
            QVERIFY(!f.button(name).isEnabled());
        QCOMPARE(f.label("histogramCaption"), QString("256 bins, 19,200 pixels; all cores"));
    }

    void togglesByMouse() {
        HistogramFixture f;
        QVERIFY(f.openScene());
        const auto click = [&](const char* name) {
            QTest::mouseClick(&f.button(name), Qt::LeftButton);
        };
        QVERIFY(f.view().options() == HistogramOptions{});
        click("histogramRed");
        QVERIFY(!f.view().options().channels.red);
        QVERIFY(!f.view().series(HistogramSide::Source, HistogramChannel::Red)->isVisible());
        click("histogramRed");
        QVERIFY(f.view().options().channels.red);
        click("histogramSource");
        QVERIFY(!f.view().series(HistogramSide::Source, HistogramChannel::Luma)->isVisible());
        click("histogramCumulative");
        QVERIFY(
            f.view().cumulativeSeries(HistogramSide::Result, HistogramChannel::Luma)->isVisible());
        const double linear = f.view().verticalLimit();
        click("histogramLog");
        QVERIFY(f.view().verticalLimit() < 6);
        click("histogramLog");
        QCOMPARE(f.view().verticalLimit(), linear);
        // Without a mouse as well.
        QTest::keyClick(&f.button("histogramBlue"), Qt::Key_Space);
        QVERIFY(!f.view().options().channels.blue);
    }

    void pixelIsMarked() {
        HistogramFixture f;
        QVERIFY(f.openScene());
        const QPoint pixel(37, 58);
        f.panel.setPixel(pixel);
        const std::uint8_t* p = f.document.image().view<std::uint8_t>().row(58) + 4 * 37;
        QCOMPARE(f.view().markPosition(HistogramChannel::Red), std::optional<double>(p[0]));
        QCOMPARE(f.view().markPosition(HistogramChannel::Blue), std::optional<double>(p[2]));
        QCOMPARE(f.view().markPosition(HistogramChannel::Luma),
                 std::optional<double>((19595 * p[0] + 38470 * p[1] + 7471 * p[2] + 32768) >> 16));
        f.panel.setPixel({-1, -1});
        QVERIFY(!f.view().markPosition(HistogramChannel::Red));
    }

    void markFollowsTheResult() {
        HistogramFixture f;
        QVERIFY(f.openScene());
        f.panel.setPixel({37, 58});
        f.document.insertStep(0, makeStep("grayscale").value());
        QTRY_VERIFY(f.bridge.result() && !isColor(f.bridge.result()->levels.front().format()));
        const std::uint8_t gray =
            f.bridge.result()->levels.front().view<std::uint8_t>().row(58)[37];
        QTRY_COMPARE(f.view().markPosition(HistogramChannel::Luma), std::optional<double>(gray));
        QVERIFY(!f.view().markPosition(HistogramChannel::Red));
    }

    // A gray image of `values`, one a pixel, and its histogram shown.
    static bool openValues(HistogramFixture& f, PixelFormat format,
                           const std::vector<double>& values) {
        auto image = MutableImage::create(format, {int(values.size()) / 100, 100}).value();
        visitSampleType(format, [&]<class T>() {
            std::size_t i = 0;
            for (int y = 0; y < 100; ++y)
                for (int x = 0; x < image.width(); ++x) image.view<T>().row(y)[x] = T(values[i++]);
        });
        ImageInfo info;
        info.whiteLevel = fullScale(format);
        f.bridge.openImage(std::move(image).freeze(info), "values");
        return waitedFor([&] {
            return f.bridge.histogramsAreCurrent() &&
                   f.bridge.histograms()->source.format == format;
        });
    }
    static void turnWheel(HistogramView& view, const QPointF& at, int notches,
                          Qt::KeyboardModifiers modifiers = {}) {
        QWheelEvent event(at, view.mapToGlobal(at), {}, QPoint(0, 120 * notches), Qt::NoButton,
                          modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(view.viewport(), &event);
    }
    static std::uint64_t between(const std::vector<double>& values, double low, double high) {
        std::uint64_t count = 0;
        for (const double v : values) count += v >= low && v <= high;
        return count;
    }

    void wheelZoomsToSingleValues() {
        HistogramFixture f;
        std::vector<double> values(10000);
        for (double& v : values) v = warpscope::test::freshRandom()->bounded(65536);
        values[0] = 65535;
        QVERIFY(openValues(f, PixelFormat::Gray16, values));
        QTRY_COMPARE(f.view().axisValueAt(f.view().plotArea().right()), 65535.5);
        const QPointF at(f.view().pixelX(30000), f.view().plotArea().center().y());
        const double under = f.view().axisValueAt(at.x());
        turnWheel(f.view(), at, 4);
        const double width = f.view().axisValueAt(f.view().plotArea().right()) -
                             f.view().axisValueAt(f.view().plotArea().left());
        QVERIFY(width < 65536 / 2.3 && width > 65536 / 2.6);
        // What was under the cursor stays, but for a bin.
        QVERIFY(std::abs(f.view().axisValueAt(at.x()) - under) < 2 * 65536 / 256);
        for (int i = 0; i < 10; ++i) turnWheel(f.view(), at, 4);
        // At most a few values left: each bin is one, counted.
        QTRY_VERIFY(f.label("histogramCaption").contains("zoomed to"));
        f.view().setHover(f.view().axisValueAt(f.view().plotArea().center().x()));
        const double value = std::round(*f.view().hover());
        QCOMPARE(f.view().readoutLines().at(1).split('\t').at(1).toULongLong(),
                 between(values, value, value));
        const double before = f.view().axisValueAt(f.view().plotArea().left());
        turnWheel(f.view(), at, -1, Qt::ShiftModifier);
        QVERIFY(f.view().axisValueAt(f.view().plotArea().left()) > before);
        QTest::mouseDClick(f.view().viewport(), Qt::LeftButton, {},
                           f.view().plotArea().center().toPoint());
        QCOMPARE(f.view().axisValueAt(f.view().plotArea().right()), 65535.5);
        QVERIFY(!f.label("histogramCaption").contains("zoomed"));
        // The same by keys.
        QTest::keyClick(&f.view(), Qt::Key_Up);
        QVERIFY(f.label("histogramCaption").contains("zoomed"));
        QTest::keyClick(&f.view(), Qt::Key_Backspace);
        QVERIFY(!f.label("histogramCaption").contains("zoomed"));
        f.view().setHover(20000);
        QTest::keyClick(&f.view(), Qt::Key_PageUp, Qt::ShiftModifier);
        QTest::keyClick(&f.view(), Qt::Key_Return);
        const double from = f.view().axisValueAt(f.view().plotArea().left());
        const double to = f.view().axisValueAt(f.view().plotArea().right());
        QVERIFY(from > 19500 && from < 20500 && to - from > 2000 && to - from < 3500);
        QTest::keyClick(&f.view(), Qt::Key_Right, Qt::ControlModifier);
        QVERIFY(f.view().axisValueAt(f.view().plotArea().left()) > from);
    }

    void oneFarPixelFlattensNothing() {
        HistogramFixture f;
        std::vector<double> values(20000);
        for (double& v : values)
            v = float(warpscope::test::freshRandom()->generateDouble() * 2 + 5);
        values[77] = 1e30f;
        values[78] = -1e30f;
        QVERIFY(openValues(f, PixelFormat::GrayF32, values));
        QTRY_VERIFY2(f.label("histogramCaption").contains("pixels beside it: 1 below, 1 above"),
                     qPrintable(f.label("histogramCaption")));
        const double left = f.view().axisValueAt(f.view().plotArea().left());
        const double right = f.view().axisValueAt(f.view().plotArea().right());
        QVERIFY(left > 4 && left < 5.01 && right > 6.99 && right < 8);
        f.view().setHover(6);
        QVERIFY(f.view().verticalLimit() < 1000);
        // Zoomed, the bins are counted anew, as narrow as they are shown.
        const QPointF at(f.view().pixelX(6.0), f.view().plotArea().center().y());
        turnWheel(f.view(), at, 8);
        const double low = f.view().axisValueAt(f.view().plotArea().left());
        const double high = f.view().axisValueAt(f.view().plotArea().right());
        QVERIFY(high - low < 1);
        const auto* series = f.view().series(HistogramSide::Result, HistogramChannel::Luma);
        QTRY_COMPARE(series->at(0).x(), low);
        QCOMPARE(series->count(), 514);
        std::uint64_t inside = 0;
        for (int i = 0; i < 256; ++i) {
            std::uint64_t truth = 0;
            for (const double v : values) {
                if (v < low || v > high) continue;
                truth += std::min(255, int((v - low) * (256 / (high - low)))) == i;
            }
            QCOMPARE(series->at(1 + 2 * i).y(), double(truth));
            inside += truth;
        }
        QVERIFY(inside > 1000);
        f.trigger("zoomToAll");
        QTRY_VERIFY(f.view().axisValueAt(f.view().plotArea().right()) > 9e29);
        f.trigger("resetZoom");
        QTRY_VERIFY(f.view().axisValueAt(f.view().plotArea().right()) < 8);
        // Of an ellipse with both far pixels in its first row exactly its own are counted.
        const RegionShape ellipse = RegionShape::ellipse({60, 0, 36, 41});
        const auto pixels = RegionRows(ellipse, ellipse.box()).pixels();
        f.document.setRegion(ellipse);
        const auto counted = [&] {
            double sum = 0;
            const auto* shown = f.view().series(HistogramSide::Result, HistogramChannel::Luma);
            for (int i = 0; shown->count() == 514 && i < 256; ++i) sum += shown->at(1 + 2 * i).y();
            return sum;
        };
        QTRY_COMPARE(counted(), double(pixels - 2));
        const QString words = f.label("histogramCaption");
        QVERIFY2(words.contains("pixels beside it: 1 below, 1 above"), qPrintable(words));
        QVERIFY2(words.contains("bins, " + groupedNumber(pixels) + " pixels"), qPrintable(words));
        QVERIFY2(words.contains("in the ellipse at 60, 0 of 36 × 41"), qPrintable(words));
    }

    void floatOfOtherRangesIsCountedInTheSameBins() {
        HistogramFixture f;
        std::vector<double> values(10000);
        for (double& v : values) v = float(warpscope::test::freshRandom()->generateDouble());
        QVERIFY(openValues(f, PixelFormat::GrayF32, values));
        Step blur = makeStep("gaussian_blur").value();
        blur.parameters.set("sigma", 3.0);
        f.document.insertStep(0, blur);
        QTRY_VERIFY(f.bridge.histogramsAreCurrent() &&
                    f.bridge.histograms()->result.high < f.bridge.histograms()->source.high);
        const auto* before = f.view().series(HistogramSide::Source, HistogramChannel::Luma);
        const auto* after = f.view().series(HistogramSide::Result, HistogramChannel::Luma);
        QTRY_VERIFY(before->isVisible() && before->count() == after->count() &&
                    before->at(0).x() == after->at(0).x() &&
                    before->at(300).x() == after->at(300).x() &&
                    before->at(513).x() == f.bridge.histograms()->source.high);
        QVERIFY(!f.label("histogramCaption").contains("left out"));
    }

    void selectionIsPassedOn() {
        HistogramFixture f;
        QVERIFY(f.openScene());
        QSignalSpy spy(&f.panel, &HistogramPanel::rangeSelected);
        f.view().setHover(100);
        QTest::keyClick(&f.view(), Qt::Key_Right, Qt::ShiftModifier);
        const auto sent = [&] { return spy.last()[0].value<std::optional<ValueHighlight>>(); };
        QVERIFY(sent() == std::optional(ValueHighlight{100, 101}));
        // Without luminance the range is that of the colours that are shown.
        f.button("histogramLuma").click();
        QVERIFY(sent() == std::optional(ValueHighlight{100, 101, {false, true, true, true}}));
        f.button("histogramRed").click();
        f.button("histogramGreen").click();
        QVERIFY(sent()->channels == ChannelSet::only(HistogramChannel::Blue));
        // Another image: the range means nothing any more.
        f.bridge.openImage(makeScene({64, 64}, true, 9, CpuContext{}).value(), "other");
        QTRY_VERIFY(!sent());
    }

    void hiddenPanelCatchesUp() {
        HistogramFixture f;
        f.panel.hide();
        f.bridge.openImage(makeScene({160, 120}, true, 3, CpuContext{}).value(), "scene");
        QTRY_VERIFY(f.bridge.histograms());
        QCOMPARE(f.view().series(HistogramSide::Result, HistogramChannel::Luma)->count(), 0);
        f.panel.show();
        QVERIFY(f.waitShown());
        QCOMPARE(f.view().series(HistogramSide::Result, HistogramChannel::Luma)->count(), 514);
    }

    void everyControlHasAName() {
        HistogramFixture f;
        for (QToolButton* button : f.panel.findChildren<QToolButton*>()) {
            QVERIFY(!button->accessibleName().isEmpty());
            QVERIFY(button->focusPolicy() & Qt::TabFocus);
        }
        QVERIFY(!f.view().accessibleName().isEmpty());
    }

    void captionIsNeverCut() {
        HistogramFixture f;
        QVERIFY(f.openScene());
        f.panel.resize(300, 220);
        auto* caption = f.panel.findChild<QLabel*>("histogramCaption");
        QTRY_VERIFY(caption->height() >= caption->heightForWidth(caption->width()));
        QVERIFY(f.view().plotArea().height() > 40);
        QVERIFY(f.panel.minimumSizeHint().width() <= 300);
    }
};

WARPSCOPE_TEST(HistogramPanelTest)
#include "histogram_panel_test.moc"
