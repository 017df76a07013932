// The scopes' panel in the window, by keys and mouse.
#include <QDockWidget>
#include <QGraphicsScene>
#include <QGraphicsTextItem>
#include <QLabel>
#include <QRadioButton>

#include "gui/scopes/scope_view.h"
#include "gui/scopes/scopes_panel.h"
#include "gui/widgets/color_toggle.h"
#include "gui/widgets/segmented_control.h"
#include "support/test_case.h"
#include "window_fixture.h"

using namespace warpscope;
using namespace warpscope::gui;

namespace {

std::uint64_t total(const ScopePtr& scope) {
    std::uint64_t sum = 0;
    if (scope)
        for (const auto& grid : scope->grids)
            for (const std::uint64_t count : grid) sum += count;
    return sum;
}

struct ScopesWindow : WindowFixture {
    QDockWidget* dock = window.findChild<QDockWidget*>(QStringLiteral("scopesDock"));
    ScopesPanel* panel = window.findChild<ScopesPanel*>();

    void toggle() { press(Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier); }
    const ScopePtr& scope() const { return panel->view().scope(); }
    ScopeKind kind() const { return scope() ? scope()->request.kind : ScopeKind(-1); }
    void choose(const char* control, int index) {
        auto* choice = panel->findChild<SegmentedControl*>(QLatin1String(control));
        QTest::mouseClick(choice->button(index), Qt::LeftButton);
    }
};

}  // namespace

class ScopesTest : public QObject {
    Q_OBJECT

