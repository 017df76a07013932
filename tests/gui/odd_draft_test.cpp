// A draft of an image with odd sides lies where the exact result will lie.
#include <QTest>

#include "gui/canvas/canvas.h"
#include "gui_samples.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

class OddDraftTest : public QObject {
    Q_OBJECT
  private slots:
    void liesOnTheLevelsSamples_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        QTest::addColumn<int>("level");
        QTest::newRow("even") << 128 << 96 << 1;
        QTest::newRow("odd") << 129 << 97 << 1;
        QTest::newRow("one column in a sample of four") << 257 << 193 << 2;
    }
    void liesOnTheLevelsSamples() {
        QFETCH(int, width);
        QFETCH(int, height);
        QFETCH(int, level);
        const PyramidPtr source = pyramidOf(sceneOf({width, height}));
        const double scale = 1.0 / double(1 << level);
        Canvas canvas;
        canvas.resize(200, 160);
        canvas.show();
        QVERIFY(QTest::qWaitForWindowExposed(&canvas));
        canvas.setSource(source);
        canvas.setResult(source);
        canvas.setViewMode(ViewMode::Result);
        canvas.setZoom(scale, QPointF(100, 80));
        const QImage exact = canvas.grab().toImage();
        DraftReady draft;
        draft.revision = 1;
        draft.picture = source->levels[std::size_t(level)];
        draft.rect = {0, 0, width, height};
        draft.scale = scale;
        draft.exact = true;  // no label over it
        canvas.setDraft(draft);
        QCOMPARE(canvas.grab().toImage(), exact);
    }
};

WARPSCOPE_TEST(OddDraftTest)
#include "odd_draft_test.moc"
