// The list does not grow while the mouse is over the controls, which would move away under it.
#include <QScrollArea>
#include <QScrollBar>

#include "panel_fixture.h"
#include "support/test_case.h"

namespace warpscope::gui {

class ListRoomTest : public QObject {
    Q_OBJECT

  private slots:
    void theListGrowsOnceTheMouseHasLeftTheControls() {
        PanelFixture f;
        f.addSteps({"invert", "invert", "invert"});
        auto* controls = f.find<QScrollArea>("stepControls");
        const auto point = [&](const QWidget& widget) {
            QTest::mouseMove(f.panel.windowHandle(),
                             widget.mapTo(f.panel.window(), widget.rect().center()));
        };
        QTRY_COMPARE(f.list().verticalScrollBar()->maximum(), 0);
        point(*controls);
        QTRY_VERIFY(controls->underMouse());
        f.list().setHistogramsShown(true);
        QTRY_VERIFY(f.list().verticalScrollBar()->maximum() > 0);
        point(f.list());
        QTRY_COMPARE(f.list().verticalScrollBar()->maximum(), 0);
    }
};

}  // namespace warpscope::gui

WARPSCOPE_TEST(warpscope::gui::ListRoomTest)
#include "list_room_test.moc"