  private slots:
    void opensByKeyAndWorksOnlyWhenSeen() {
        ScopesWindow f;
        QVERIFY(f.dock && f.panel);
        QVERIFY(f.dock->isHidden());
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.addStep("gaussian_blur"));
        QTRY_VERIFY(f.bridge().histogramsAreCurrent());
        QCOMPARE(f.panel->countings(), 0);
        f.toggle();
        QVERIFY(!f.dock->isHidden());
        QTRY_COMPARE(total(f.scope()), std::uint64_t(160 * 120));
        QCOMPARE(f.kind(), ScopeKind::Waveform);
        // Behind the histogram's tab nobody sees it.
        auto* histogram = f.window.findChild<QDockWidget*>(QStringLiteral("histogramDock"));
        QVERIFY(f.window.tabifiedDockWidgets(histogram).contains(f.dock));
        histogram->raise();
        QTest::qWait(20);
        const int before = f.panel->countings();
        QVERIFY(f.addStep("invert"));
        QTRY_VERIFY(f.bridge().histogramsAreCurrent());
        QCOMPARE(f.panel->countings(), before);
        // Seen again, it catches up.
        const ScopePtr old = f.scope();
        f.dock->raise();
        QTRY_VERIFY(f.scope() != old);
        QVERIFY(f.panel->countings() > before);
        f.toggle();
        QVERIFY(f.dock->isHidden());
        const int hidden = f.panel->countings();
        QVERIFY(f.addStep("invert"));
        QTRY_VERIFY(f.bridge().histogramsAreCurrent());
        QCOMPARE(f.panel->countings(), hidden);
    }

    void countsAreThoseOfTheImageThatIsChosen() {
        ScopesWindow f;
        f.toggle();
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.addStep("invert"));
        const auto truth = [&](ScopeKind kind, bool result,
                               std::optional<RegionShape> region = {}) {
            ScopeRequest request;
            request.kind = kind;
            request.region = region;
            const Image image = result ? f.bridge().result()->levels.front() : f.document().image();
            return countScope(image, request, CpuContext{}).value();
        };
        const auto shows = [&](const ScopeCounts& wanted) {
            return waitedFor([&] {
                return f.scope() && f.kind() == wanted.request.kind &&
                       f.scope()->grids == wanted.grids;
            });
        };
        QVERIFY(shows(truth(ScopeKind::Waveform, true)));
        f.choose("scopeSide", 0);
        QVERIFY(shows(truth(ScopeKind::Waveform, false)));
        f.choose("scopeKind", 1);
        QVERIFY(shows(truth(ScopeKind::Parade, false)));
        QCOMPARE(f.scope()->grids.size(), std::size_t(3));
        f.choose("scopeKind", 2);
        QVERIFY(shows(truth(ScopeKind::Vectorscope, false)));
        f.choose("scopeSide", 1);
        QVERIFY(shows(truth(ScopeKind::Vectorscope, true)));
        f.document().setRegion(Rect{11, 7, 50, 33});
        QVERIFY(shows(truth(ScopeKind::Vectorscope, true, Rect{11, 7, 50, 33})));
        QCOMPARE(total(f.scope()), std::uint64_t(50 * 33));
        f.choose("scopeKind", 0);
        QVERIFY(shows(truth(ScopeKind::Waveform, true, Rect{11, 7, 50, 33})));
        const RegionShape ellipse = RegionShape::ellipse({21, 17, 41, 30});
        f.document().setRegion(ellipse);
        QVERIFY(shows(truth(ScopeKind::Waveform, true, ellipse)));
        QCOMPARE(total(f.scope()), RegionRows(ellipse, ellipse.box()).pixels());
        auto* panel = f.panel->findChild<QLabel*>(QStringLiteral("scopeCaption"));
        QVERIFY(panel && panel->text().contains(QStringLiteral("in the ellipse at 21, 17")));
        f.window.canvas().setFocus();
        f.press(Qt::Key_Escape);
        QVERIFY(shows(truth(ScopeKind::Waveform, true)));
    }

    void readsOutACellAndFollowsItsLook() {
        ScopesWindow f;
        f.toggle();
        QVERIFY(f.open(f.scene("a.png")));
        QTRY_VERIFY(f.scope());
        auto* view = f.panel->findChild<ScopeView*>();
        view->setFocus();
        f.press(Qt::Key_Right);
        QVERIFY(view->hover());
        const QPoint middle = *view->hover();
        f.press(Qt::Key_Right, Qt::ShiftModifier);
        f.press(Qt::Key_Up);
        QCOMPARE(*view->hover(), middle + QPoint(10, 1));
        const QPoint cell = *view->hover();
        QVERIFY2(
            view->hoverText().contains(QString::number(cell.x())) &&
                view->hoverText().contains(QString::number(cell.y())) &&
                view->hoverText().endsWith(QString::number(f.scope()->at(0, cell.x(), cell.y()))),
            qPrintable(view->hoverText()));
        // The mouse over the same picture reads out something as well.
        view->setHover(std::nullopt);
        QTest::mouseMove(view->viewport(), view->viewport()->rect().center());
        QTRY_VERIFY(view->hover());
        const QImage before = view->density();
        auto* log = f.panel->findChild<ColorToggle*>(QStringLiteral("scopeLog"));
        QTest::mouseClick(log, Qt::LeftButton);
        QVERIFY(!view->look().logarithmic);
        QVERIFY(view->density() != before);
    }

    // Titles with units where there is room for them, whole; the caption says it everywhere.
    void axesHaveTitles() {
        ScopesWindow f;
        f.toggle();
        QVERIFY(f.open(f.scene("a.png")));
        QTRY_VERIFY(f.scope());
        f.dock->setFloating(true);
        const auto titles = [&](const QSize& size) {
            f.dock->resize(size);
            QCoreApplication::processEvents();
            QStringList shown;
            for (const QGraphicsItem* item : f.panel->view().scene()->items()) {
                const auto* text = qgraphicsitem_cast<const QGraphicsTextItem*>(item);
                if (text && text->isVisible()) shown << text->toPlainText();
            }
            return shown;
        };
        const QSize large(460, 420);
        QTRY_VERIFY2(titles(large).contains(QStringLiteral("column of the image, pixels")),
                     qPrintable(titles(large).join(u'|')));
        QVERIFY(titles(large).contains(QStringLiteral("luminance")));
        QVERIFY2(!titles(large).join(u'|').contains(QStringLiteral("...")),
                 qPrintable(titles(large).join(u'|')));
        f.choose("scopeKind", 1);
        QTRY_VERIFY(titles(large).contains(QStringLiteral("sample value")));
        f.choose("scopeKind", 2);
        QTRY_VERIFY(titles(large).contains(QStringLiteral("Cb")));
        QVERIFY(titles(large).contains(QStringLiteral("Cr")));
        QTRY_VERIFY(!titles({200, 220}).contains(QStringLiteral("Cb")));
    }

    void numbersOfObjectsAreCalledSo() {
        ScopesWindow f;
        f.toggle();
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.addStep("threshold") && f.addStep("connected_components"));
        f.document().setParameter(0, "method", std::string("otsu"), EditPhase::Single);
        const QString titles = QStringLiteral("number of the object");
        f.dock->setFloating(true);
        f.dock->resize(460, 420);
        const auto says = [&](const QString& title) {
            for (const QGraphicsItem* item : f.panel->view().scene()->items()) {
                const auto* text = qgraphicsitem_cast<const QGraphicsTextItem*>(item);
                if (text && text->isVisible() && text->toPlainText() == title) return true;
            }
            return false;
        };
        QTRY_VERIFY(f.scope() && f.scope()->format == PixelFormat::Gray32 && says(titles));
        QVERIFY(!says(QStringLiteral("sample value")));
        auto* caption = f.panel->findChild<QLabel*>(QStringLiteral("scopeCaption"));
        QVERIFY2(caption->text().contains(titles), qPrintable(caption->text()));
        auto* view = f.panel->findChild<ScopeView*>();
        view->setHover(QPoint(10, 0));
        QVERIFY2(view->hoverText().contains(QStringLiteral("object")),
                 qPrintable(view->hoverText()));
        f.choose("scopeSide", 0);
        QTRY_VERIFY(f.scope()->format != PixelFormat::Gray32 && !says(titles));
        QVERIFY(!view->hoverText().contains(QStringLiteral("object")));
        f.choose("scopeSide", 1);
        QVERIFY(f.addStep("false_colour"));
        QTRY_VERIFY(f.scope()->format != PixelFormat::Gray32 && !says(titles));
    }

    // The left button stays held while the mouse leaves; then another is pressed.
    void pressesOutsideAreHarmless() {
        ScopesWindow f;
        f.toggle();
        QVERIFY(f.open(f.scene("a.png")));
        auto* view = f.panel->findChild<ScopeView*>();
        QTRY_VERIFY(f.scope() && view->isVisible());
        QWindow* window = f.window.windowHandle();
        const QPoint inside = view->mapTo(&f.window, view->rect().center()), outside(-40, 1900);
        QTest::mousePress(window, Qt::LeftButton, {}, inside);
        QTest::mouseMove(window, outside);
        QTest::mousePress(window, Qt::MiddleButton, {}, outside);
        QTest::mouseRelease(window, Qt::MiddleButton, {}, outside);
        QTest::mouseRelease(window, Qt::LeftButton, {}, outside);
        QVERIFY(view->isVisible());
    }

    // In low panels, too: Qt makes dots of labels that have no room.
    void figuresOfAFlatResultAreWhole() {
        ScopesWindow f;
        f.toggle();
        QVERIFY(f.open(f.scene("a.png")));
        QTRY_VERIFY(f.scope());
        QVERIFY(f.addStep("connected_components"));
        QTRY_VERIFY(f.scope()->format == PixelFormat::Gray32);
        const auto texts = [&] {
            QString shown;
            for (const QGraphicsItem* item : f.panel->view().scene()->items()) {
                const auto* text = qgraphicsitem_cast<const QGraphicsTextItem*>(item);
                if (text && text->isVisible()) shown += QLatin1Char('|') + text->toPlainText();
            }
            return shown;
        };
        for (const int height : {90, 110, 130, 160, 200, 260, 400}) {
            f.panel->findChild<ScopeView*>()->setFixedHeight(height);
            QCoreApplication::processEvents();
            QVERIFY2(!texts().contains(QStringLiteral("...")),
                     qPrintable(QString::number(height) + texts()));
        }
    }
};

WARPSCOPE_TEST(ScopesTest)
#include "scopes_test.moc"
