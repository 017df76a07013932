// The inspector's tables in the dock as it is at a first start: nothing to be scrolled sideways.
#include <QDockWidget>
#include <QHeaderView>
#include <QScrollBar>
#include <QTableWidget>

#include "gui/app/languages.h"
#include "gui/inspector/inspector_panel.h"
#include "gui/inspector/statistics_table.h"
#include "support/images.h"
#include "support/test_case.h"
#include "window_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

class InspectorWidthTest : public QObject {
    Q_OBJECT

  private slots:
    void tablesFitTheDock() {
        WindowFixture f;
        f.window.resize(1400, 900);
        f.window.actions().resetLayout->trigger();
        QVERIFY(f.open(f.scene("a.png", {640, 480})));
        QVERIFY(f.addStep("gaussian_blur"));
        auto* panel = f.window.findChild<InspectorPanel*>();
        auto* statistics = panel->findChild<StatisticsTable*>();
        auto* likeness = panel->findChild<QTableWidget*>(QStringLiteral("likeness"));
        QTRY_VERIFY(statistics->isVisible() && statistics->rowCount() == 6);
        QTRY_VERIFY(likeness->rowCount() > 0 && likeness->isVisible());
        for (const QTableWidget* table : {static_cast<QTableWidget*>(statistics), likeness})
            QTRY_VERIFY2(table->horizontalScrollBar()->maximum() == 0,
                         qPrintable(QString::number(table->horizontalHeader()->length())));
    }

    // The widest that a person meets every day, in the smallest window, in both languages.
    void sixteenBitsFitASmallWindow_data() {
        QTest::addColumn<QString>("language");
        QTest::newRow("English") << QStringLiteral("en");
        QTest::newRow("Chinese") << QStringLiteral("zh_CN");
    }
    void sixteenBitsFitASmallWindow() {
        QFETCH(QString, language);
        installLanguage(language);
        {
            WindowFixture f;
            f.window.resize(1024, 640);
            f.window.actions().resetLayout->trigger();
            std::vector<double> samples;
            for (int i = 0; i < 200 * 150 * 4; ++i) samples.push_back((i * 2654435761u) >> 16);
            f.bridge().openImage(test::makeImage(PixelFormat::Rgba16, {200, 150}, samples),
                                 QStringLiteral("deep"));
            QVERIFY(f.addStep("gaussian_blur"));
            auto* panel = f.window.findChild<InspectorPanel*>();
            f.window.findChild<QDockWidget*>(QStringLiteral("inspectorDock"))->raise();
            auto* statistics = panel->findChild<StatisticsTable*>();
            auto* likeness = panel->findChild<QTableWidget*>(QStringLiteral("likeness"));
            QTRY_VERIFY(statistics->isVisible() && statistics->rowCount() == 8);
            QTRY_VERIFY(likeness->rowCount() == 6 && likeness->isVisible());
            // All figures are there.
            QTRY_VERIFY(statistics->item(7, 6) &&
                        statistics->item(7, 6)->text() != QStringLiteral("–"));
            for (const QTableWidget* table : {static_cast<QTableWidget*>(statistics), likeness})
                QTRY_VERIFY2(table->horizontalScrollBar()->maximum() == 0,
                             qPrintable(QStringLiteral("%1 of %2")
                                            .arg(table->horizontalHeader()->length())
                                            .arg(table->viewport()->width())));
            // Names of rows are not cut, in the type in which they are drawn.
            for (int row = 0; row < statistics->rowCount(); ++row) {
                const QTableWidgetItem* head = statistics->verticalHeaderItem(row);
                const int needed = QFontMetrics(head->font()).horizontalAdvance(head->text());
                QVERIFY2(needed < statistics->verticalHeader()->width(), qPrintable(head->text()));
            }
        }
        installLanguage(QStringLiteral("en"));
    }
};

WARPSCOPE_TEST(InspectorWidthTest)
#include "inspector_width_test.moc"
