// The histogram's chart: series, marks, hovering and ranges by mouse and keyboard.
#include "gui/histogram/histogram_view.h"

#include <QPainter>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include "gui/histogram/histogram_export.h"
#include "gui/widgets/theme.h"
#include "gui_panels/panel_samples.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;
using test::colorSet;
using test::graySet;

namespace {
constexpr auto kSourceLuma = HistogramSide::Source;
constexpr auto kResultLuma = HistogramSide::Result;

struct Shown {
    HistogramSet set = colorSet();
    HistogramModel model;
    HistogramView view{model};
    Shown() {
        view.resize(600, 300);
        view.show();
        (void)QTest::qWaitForWindowExposed(&view);
        model.setData(&set, 255, &set, 255);
        view.refresh();
    }
    QPoint at(double value) const {
        return {qRound(view.pixelX(value)), qRound(view.plotArea().center().y())};
    }
    // QTest::mouseMove holds no button.
    void drag(double from, double to) {
        QTest::mousePress(view.viewport(), Qt::LeftButton, {}, at(from));
        QMouseEvent move(QEvent::MouseMove, at(to), view.viewport()->mapToGlobal(at(to)),
                         Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(view.viewport(), &move);
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, at(to));
    }
};
}  // namespace

class HistogramViewTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }
    void seriesAreTheCounts() {
        Shown s;
        for (const HistogramSide side : {kSourceLuma, kResultLuma})
            for (const HistogramChannel channel : kAllHistogramChannels) {
                const QLineSeries* series = s.view.series(side, channel);
                QCOMPARE(series->count(), 514);
                for (int i = 0; i < 256; ++i)
                    QCOMPARE(series->at(1 + 2 * i).y(),
                             double(s.set.find(channel)->bins[std::size_t(i)]));
            }
        const QLineSeries* before = s.view.series(kResultLuma, HistogramChannel::Red);
        s.set.channels[1].bins[17] += 3;
        s.model.setData(&s.set, 255, &s.set, 255);
        s.view.refresh();
        // Refilled, not made again.
        QCOMPARE(s.view.series(kResultLuma, HistogramChannel::Red), before);
        QCOMPARE(before->at(1 + 2 * 17).y(), double(s.set.channels[1].bins[17]));
    }

    void optionsShowAndHideCurves() {
        Shown s;
        const auto* outline = s.view.series(kSourceLuma, HistogramChannel::Green);
        const auto* summed = s.view.cumulativeSeries(kResultLuma, HistogramChannel::Green);
        QVERIFY(outline->isVisible());
        QVERIFY(!summed->isVisible());
        HistogramOptions options;
        options.cumulative = true;
        s.view.setOptions(options);
        QVERIFY(summed->isVisible());
        QCOMPARE(summed->at(256).y(), 100.0);
        options.source = false;
        s.view.setOptions(options);
        QVERIFY(!outline->isVisible());
        options.channels.green = false;
        options.source = true;
        s.view.setOptions(options);
        QVERIFY(!outline->isVisible());
        QVERIFY(!summed->isVisible());
        options.scale = CountScale::Logarithmic;
        s.view.setOptions(options);
        QCOMPARE(s.view.series(kResultLuma, HistogramChannel::Luma)->at(1).y(), kLogFloor);
        QVERIFY(s.view.verticalLimit() < 3);
    }

    void positionsGoBothWays() {
        Shown s;
        QCOMPARE(s.view.pixelX(-0.5), s.view.plotArea().left());
        QVERIFY(qAbs(s.view.pixelX(255.5) - s.view.plotArea().right()) < 1e-6);
        QVERIFY(qAbs(s.view.axisValueAt(s.view.pixelX(93)) - 93) < 1e-9);
        s.view.resize(320, 200);
        QTRY_VERIFY(s.view.plotArea().right() < 320);
        QVERIFY(qAbs(s.view.axisValueAt(s.view.pixelX(93)) - 93) < 1e-9);
    }

    void hoverReadsOut() {
        Shown s;
        QTest::mouseMove(s.view.viewport(), s.at(100));
        QTRY_VERIFY(s.view.hover().has_value());
        QCOMPARE(*s.view.hover(), 100.0);
        const QStringList lines = s.view.readoutLines();
        QCOMPARE(lines.size(), 5);
        QCOMPARE(lines[0], QString("100\tpixels\tshare\tpercentile\tsource"));
        // Bin 100 of luma has 700 % 50 = 0 counts, of red (700 + 13) % 50 = 13.
        QVERIFY(lines[1].startsWith("L\t0\t0 %\t"));
        QVERIFY2(lines[2].startsWith("R\t13\t"), qPrintable(lines[2]));
        QVERIFY(lines[2].endsWith("\t13"));
        HistogramOptions options;
        options.channels = ChannelSet::only(HistogramChannel::Red);
        options.source = false;
        s.view.setOptions(options);
        QCOMPARE(s.view.readoutLines().size(), 2);
        QCOMPARE(s.view.readoutLines()[0], QString("100\tpixels\tshare\tpercentile"));
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(&s.view, &leave);
        QVERIFY(!s.view.hover());
        QVERIFY(s.view.readoutLines().isEmpty());
    }

    void sourceGivesTheLinesOfAColorlessResult() {
        Shown s;
        std::vector<std::uint64_t> bins(256, 1);
        const HistogramSet gray = graySet(bins);
        s.model.setData(&s.set, 255, &gray, 255);
        s.view.refresh();
        s.view.setHover(100);
        const QStringList lines = s.view.readoutLines();
        QCOMPARE(lines.size(), 5);
        QCOMPARE(lines[1], QString("L\t1\t0.39 %\t39.5\t0"));
        QCOMPARE(lines[2], QString("R\t\t\t\t13"));
        // And their names in a picture of it, where the source is drawn.
        const QTemporaryDir folder;
        const auto legendHas = [&](const HistogramOptions& options, const QByteArray& word) {
            const QString path = folder.filePath("gray.svg");
            QFile file(path);
            return saveHistogramPicture(path, s.model, options, "gray", {}) &&
                   file.open(QIODevice::ReadOnly) && file.readAll().contains(word + "</text>");
        };
        HistogramOptions options;
        for (const char* word : {"luminance", "red", "green", "blue", "outline: source"})
            QVERIFY2(legendHas(options, word), word);
        options.source = false;
        QVERIFY(legendHas(options, "luminance"));
        for (const char* word : {"red", "outline: source"})
            QVERIFY2(!legendHas(options, word), word);
    }

    void draggingSelectsARange() {
        Shown s;
        QSignalSpy spy(&s.view, &HistogramView::rangeSelected);
        s.drag(50, 99);
        QCOMPARE(spy.last(), QList<QVariant>({50.0, 99.0, true}));
        s.drag(99, 50);  // from right to left alike
        QCOMPARE(s.view.selection()->first, 50.0);
        QCOMPARE(s.view.selection()->second, 99.0);
        s.view.setHover(60);
        std::uint64_t red = 0;
        for (std::size_t i = 50; i <= 99; ++i) red += s.set.channels[1].bins[i];
        const QStringList lines = s.view.readoutLines();
        QVERIFY2(lines[0].startsWith("50 to 99\t"), qPrintable(lines[0]));
        QVERIFY(lines[2].startsWith(QString("R\t%1\t").arg(groupedNumber(red))));
        s.drag(200, 900);  // beyond the plot: to its end
        QCOMPARE(spy.last(), QList<QVariant>({200.0, 255.0, true}));
    }

    void clickDropsTheRange() {
        Shown s;
        s.drag(50, 99);
        QSignalSpy spy(&s.view, &HistogramView::rangeSelected);
        QTest::mouseClick(s.view.viewport(), Qt::LeftButton, {}, s.at(70));
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy.last().at(2).toBool(), false);
        QVERIFY(!s.view.selection());
        QTest::mouseClick(s.view.viewport(), Qt::LeftButton, {}, s.at(70));
        QCOMPARE(spy.count(), 1);
    }

    // Or the canvas would go on marking pixels of a range that nobody sees any more.
    void aRangeThatVanishesIsReported() {
        Shown s;
        s.drag(50, 99);
        QSignalSpy spy(&s.view, &HistogramView::rangeSelected);
        s.model.clear();
        s.view.refresh();
        QVERIFY(!s.view.selection());
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy.last().at(2).toBool(), false);
    }

    void keysReadOutAndSelect() {
        Shown s;
        s.view.setHover(100);
        QTest::keyClick(&s.view, Qt::Key_Right);
        QCOMPARE(*s.view.hover(), 101.0);
        QTest::keyClick(&s.view, Qt::Key_PageDown);
        QCOMPARE(*s.view.hover(), 91.0);
        QTest::keyClick(&s.view, Qt::Key_Home);
        QCOMPARE(*s.view.hover(), 0.0);
        QTest::keyClick(&s.view, Qt::Key_Left);
        QCOMPARE(*s.view.hover(), 0.0);
        QTest::keyClick(&s.view, Qt::Key_End);
        QCOMPARE(*s.view.hover(), 255.0);
        s.view.setHover(100);
        QSignalSpy spy(&s.view, &HistogramView::rangeSelected);
        for (int i = 0; i < 3; ++i) QTest::keyClick(&s.view, Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(spy.last(), QList<QVariant>({100.0, 103.0, true}));
        for (int i = 0; i < 5; ++i) QTest::keyClick(&s.view, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(spy.last(), QList<QVariant>({98.0, 100.0, true}));
        QTest::keyClick(&s.view, Qt::Key_Escape);
        QCOMPARE(spy.last().at(2).toBool(), false);
        QTest::keyClick(&s.view, Qt::Key_Escape);
        QVERIFY(!s.view.hover());
    }

    void marksStandOnTheirValues() {
        Shown s;
        PixelValues pixel;
        pixel.values = {124.0, 10.0, 200.0, std::nullopt};
        s.view.setMarks(pixel, kResultLuma);
        QCOMPARE(s.view.markPosition(HistogramChannel::Luma), std::optional<double>(124));
        QCOMPARE(s.view.markPosition(HistogramChannel::Green), std::optional<double>(200));
        QVERIFY(!s.view.markPosition(HistogramChannel::Blue));
        // The mark is there to be seen: a green triangle below the axis at its value.
        const QImage image = s.view.grab().toImage();
        const QColor green = Theme::instance().colors().green;
        const QColor drawn =
            image.pixelColor(qRound(s.view.pixelX(200)), qRound(s.view.plotArea().bottom()) + 4);
        QVERIFY2(qAbs(drawn.green() - green.green()) < 24 && qAbs(drawn.red() - green.red()) < 24,
                 qPrintable(drawn.name()));
        s.view.setMarks({}, kResultLuma);
        QVERIFY(!s.view.markPosition(HistogramChannel::Luma));
    }

    // Qt Charts makes every tick of an axis at once; a range that grows before its tick distance
    // hung the window for minutes.
    void rangesThatGrowStayQuick() {
        Shown s;
        std::vector<std::uint64_t> small(256, 1), wide(65536, 1);
        wide[30000] = 4'000'000'000;
        const HistogramSet gray = graySet(small), deep = graySet(wide, PixelFormat::Gray16);
        for (int i = 0; i < 4; ++i) {
            for (const CountScale scale : {CountScale::Linear, CountScale::Logarithmic}) {
                HistogramOptions options;
                options.scale = scale;
                s.view.setOptions(options);
                s.model.setData(nullptr, 0, &gray, 255);
                s.view.refresh();
                s.model.setData(nullptr, 0, &deep, 65535);
                s.view.refresh();
            }
        }
        // A hang is ended by CTest; what is checked is that the last range is what is shown.
        QCOMPARE(s.view.series(kResultLuma, HistogramChannel::Luma)->at(1 + 2 * (30000 / 256)).y(),
                 scaledCount(4'000'000'255, CountScale::Logarithmic));
    }

    void updatesAreShown() {
        Shown s;
        const QLineSeries* series = s.view.series(kResultLuma, HistogramChannel::Luma);
        constexpr int kRounds = 50;
        for (int i = 0; i < kRounds; ++i) {
            s.set.channels[0].bins[std::size_t(i)] += 1;
            s.model.setData(&s.set, 255, &s.set, 255);
            s.view.refresh();
            s.view.viewport()->repaint();
            QCOMPARE(series->at(1 + 2 * i).y(), double(s.set.channels[0].bins[std::size_t(i)]));
        }
    }

    void picturesHaveTheGridOfTheirSize() {
        std::vector<std::uint64_t> bins(256, 0);
        bins[0] = 10;
        const HistogramSet set = graySet(bins);
        HistogramModel model;
        HistogramView view(model);
        model.setData(nullptr, 0, &set, 255);
        view.refresh();
        QImage image(960, 540, QImage::Format_RGB32);
        QPainter painter(&image);
        view.paintTo(painter, image.size(), model.caption());
        painter.end();
        const QColor base = Theme::instance().colors().base;
        const int y = qRound(view.plotArea().top()) + 8;
        for (const double value : {32.0, 128.0, 224.0}) {
            const int x = int(view.pixelX(value));
            bool line = false;
            for (int i = x - 1; i <= x + 1; ++i) line = line || image.pixelColor(i, y) != base;
            QVERIFY2(line, qPrintable(QString::number(value)));
            QCOMPARE(image.pixelColor(x + 20, y), base);
        }
    }

    void lowPlotsHaveMoreThanOneTick() {
        Shown s;
        for (int height = 70; height <= 300; height += 5) {
            s.view.resize(600, height);
            QCoreApplication::processEvents();
            QVERIFY2(s.view.countStep() <= s.view.verticalLimit(),
                     qPrintable(QStringLiteral("height %1").arg(height)));
        }
    }

    void tinyAndEmpty() {
        HistogramModel model;
        HistogramView view(model);
        for (const QSize size : {QSize(1, 1), QSize(30, 20), QSize(160, 90), QSize(3000, 40)}) {
            view.resize(size);
            (void)view.grab();
            QTest::mouseMove(view.viewport(), QPoint(0, 0));
            QTest::keyClick(&view, Qt::Key_Right);
        }
        QVERIFY(!view.hover());
        QVERIFY(view.readoutLines().isEmpty());
    }

    void themeRepaints() {
        Shown s;
        const QImage dark = s.view.grab().toImage();
        Theme::instance().setChoice(ThemeChoice::Light);
        const QImage light = s.view.grab().toImage();
        Theme::instance().setChoice(ThemeChoice::Dark);
        QVERIFY(light.pixelColor(2, 150).lightness() > 200);
        QVERIFY(dark.pixelColor(2, 150).lightness() < 80);
    }
};

WARPSCOPE_TEST(HistogramViewTest)
#include "histogram_view_test.moc"
