// Of a file that says how it is to be turned, the window's coordinates are those of what is seen.
#include "gui/app/log_panel.h"
#include "gui/inspector/inspector_panel.h"
#include "gui/inspector/pixel_readout.h"
#include "io/turned_tiff.h"
#include "support/test_case.h"
#include "window_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;
using namespace io_test;

class TurnedTest : public QObject {
    Q_OBJECT

  private slots:
    void theReadoutIsThatOfTheUprightImage_data() {
        QTest::addColumn<int>("orientation");
        for (const int one : {1, 3, 6, 7}) QTest::addRow("%d", one) << one;
    }
    void theReadoutIsThatOfTheUprightImage() {
        QFETCH(int, orientation);
        WindowFixture f;
        const QString path = f.folder.filePath(QStringLiteral("turned.tif"));
        QFile file(path);
        const QByteArray bytes = turnedTiff(orientation);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
        file.close();
        QVERIFY(f.open(path));
        const QSize size = turnedSize(orientation);
        auto* panel = f.window.findChild<InspectorPanel*>();
        QVERIFY(panel);
        const auto readouts = panel->findChildren<PixelReadout*>();
        QVERIFY(!readouts.isEmpty());
        QPoint read;
        connect(&f.window.canvas(), &Canvas::cursorPixelChanged, this,
                [&](const QPoint& source, const QPoint&) { read = source; });
        for (int y = 0; y < size.height(); ++y)
            for (int x = 0; x < size.width(); ++x) {
                // The mouse in the middle of the pixel, wherever it is drawn.
                const QPointF place = f.window.canvas().widgetPosition(QPointF(x + 0.5, y + 0.5));
                QTest::mouseMove(&f.window.canvas(), place.toPoint());
                QTRY_COMPARE(read, QPoint(x, y));
                const int there = turnedSample(orientation, {x, y});
                const QString wanted = QStringLiteral("Y %1 ").arg(there);
                QTRY_VERIFY2(readouts.front()->text().startsWith(wanted),
                             qPrintable(readouts.front()->text() + " for " + wanted));
            }
        auto* log = f.window.findChild<LogPanel*>();
        QCOMPARE(log->text().contains(QStringLiteral("coordinates are those of the upright image")),
                 orientation > 1);
    }
};

WARPSCOPE_TEST(TurnedTest)
#include "turned_test.moc"
