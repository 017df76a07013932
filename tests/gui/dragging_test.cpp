// Thumbnails dragged out of the strip: onto the picture, onto the row of a second image; and the
// picture that follows the mouse over the test strip.
#include <QDragEnterEvent>
#include <QMimeData>

#include "gui/folder/folder_strip.h"
#include "gui/steps/image_row.h"
#include "gui/teststrip/strip_grid.h"
#include "gui/teststrip/test_strip.h"
#include "support/test_case.h"
#include "window_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

namespace {

// What the strip gives to whoever takes a drag of that row.
std::unique_ptr<QMimeData> dragOfRow(FolderStrip& strip, int row) {
    const QModelIndex index = strip.model()->index(row, 0);
    if (!(strip.model()->flags(index) & Qt::ItemIsDragEnabled) || !strip.dragEnabled()) return {};
    return std::unique_ptr<QMimeData>(strip.model()->mimeData({index}));
}

bool drop(QWidget& target, QMimeData& data) {
    const QPoint at = target.rect().center();
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&target, &enter);
    if (!enter.isAccepted()) return false;
    QDropEvent event(at, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&target, &event);
    return event.isAccepted() && event.dropAction() == Qt::CopyAction;
}

struct StripWindow : WindowFixture {
    QStringList paths{scene("a.png", {160, 120}, 1), scene("b.png", {160, 120}, 2),
                      scene("c.png", {160, 120}, 3)};
    FolderStrip& strip = window.strip();

    bool openAll() {
        window.files().openFiles(paths);
        return waitedFor([&] {
            return document().filePath() == paths[0] && bridge().resultIsCurrent() &&
                   strip.model()->rowCount() == 3;
        });
    }
};

}  // namespace

class DraggingTest : public QObject {
    Q_OBJECT

  private slots:
    void aThumbnailOnThePictureOpensIt() {
        StripWindow f;
        QVERIFY(f.openAll());
        const auto data = dragOfRow(f.strip, 2);
        QVERIFY(data && data->hasUrls());
        QVERIFY(drop(f.window, *data));
        QTRY_COMPARE(f.document().filePath(), f.paths[2]);
        // It is still one of the list.
        QCOMPARE(f.strip.model()->rowCount(), 3);
        QCOMPARE(f.window.files().imageIndex(), 2);
    }

    void aThumbnailOnTheRowOfASecondImageIsTakenAsThat() {
        StripWindow f;
        QVERIFY(f.openAll());
        QVERIFY(f.addStep("blend"));
        f.document().setCurrentStep(0);
        QTRY_VERIFY(f.window.findChild<ImageRow*>());
        auto* row = f.window.findChild<ImageRow*>();
        const auto data = dragOfRow(f.strip, 1);
        QVERIFY(data);
        QVERIFY(drop(*row, *data));
        QTRY_COMPARE(f.document().secondPath(), f.paths[1]);
        const auto named = secondInputOf(f.document().pipeline().steps[0]);
        QVERIFY(named && named->kind == ImageReference::Kind::Second);
        QCOMPARE(f.document().filePath(), f.paths[0]);
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        QVERIFY(f.bridge().stepReports().front().problem.empty());
        // Text is no image.
        QMimeData text;
        text.setText(QStringLiteral("b.png"));
        QVERIFY(!drop(*row, text));
    }

    void aReleaseOverAnotherThumbnailOpensNothing() {
        StripWindow f;
        QVERIFY(f.openAll());
        QTRY_VERIFY(f.strip.isVisible() &&
                    !f.strip.visualRect(f.strip.model()->index(2, 0)).isEmpty());
        const auto middle = [&](int row) {
            return f.strip.visualRect(f.strip.model()->index(row, 0)).center();
        };
        QTest::mousePress(f.strip.viewport(), Qt::LeftButton, {}, middle(1));
        QTest::mouseRelease(f.strip.viewport(), Qt::LeftButton, {}, middle(2));
        QTest::mouseClick(f.strip.viewport(), Qt::LeftButton, {}, middle(1));
        QTRY_COMPARE(f.document().filePath(), f.paths[1]);
    }

    void theImageShowsTheValueUnderTheMouse() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.addStep("gaussian_blur"));
        f.document().setCurrentStep(0);
        const Pipeline before = f.document().pipeline();
        TestStrip& strip = f.window.testStrip();
        f.window.actions().testStrip->trigger();
        QTRY_VERIFY(strip.isVisible() && !strip.grid().cells().empty());
        // Another one than the present: the last or the first.
        const auto other = [&] {
            const auto& cells = strip.grid().cells();
            return cells.back()->isPresent() ? cells.front() : cells.back();
        };
        QTRY_VERIFY(!other()->picture().isNull());
        QTest::mouseMove(f.window.windowHandle(), other()->mapTo(&f.window, QPoint(5, 5)));
        QTest::mouseMove(f.window.windowHandle(),
                         other()->mapTo(&f.window, other()->rect().center()));
        QTRY_VERIFY(f.bridge().trial());
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        QVERIFY(f.bridge().renderedPipeline().steps[0].parameters != before.steps[0].parameters);
        // The chain itself stays as it is.
        QVERIFY(f.document().pipeline() == before);
        QVERIFY(f.document().undoStack().count() == 1);
        strip.close();
        QVERIFY(!f.bridge().trial());
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        QVERIFY(f.bridge().renderedPipeline() == before);
        QTRY_VERIFY(f.bridge().timingsComplete());
    }

    void aTrialEndsWhenTheChainChanges() {
        WindowFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.addStep("gaussian_blur"));
        Pipeline other = f.document().pipeline();
        other.steps[0].enabled = false;
        f.bridge().setTrial(other);
        QVERIFY(f.bridge().trial());
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        QVERIFY(f.addStep("invert"));
        QVERIFY(!f.bridge().trial());
        QCOMPARE(f.bridge().stepReports().size(), std::size_t(2));
    }
};

WARPSCOPE_TEST(DraggingTest)
#include "dragging_test.moc"
