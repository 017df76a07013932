// Pixel values as text, and the inspector panel over a real document and worker.
#include "gui/inspector/inspector_panel.h"

#include <QDir>
#include <QLabel>
#include <QScrollArea>
#include <QtTest>
#include <cmath>
#include <limits>

#include "gui/display/pixel_values.h"
#include "gui/inspector/loupe.h"
#include "gui/inspector/pinned_list.h"
#include "gui/inspector/pixel_readout.h"
#include "gui/inspector/statistics_table.h"
#include "gui/widgets/theme.h"
#include "gui_canvas/pictures.h"
#include "support/test_case.h"

namespace warpscope::gui {

using namespace warpscope::test;

static SampleText at(const Image& image, const QPoint& pixel, std::size_t channel) {
    const auto texts = sampleTexts(image, pixel);
    return channel < texts.size() ? texts[channel] : SampleText{};
}

static void keep(QWidget& widget, const char* name) {
    QTest::qWait(20);  // layouts settle
    const QString folder = qEnvironmentVariable("WARPSCOPE_SHOTS");
    if (!folder.isEmpty())
        widget.grab().save(
            QDir(folder).filePath(QStringLiteral("%1.png").arg(QLatin1String(name))));
}

// A document with a picture and the worker on the CPU, with one step of grayscale.
struct Bench {
    Bench()
        : bridge(document, [] { return BackendSet::cpuOnly("not used in this test"); }),
          panel(document, bridge) {
        auto step = makeStep("grayscale");
        if (!step) qFatal("%s", step.error().message.c_str());
        document.insertStep(0, *step);
        panel.resize(300, 300);
        panel.show();
    }
    Document document;
    EngineBridge bridge;
    InspectorPanel panel;
};

class InspectorTest : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

    void eightBits() {
        const Image image = makeImage<std::uint8_t>(
            PixelFormat::Rgba8, {3, 2},
            [](int x, int y, int c) { return std::uint8_t(x * 100 + y * 10 + c); });
        const auto texts = sampleTexts(image, {2, 1});
        QCOMPARE(texts.size(), std::size_t(3));
        QCOMPARE(texts[0].channel, QStringLiteral("R"));
        QCOMPARE(texts[0].decimal, QStringLiteral("210"));
        QCOMPARE(texts[0].hex, QStringLiteral("D2"));
        QCOMPARE(at(image, {0, 0}, 1).hex, QStringLiteral("01"));
        QCOMPARE(shortSample(image, {2, 1}, 2), QStringLiteral("212"));
    }

    void alphaOnlyIfTheFileHadIt() {
        ImageInfo info;
        info.hasAlpha = true;
        const Image image = makeImage<std::uint8_t>(
            PixelFormat::Rgba8, {1, 1}, [](int, int, int c) { return std::uint8_t(c * 60); }, info);
        QCOMPARE(sampleTexts(image, {0, 0}).size(), std::size_t(4));
        QCOMPARE(at(image, {0, 0}, 3).channel, QStringLiteral("A"));
        QCOMPARE(at(image, {0, 0}, 3).decimal, QStringLiteral("180"));
    }

    void sixteenBits() {
        const Image image =
            makeImage<std::uint16_t>(PixelFormat::Gray16, {2, 1},
                                     [](int x, int, int) { return std::uint16_t(x ? 65535 : 10); });
        QCOMPARE(at(image, {1, 0}, 0).decimal, QStringLiteral("65535"));
        QCOMPARE(at(image, {0, 0}, 0).hex, QStringLiteral("000A"));
        QCOMPARE(at(image, {0, 0}, 0).channel, QStringLiteral("Y"));
    }

    void floats() {
        const float samples[] = {0.1f,
                                 std::nanf(""),
                                 std::numeric_limits<float>::infinity(),
                                 -std::numeric_limits<float>::infinity(),
                                 16777217.0f,
                                 -0.0f};
        const Image image = makeImage<float>(PixelFormat::GrayF32, {6, 1},
                                             [&](int x, int, int) { return samples[x]; });
        QCOMPARE(at(image, {0, 0}, 0).decimal, QStringLiteral("0.1"));
        QCOMPARE(at(image, {0, 0}, 0).hex, QStringLiteral("3DCCCCCD"));
        QCOMPARE(at(image, {1, 0}, 0).decimal, QStringLiteral("NaN"));
        QCOMPARE(at(image, {2, 0}, 0).decimal, QStringLiteral("Inf"));
        QCOMPARE(at(image, {3, 0}, 0).decimal, QStringLiteral("-Inf"));
        QCOMPARE(at(image, {4, 0}, 0).decimal.toFloat(), 16777216.0f);
        QCOMPARE(at(image, {5, 0}, 0).decimal, QStringLiteral("-0"));
        QCOMPARE(shortSample(image, {1, 0}, 0), QStringLiteral("NaN"));
    }

