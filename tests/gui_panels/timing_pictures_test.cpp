// Cards, bars and waterfall leave the program: as light pictures, and as the command that repeats a
// figure.
#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>
#include <QMimeData>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

#include "engine/image/synthetic.h"
#include "gui/timings/timing_card_view.h"
#include "gui/timings/timing_chart.h"
#include "gui/timings/timings_panel.h"
#include "gui/timings/waterfall_view.h"
#include "gui/widgets/picture.h"
#include "gui/widgets/theme.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

class TimingPicturesTest : public QObject {
    Q_OBJECT

    struct Fixture {
        Document document;
        EngineBridge bridge{document, [] { return BackendSet::cpuOnly("test reason"); }};
        TimingsPanel panel{document, bridge};

        Fixture() {
            panel.resize(900, 260);
            panel.show();
            (void)QTest::qWaitForWindowExposed(&panel);
            bridge.openImage(makeScene({64, 48}, true, 3, CpuContext{}).value(), "scene");
            document.insertStep(0, makeStep("gaussian_blur").value());
            document.setCurrentStep(0);
        }
        bool measured() {
            return waitedFor(
                [&] { return !bridge.timings().empty() && bridge.timings().back().last; }, 20'000);
        }
        template <class T>
        T* part() {
            return panel.findChild<T*>();
        }
    };

    static void rightClick(QWidget* widget) {
        const QPoint at = widget->rect().center();
        QContextMenuEvent event(QContextMenuEvent::Mouse, at, widget->mapToGlobal(at));
        QCoreApplication::sendEvent(widget, &event);
    }
    static int corner(const QImage& image) { return qGray(image.pixel(2, 2)); }
    static bool hasInk(const QImage& image) {
        QSet<int> levels;
        for (int y = 0; y < image.height(); y += 2)
            for (int x = 0; x < image.width(); ++x) levels.insert(qGray(image.pixel(x, y)));
        return levels.size() > 8;
    }

  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

    void theCardIsCopiedLight() {
        Fixture f;
        QVERIFY(f.measured());
        auto* card = f.part<TimingCardView>();
        QTRY_VERIFY(!card->card().empty());
        rightClick(card->viewport());
        auto* menu = card->findChild<QMenu*>(QStringLiteral("cardMenu"));
        QVERIFY(menu && menu->isVisible());
        auto* copy = menu->findChild<QAction*>(QStringLiteral("copyPicture"));
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(copy).center());
        const QMimeData* copied = QGuiApplication::clipboard()->mimeData();
        const QImage image = qvariant_cast<QImage>(copied->imageData());
        QVERIFY(!image.isNull() && corner(image) > 200 && hasInk(image));
        const QByteArray svg = copied->data(QStringLiteral("image/svg+xml"));
        QVERIFY(svg.contains("Gaussian blur") && svg.contains("CPU"));
        // The window stays dark.
        QVERIFY(corner(card->grab().toImage()) < 80);
    }

    void everyViewIsAPicture_data() {
        QTest::addColumn<QString>("chip");
        for (const char* chip : {"timingsBarsChip", "timingsWaterfallChip", "timingsTableChip"})
            QTest::newRow(chip) << QString(QLatin1String(chip));
    }
    void everyViewIsAPicture() {
        QFETCH(QString, chip);
        Fixture f;
        QVERIFY(f.measured());
        QTest::mouseClick(f.panel.findChild<QWidget*>(chip), Qt::LeftButton);
        QTest::qWait(50);
        auto* button = f.panel.findChild<QToolButton*>(QStringLiteral("timingsCopy"));
        QMenu* menu = button->menu();
        menu->popup(button->mapToGlobal(QPoint()));
        auto* copy = menu->findChild<QAction*>(QStringLiteral("copyTimingsPicture"));
        QVERIFY(copy && copy->isEnabled());
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(copy).center());
        const QMimeData* copied = QGuiApplication::clipboard()->mimeData();
        const QImage image = qvariant_cast<QImage>(copied->imageData());
        QVERIFY(!image.isNull() && corner(image) > 200 && hasInk(image));
        QVERIFY(QSvgRenderer(copied->data(QStringLiteral("image/svg+xml"))).isValid());
        const QImage bars = f.part<TimingChart>()->grab().toImage();
        QVERIFY(qGray(bars.pixel(bars.width() - 2, 2)) < 80);
    }

    void picturesAreWritten() {
        Fixture f;
        QVERIFY(f.measured());
        auto* card = f.part<TimingCardView>();
        QTRY_VERIFY(!card->card().empty());
        const Picture picture = card->picture();
        for (const ThemeChoice colors : {ThemeChoice::Light, ThemeChoice::Dark}) {
            const auto png = pictureBytes(QStringLiteral("a.PNG"), picture, colors);
            QVERIFY(png);
            const QImage image = QImage::fromData(*png);
            QCOMPARE(image.size(), picture.size * 2);
            QCOMPARE(corner(image) > 128, colors == ThemeChoice::Light);
        }
        QVERIFY(pictureBytes(QStringLiteral("a.svg"), picture));
        const auto wrong = pictureBytes(QStringLiteral("a.gif"), picture);
        QVERIFY(!wrong && wrong.error().code == ErrorCode::Unsupported);
    }

    void theCommandOfAFigureIsCopied() {
        Fixture f;
        QVERIFY(f.measured());
        auto* card = f.part<TimingCardView>();
        QTRY_VERIFY(!card->card().empty());
        rightClick(card->viewport());
        auto* action = card->findChild<QAction*>(QStringLiteral("copyCommand-cpu"));
        QVERIFY(action);
        action->trigger();
        const QString said = QGuiApplication::clipboard()->text();
        QVERIFY2(said.startsWith(QStringLiteral("warpscope-cli bench --step gaussian_blur:")) &&
                     said.contains(QStringLiteral("--backends cpu ")) &&
                     said.contains(QStringLiteral("--sizes 64x48 --pixels color")),
                 qPrintable(said));
    }
};

WARPSCOPE_TEST(TimingPicturesTest)
#include "timing_pictures_test.moc"
