// The histogram panel on a real document: what it shows, its buttons, its files.
#include "gui/histogram/histogram_panel.h"

#include <QClipboard>
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

#include "engine/image/synthetic.h"
#include "gui/histogram/histogram_view.h"
#include "gui/widgets/theme.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

namespace {
constexpr Size kSize{160, 120};

struct Fixture {
    Document document;
    EngineBridge bridge{document, [] { return BackendSet::cpuOnly("test reason"); }};
    HistogramPanel panel{document, bridge};

    Fixture() {
        panel.resize(480, 320);
        panel.show();
        (void)QTest::qWaitForWindowExposed(&panel);
    }
    bool openScene(bool color = true) {
        bridge.openImage(makeScene(kSize, color, 3, CpuContext{}).value(), "scene");
        return QTest::qWaitFor([&] { return bridge.histograms() && bridge.resultIsCurrent(); }) &&
               waitShown();
    }
    // Bursts are shown a moment later.
    bool waitShown() {
        return QTest::qWaitFor([&] {
            const Histogram* luma = bridge.histograms()->result.find(HistogramChannel::Luma);
            const auto* series = view().series(HistogramSide::Result, HistogramChannel::Luma);
            if (!luma || series->count() != 514) return false;
            for (int i = 0; i < 256; ++i)
                if (series->at(1 + 2 * i).y() > double(luma->bins[std::size_t(i)])) return false;
            return view().isVisible();
        });
    }
    HistogramView& view() { return *panel.findChild<HistogramView*>("histogramView"); }
    QToolButton& button(const char* name) {
        return *panel.findChild<QToolButton*>(QLatin1String(name));
    }
    QString label(const char* name) {
        return panel.findChild<QLabel*>(QLatin1String(name))->text();
    }
    void trigger(const char* action) {
        emit button("histogramMenu").menu()->aboutToShow();
        button("histogramMenu").menu()->findChild<QAction*>(QLatin1String(action))->trigger();
    }
};

QByteArray contents(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
}  // namespace

class HistogramPanelTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }
    void emptyStateSaysWhatToDo() {
        Fixture f;
        QVERIFY(!f.view().isVisible());
        QVERIFY(f.label("histogramEmpty").contains("Open an image"));
        QVERIFY(!f.panel.exportTo(QDir::temp().filePath("none.csv")));
        QVERIFY(!QFile::exists(QDir::temp().filePath("none.csv")));
    }

    void countsAreTheImages() {
        Fixture f;
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
        Fixture f;
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
        Fixture f;
        QVERIFY(f.openScene(false));
        QVERIFY(f.button("histogramLuma").isEnabled());
        for (const char* name : {"histogramRed", "histogramGreen", "histogramBlue"})
            QVERIFY(!f.button(name).isEnabled());
        QCOMPARE(f.label("histogramCaption"), QString("256 bins, 19,200 pixels; all cores"));
    }

    void togglesByMouse() {
        Fixture f;
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
        Fixture f;
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
        Fixture f;
        QVERIFY(f.openScene());
        f.panel.setPixel({37, 58});
        f.document.insertStep(0, makeStep("grayscale").value());
        QTRY_VERIFY(f.bridge.result() && !isColor(f.bridge.result()->levels.front().format()));
        const std::uint8_t gray =
            f.bridge.result()->levels.front().view<std::uint8_t>().row(58)[37];
        QTRY_COMPARE(f.view().markPosition(HistogramChannel::Luma), std::optional<double>(gray));
        QVERIFY(!f.view().markPosition(HistogramChannel::Red));
    }

    void selectionIsPassedOn() {
        Fixture f;
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

    void exportsCsv() {
        Fixture f;
        QVERIFY(f.openScene());
        QTemporaryDir folder;
        const QString path = folder.filePath("counts.csv");
        QVERIFY(f.panel.exportTo(path));
        const QList<QByteArray> lines = contents(path).split('\n');
        QCOMPARE(lines.size(), qsizetype(258));
        QCOMPARE(lines[0],
                 QByteArray("bin,source_value,source_luma,source_red,source_green,source_blue,"
                            "result_value,result_luma,result_red,result_green,result_blue"));
        const HistogramSet& set = f.bridge.histograms()->result;
        QByteArray counts;
        for (const Histogram& histogram : set.channels)
            counts += ',' + QByteArray::number(qulonglong(histogram.bins[93]));
        QCOMPARE(lines[94], "93,93" + counts + ",93" + counts);
    }

    void exportsPictures() {
        Fixture f;
        QVERIFY(f.openScene());
        QTemporaryDir folder;
        QVERIFY(f.panel.exportTo(folder.filePath("picture.png")));
        const QImage png(folder.filePath("picture.png"));
        QCOMPARE(png.size(), QSize(1920, 1080));
        QVERIFY(f.panel.exportTo(folder.filePath("drawing.SVG")));
        QSvgRenderer svg(folder.filePath("drawing.SVG"));
        QVERIFY(svg.isValid());
        QCOMPARE(svg.viewBox(), QRect(0, 0, 960, 540));
        const QByteArray text = contents(folder.filePath("drawing.SVG"));
        QVERIFY(text.contains("(BT.601)"));
        // Both have curves in them, not only a background.
        QImage drawn(960, 540, QImage::Format_RGB32);
        QPainter painter(&drawn);
        svg.render(&painter);
        painter.end();
        for (const QImage& picture : {png.scaled(960, 540), drawn}) {
            int colorful = 0;
            for (int y = 0; y < 540; y += 2)
                for (int x = 0; x < 960; x += 2)
                    colorful += picture.pixelColor(x, y).saturation() > 80;
            QVERIFY2(colorful > 500, qPrintable(QString::number(colorful)));
        }
    }

    void failedExportIsShown() {
        Fixture f;
        QVERIFY(f.openScene());
        QSignalSpy spy(&f.panel, &HistogramPanel::messageRaised);
        QTemporaryDir folder;
        QVERIFY(!f.panel.exportTo(folder.filePath("no/such/folder/a.csv")));
        QCOMPARE(spy.count(), 1);
        const QString shown = f.label("histogramCaption");
        QVERIFY2(shown.contains("a.csv"), qPrintable(shown));
        QCOMPARE(spy.last().at(0).toString(), shown);
        QVERIFY(!f.panel.exportTo(folder.filePath("a.bmp")));
        QVERIFY(f.label("histogramCaption").contains(".png, .svg or .csv"));
        QVERIFY(f.panel.exportTo(folder.filePath("a.csv")));
        QVERIFY(f.label("histogramCaption").startsWith("256 bins"));
        // Another image takes an old failure away.
        QVERIFY(!f.panel.exportTo(folder.filePath("a.bmp")));
        f.bridge.openImage(makeScene({64, 64}, true, 9, CpuContext{}).value(), "other");
        QTRY_VERIFY(f.label("histogramCaption").startsWith("256 bins, 4,096 pixels"));
    }

    void copies() {
        Fixture f;
        QVERIFY(f.openScene());
        f.trigger("copyCounts");
        QCOMPARE(QApplication::clipboard()->text(),
                 histogramCsv(&f.bridge.histograms()->source, &f.bridge.histograms()->result));
        f.trigger("copyPicture");
        QCOMPARE(QApplication::clipboard()->image().size(), QSize(1920, 1080));
    }

    void hiddenPanelCatchesUp() {
        Fixture f;
        f.panel.hide();
        f.bridge.openImage(makeScene(kSize, true, 3, CpuContext{}).value(), "scene");
        QTRY_VERIFY(f.bridge.histograms());
        QCOMPARE(f.view().series(HistogramSide::Result, HistogramChannel::Luma)->count(), 0);
        f.panel.show();
        QVERIFY(f.waitShown());
        QCOMPARE(f.view().series(HistogramSide::Result, HistogramChannel::Luma)->count(), 514);
    }

    void everyControlHasAName() {
        Fixture f;
        for (QToolButton* button : f.panel.findChildren<QToolButton*>()) {
            QVERIFY(!button->accessibleName().isEmpty());
            QVERIFY(button->focusPolicy() & Qt::TabFocus);
        }
        QVERIFY(!f.view().accessibleName().isEmpty());
    }

    void captionIsNeverCut() {
        Fixture f;
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
