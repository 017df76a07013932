// The inspector's tables in the dock as it is at a first start: nothing to be scrolled sideways.
#include <QHeaderView>
#include <QScrollBar>
#include <QTableWidget>

#include "gui/inspector/inspector_panel.h"
#include "gui/inspector/statistics_table.h"
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
};

WARPSCOPE_TEST(InspectorWidthTest)
#include "inspector_width_test.moc"