    void sumsInFull() {
        const Image image = makeImage<std::uint64_t>(
            PixelFormat::Gray64, {1, 1}, [](int, int, int) { return ~std::uint64_t{0}; });
        QCOMPARE(at(image, {0, 0}, 0).decimal, QStringLiteral("18446744073709551615"));
        QCOMPARE(at(image, {0, 0}, 0).hex, QStringLiteral("FFFFFFFFFFFFFFFF"));
    }

    void rawSamples() {
        ImageInfo info;
        info.rawLabel = "CMYK";
        info.raw = std::make_shared<const Image>(
            makeImage<std::uint8_t>(PixelFormat::Rgba8, {2, 2},
                                    [](int x, int, int c) { return std::uint8_t(x * 50 + c); }));
        const Image image = makeImage<std::uint8_t>(
            PixelFormat::Rgba8, {2, 2}, [](int, int, int) { return std::uint8_t(9); }, info);
        const auto raw = rawSampleTexts(image, {1, 1});
        QCOMPARE(raw.size(), std::size_t(4));
        QCOMPARE(raw[3].channel, QStringLiteral("K"));
        QCOMPARE(raw[3].decimal, QStringLiteral("53"));
        PixelReadout readout;
        readout.setPixel(image, {1, 1}, QColor(9, 9, 9));
        QVERIFY(readout.text().contains(QStringLiteral("C 50 (32)")));
        QVERIFY(readout.text().startsWith(QStringLiteral("R 9 (09)")));
    }

    void outside() {
        const Image image = plainImage({2, 2}, 1, 2, 3);
        for (const QPoint& pixel : {QPoint(-1, -1), QPoint(2, 0), QPoint(0, 2)})
            QVERIFY(sampleTexts(image, pixel).empty());
        QVERIFY(sampleTexts(Image(), {0, 0}).empty());
        PixelReadout readout;
        readout.setPixel(image, {5, 5}, {});
        QVERIFY(readout.text().contains(QStringLiteral("–")));
        readout.setPixel(Image(), {0, 0}, {});
    }

    void loupeColors() {
        Loupe loupe;
        QVERIFY(!loupe.colorAt({0, 0}).isValid());
        ImageInfo info;
        info.whiteLevel = 1.0;
        loupe.setPyramid(pyramidOf(makeImage<float>(
            PixelFormat::RgbaF32, {600, 600},
            [](int x, int y, int c) { return c == 0   ? x / 599.0f
                                             : c == 1 ? y / 599.0f
                                                      : 0.5f; },
            info)));
        QCOMPARE(loupe.colorAt({599, 0}), QColor(255, 0, 128));
        QCOMPARE(loupe.colorAt({0, 599}), QColor(0, 255, 128));
        QVERIFY(!loupe.colorAt({600, 0}).isValid());
    }

    void loupeDrawsTheNeighbours() {
        const Image image = noisyImage({40, 40}, 3);
        Loupe loupe;
        loupe.resize(loupe.sizeHint());
        loupe.setPyramid(pyramidOf(image));
        for (const QPoint& pixel : {QPoint(20, 20), QPoint(2, 39)}) {
            loupe.setPixel(pixel);
            const QImage drawn = loupe.grab().toImage();
            const double cell = 10.0 * loupe.devicePixelRatioF();
            for (int dy = -5; dy <= 5; ++dy) {
                for (int dx = -5; dx <= 5; ++dx) {
                    if (std::abs(dx) <= 1 && std::abs(dy) <= 1) continue;  // the mark
                    const QPoint there = pixel + QPoint(dx, dy);
                    const double first = loupe.devicePixelRatioF();
                    const QColor shown = drawn.pixelColor(int(first + (dx + 5.5) * cell),
                                                          int(first + (dy + 5.5) * cell));
                    QCOMPARE(shown, isInside(image, there) ? loupe.colorAt(there)
                                                           : Theme::instance().colors().canvas);
                }
            }
        }
        keep(loupe, "loupe");
    }

    void pinsUpToEight() {
        PinnedList pins;
        pins.setImages(noisyImage({40, 40}, 3), noisyImage({40, 40}, 4));
        for (int i = 0; i < 10; ++i) pins.toggle({i, i});
        QCOMPARE(pins.pixels().size(), std::size_t(8));
        QCOMPARE(pins.pixels().front(), QPoint(2, 2));
        pins.toggle({5, 5});
        QCOMPARE(pins.pixels().size(), std::size_t(7));
        pins.toggle({-1, -1});
        QCOMPARE(pins.pixels().size(), std::size_t(7));
        pins.topLevelItem(0)->setSelected(true);
        pins.topLevelItem(2)->setSelected(true);
        QTest::keyClick(&pins, Qt::Key_Delete);
        QCOMPARE(pins.pixels().size(), std::size_t(5));
        QCOMPARE(pins.pixels().front(), QPoint(3, 3));
        pins.clearPins();
        QVERIFY(pins.pixels().empty());
        QCOMPARE(pins.topLevelItemCount(), 0);
    }

    void pinsFollowTheImages() {
        PinnedList pins;
        pins.setImages(plainImage({40, 40}, 1, 2, 3), Image());
        pins.toggle({30, 30});
        pins.toggle({3, 3});
        QCOMPARE(pins.topLevelItem(0)->text(1), QStringLiteral("30, 30"));
        QCOMPARE(pins.topLevelItem(0)->text(2), QStringLiteral("1 2 3"));
        QCOMPARE(pins.topLevelItem(0)->text(3), QStringLiteral("–"));
        pins.setImages(plainImage({40, 40}, 1, 2, 3), plainImage({40, 40}, 7, 8, 9));
        QCOMPARE(pins.topLevelItem(0)->text(3), QStringLiteral("7 8 9"));
        // A smaller image takes away what it does not have.
        pins.setImages(plainImage({10, 10}, 4, 5, 6), Image());
        QCOMPARE(pins.topLevelItemCount(), 1);
        QCOMPARE(pins.topLevelItem(0)->text(2), QStringLiteral("4 5 6"));
    }

    // Two columns of floats are wider than the dock: the samples stand below each other, and the
    // list does not make all that stands beside it wider.
    void pinsOfFloatsFitTheDock() {
        PinnedList pins;
        const auto noise = [](float scale) {
            return makeImage<float>(PixelFormat::RgbaF32, {40, 40}, [&](int x, int y, int c) {
                return c == 3 ? 1.0F : scale * float(x * 7 + y * 3 + c + 1) / 997.0F;
            });
        };
        const Image source = noise(1), result = noise(-1e-6F);
        pins.setImages(source, result);
        pins.toggle({30, 30});
        pins.toggle({7, 31});
        for (const int column : {2, 3}) {
            const QString text = pins.topLevelItem(1)->text(column);
            QCOMPARE(text.count(QLatin1Char('\n')), 2);
            for (const QString& sample : text.split(QLatin1Char('\n')))
                QVERIFY(pins.topLevelItem(1)->toolTip(column).contains(sample));
        }
        QVERIFY(pins.minimumSizeHint().width() < 200);
        pins.resize(270, pins.sizeHint().height());
        pins.show();
        QVERIFY(QTest::qWaitForWindowExposed(&pins));
        QVERIFY(pins.columnViewportPosition(3) + pins.columnWidth(3) <= pins.viewport()->width());
        const QRect last = pins.visualItemRect(pins.topLevelItem(1));
        QVERIFY(last.bottom() < pins.viewport()->height());
        pins.topLevelItem(1)->setSelected(true);
        QTest::keySequence(&pins, QKeySequence::Copy);
        QVERIFY(!QGuiApplication::clipboard()->text().contains(QLatin1Char('\n')));
    }

    void statisticsTable() {
        StatisticsTable table;
        ChannelStatistics red{1, 250, 99.5, 12.25, 1000, 0};
        SideStatistics source{PixelFormat::Rgba8, false, {red, red, red, red}};
        SideStatistics result{PixelFormat::GrayF32, false, {{-0.5, 2.25, 0.125, 0.5, 990, 10, 7}}};
        table.setStatistics(source, source);
        QCOMPARE(table.rowCount(), 6);
        QVERIFY(table.isColumnHidden(4));
        table.setStatistics(source, result);
        QCOMPARE(table.rowCount(), 4);
        QVERIFY(!table.isColumnHidden(4));
        QCOMPARE(table.verticalHeaderItem(3)->text(), QStringLiteral("Result Y"));
        QCOMPARE(table.item(0, 1)->text(), QStringLiteral("250"));
        QCOMPARE(table.item(0, 2)->text(), QStringLiteral("99.50"));
        QCOMPARE(table.item(0, 2)->toolTip(), QStringLiteral("99.5"));
        QCOMPARE(table.item(3, 0)->text(), QStringLiteral("-0.5"));
        QCOMPARE(table.item(3, 4)->text(), QStringLiteral("7"));
        QCOMPARE(table.item(3, 5)->text(), QStringLiteral("3"));
    }

    void panelShowsSourceAndResult() {
        Bench bench;
        const auto readouts = bench.panel.findChildren<PixelReadout*>();
        QCOMPARE(readouts.size(), 2);
        keep(bench.panel, "inspector_empty");
        bench.document.setSource(pyramidOf(noisyImage({64, 48}, 7)), {}, QStringLiteral("test"));
        bench.panel.setPixel({10, 20});
        const Image source = bench.document.image();
        const auto view = source.view<std::uint8_t>();
        const std::uint8_t* p = view.row(20) + 10 * 4;
        QVERIFY(readouts[0]->text().startsWith(
            QStringLiteral("R %1 (%2)").arg(p[0]).arg(p[0], 2, 16, QLatin1Char('0')).toUpper()));
        // The result arrives while the pixel stays where it is.
        const int gray = (19595 * p[0] + 38470 * p[1] + 7471 * p[2] + 32768) >> 16;
        const QString wanted = QStringLiteral("Y %1 (").arg(gray);
        QTRY_VERIFY_WITH_TIMEOUT(readouts[1]->text().startsWith(wanted), 20000);
        auto* table = bench.panel.findChild<StatisticsTable*>();
        QTRY_COMPARE_WITH_TIMEOUT(table->rowCount(), 4, 20000);
        double sum = 0;
        for (int y = 0; y < 48; ++y)
            for (int x = 0; x < 64; ++x) sum += view.row(y)[x * 4];
        QCOMPARE(table->item(0, 2)->text(), QString::number(sum / (64 * 48), 'f', 2));

        auto* pins = bench.panel.findChild<PinnedList*>();
        bench.panel.togglePin({10, 20});
        bench.panel.togglePin({1000, 20});
        QCOMPARE(pins->pixels().size(), std::size_t(1));
        QCOMPARE(pins->topLevelItem(0)->text(3), QString::number(gray));
        QVERIFY(pins->isVisibleTo(&bench.panel));
        keep(bench.panel, "inspector_300");
        bench.panel.resize(420, 900);
        keep(bench.panel, "inspector_tall");
        bench.panel.setPixel({-1, -1});
        QVERIFY(readouts[1]->text().contains(QStringLiteral("–")));
        // Another image takes the values of the old result away at once.
        bench.document.setSource(pyramidOf(noisyImage({32, 48}, 8)), {}, QStringLiteral("other"));
        bench.panel.setPixel({10, 20});
        QVERIFY(!readouts[1]->text().startsWith(wanted));
    }

    void panelFitsItsDock() {
        Bench bench;
        ImageInfo info;
        info.whiteLevel = 1.0;
        bench.document.setSource(
            pyramidOf(makeImage<float>(
                PixelFormat::RgbaF32, {64, 48},
                [](int x, int y, int c) { return c == 3 ? 1.0f : float(x * y) / 3000.0f; }, info)),
            {}, QStringLiteral("test"));
        bench.panel.setPixel({11, 13});
        QVERIFY(bench.panel.minimumSizeHint().width() <= 300);
        QVERIFY(bench.panel.minimumSizeHint().height() <= 300);
        auto* scroll = bench.panel.findChild<QScrollArea*>();
        QTRY_VERIFY(scroll->widget()->height() > scroll->viewport()->height());
        keep(bench.panel, "inspector_float");
        // Nothing scrolls sideways, and the loupes keep their place whatever the digits.
        QTRY_VERIFY(bench.bridge.histogramsAreCurrent());
        QTest::qWait(50);
        QVERIFY2(scroll->widget()->width() <= scroll->viewport()->width(),
                 qPrintable(QString::number(scroll->widget()->width())));
        const auto loupes = bench.panel.findChildren<Loupe*>();
        QCOMPARE(loupes.size(), 2);
        // The digits of two float images do not fit beside each other: the result is below.
        const auto placeOf = [&](int i) { return loupes[i]->mapTo(&bench.panel, QPoint()); };
        const QPoint places[] = {placeOf(0), placeOf(1)};
        QVERIFY(places[0].y() < places[1].y() || places[0].x() < places[1].x());
        for (const QPoint at : {QPoint(0, 0), QPoint(11, 13), QPoint(63, 47), QPoint(-1, -1)}) {
            bench.panel.setPixel(at);
            QTest::qWait(20);
            QCOMPARE(placeOf(0), places[0]);
            QCOMPARE(placeOf(1), places[1]);
        }
        bench.panel.setPixel({11, 13});
        QTest::qWait(20);
        // Nothing is narrower than its text, and no two labels overlap.
        const auto labels = scroll->widget()->findChildren<QLabel*>();
        const auto place = [&](const QLabel* label) {
            return QRect(label->mapTo(scroll->widget(), QPoint(0, 0)), label->size());
        };
        for (const QLabel* label : labels) {
            if (!label->isVisible()) continue;
            QVERIFY2(label->wordWrap() || label->width() >= label->sizeHint().width(),
                     qPrintable(label->text()));
            for (const QLabel* other : labels)
                QVERIFY2(
                    other == label || !other->isVisible() || !place(label).intersects(place(other)),
                    qPrintable(label->text() + QStringLiteral(" over ") + other->text()));
        }
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::InspectorTest)
#include "inspector_test.moc"
