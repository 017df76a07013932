// The test strip in the real window: what its cells show is what the chain gives, a click takes a
// value as one undo entry, and what changes meanwhile is computed anew.
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QMenu>
#include <QRandomGenerator>
#include <QToolButton>
#include <set>

#include "gui/display/color_map.h"
#include "gui/display/sampler.h"
#include "gui/steps/step_card.h"
#include "gui/steps/step_list.h"
#include "gui/teststrip/strip_grid.h"
#include "gui/teststrip/test_strip.h"
#include "gui/window_fixture.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

namespace {

struct StripFixture : WindowFixture {
    TestStrip& strip = window.testStrip();

    const std::vector<StripCell*>& cells() { return strip.grid().cells(); }
    bool complete() {
        return waitedFor([&] {
            if (cells().empty()) return false;
            for (const StripCell* cell : cells())
                if (cell->picture().isNull() && cell->problem().isEmpty()) return false;
            return true;
        });
    }
    bool openStrip() {
        window.canvas().setFocus();
        if (!waitedFor([&] { return window.isActiveWindow(); })) return false;
        press(Qt::Key_T, Qt::ControlModifier);
        return waitedFor([&] { return strip.isVisible(); }) && complete();
    }
    // As a person does, by the keys of the list.
    void choose(const char* name, const QString& entry) {
        auto* box = strip.findChild<QComboBox*>(QLatin1String(name));
        QVERIFY(box && box->findText(entry) >= 0);
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Home);
        for (int i = 0; i < box->findText(entry); ++i) QTest::keyClick(box, Qt::Key_Down);
        QCOMPARE(box->currentText(), entry);
    }
    const ParamSet& parameters(int step) {
        return document().pipeline().steps[std::size_t(step)].parameters;
    }
    std::size_t presentIndex() {
        for (std::size_t i = 0; i < cells().size(); ++i)
            if (cells()[i]->isPresent()) return i;
        return cells().size();
    }
};

// What the whole chain gives, without drafts, caches and threads.
Image resultOf(const Image& source, const Pipeline& pipeline) {
    Executor executor(BackendSet::cpuOnly("test"), 0);
    ExecuteRequest request;
    request.source = source;
    request.pipeline = pipeline;
    request.backend = BackendChoice::CpuSingle;
    request.useCache = false;
    return executor.run(request, {}).value().image;
}

bool samePicture(const Image& a, const Image& b) {
    if (a.format() != b.format() || a.size() != b.size()) return false;
    const auto left = a.view<std::uint8_t>(), right = b.view<std::uint8_t>();
    const int bytes = a.width() * (a.format() == PixelFormat::Gray8 ? 1 : 4);
    for (int y = 0; y < a.height(); ++y)
        if (!std::equal(left.row(y), left.row(y) + bytes, right.row(y))) return false;
    return true;
}

double numberIn(const QString& label) {
    return label.section(QLatin1Char(' '), 0, 0).toDouble();
}

}  // namespace

class TestStripTest : public QObject {
    Q_OBJECT

  private slots:
    void cellsAreWhatTheChainGives() {
        StripFixture f;
        const auto seed = warpscope::test::freshRandom()->generate();
        qInfo("seed %u", seed);
        QVERIFY(f.open(f.scene("a.png", {61, 47}, seed)));
        QVERIFY(f.addStep("invert") && f.addStep("gaussian_blur") && f.addStep("grayscale"));
        f.document().setCurrentStep(1);
        QVERIFY(f.openStrip());
        QCOMPARE(f.cells().size(), std::size_t(9));
        QVERIFY(f.presentIndex() < 9);
        const auto check = [&](bool later) {
            std::set<double> different;
            for (const StripCell* cell : f.cells()) {
                Pipeline chain = f.document().pipeline();
                if (!later) chain.steps.resize(2);
                const double sigma = numberIn(cell->text());
                different.insert(sigma);
                chain.steps[1].parameters.set("sigma", sigma);
                QVERIFY2(samePicture(cell->picture(), resultOf(f.document().image(), chain)),
                         qPrintable(cell->text()));
            }
            QCOMPARE(different.size(), f.cells().size());
        };
        check(true);
        // Without the steps after it.
        auto* later = f.strip.findChild<QCheckBox*>();
        QVERIFY(later && later->isChecked());
        later->setFocus();
        QTest::keyClick(later, Qt::Key_Space);
        QVERIFY(!later->isChecked());
        QVERIFY(f.cells()[0]->picture().isNull());
        QVERIFY(f.complete());
        check(false);
    }

    void aCellIsDrawnAsTheDisplayShowsIt() {
        StripFixture f;
        QVERIFY(f.open(f.scene("a.png", {40, 30})));
        QVERIFY(f.addStep("grayscale") && f.addStep("gaussian_blur"));
        QVERIFY(f.openStrip());
        const auto compare = [&](auto&& level) {
            StripCell* cell = f.cells()[3];
            const QImage shot = cell->grab().toImage();
            const QRect at = cell->pictureRect();
            const int scale = at.width() / 40;
            QCOMPARE(at.size(), QSize(40, 30) * scale);
            const auto view = cell->picture().view<std::uint8_t>();
            for (int y = 0; y < 30; ++y)
                for (int x = 0; x < 40; ++x) {
                    const QColor drawn = shot.pixelColor(at.topLeft() + QPoint(x, y) * scale +
                                                         QPoint(1, 1) * (scale / 2));
                    QCOMPARE(drawn.red(), level(view.row(y)[x]));
                }
        };
        QCOMPARE(f.cells()[3]->picture().format(), PixelFormat::Gray8);
        compare([](int sample) { return sample; });
        f.window.display().setManual(f.cells()[3]->picture(), {60, 61});
        compare([](int sample) { return sample <= 60 ? 0 : 255; });
    }

    // As in the canvas: an object a colour.
    void numbersOfObjectsHaveTheirColours() {
        StripFixture f;
        QVERIFY(f.open(f.scene("a.png", {40, 30})));
        QVERIFY(f.addStep("threshold") && f.addStep("connected_components"));
        f.document().setCurrentStep(0);
        QVERIFY(f.openStrip());
        const auto& colors = colorsOf(ColorMap::Labels);
        const auto drawn = [&](const StripCell* cell) {
            const QImage shot = const_cast<StripCell*>(cell)->grab().toImage();
            const QRect at = cell->pictureRect();
            const Image& numbers = cell->picture();
            const int scale = at.width() / numbers.width();
            std::set<int> objects;
            for (int y = 0; scale > 0 && y < numbers.height(); ++y)
                for (int x = 0; x < numbers.width(); ++x) {
                    const auto number = numbers.view<std::uint32_t>().row(y)[x];
                    const ScreenColor wanted = colors[number ? 1 + (number - 1) % 255 : 0];
                    const QColor pixel = shot.pixelColor(at.topLeft() + QPoint(x, y) * scale +
                                                         QPoint(1, 1) * (scale / 2));
                    if (pixel == QColor(wanted.r, wanted.g, wanted.b))
                        objects.insert(int(number));
                    else
                        return std::set<int>{};
                }
            return objects;
        };
        const StripCell* present = f.cells()[f.presentIndex()];
        QCOMPARE(present->picture().format(), PixelFormat::Gray32);
        QVERIFY(drawn(present).size() > 2);
    }

    void aClickTakesTheValueOnce() {
        StripFixture f;
        QVERIFY(f.open(f.scene("a.png", {61, 47})));
        QVERIFY(f.addStep("gaussian_blur"));
        const ParamSet before = f.parameters(0);
        QVERIFY(f.openStrip());
        const int entries = f.document().undoStack().count();
        const std::size_t other = (f.presentIndex() + 2) % f.cells().size();
        const double wanted = numberIn(f.cells()[other]->text());
        QTest::mouseClick(f.cells()[other], Qt::LeftButton);
        QVERIFY(!f.strip.isVisible());
        QCOMPARE(f.parameters(0).real("sigma"), wanted);
        QCOMPARE(f.document().undoStack().count(), entries + 1);
        f.document().undoStack().undo();
        QVERIFY(f.parameters(0) == before);

        // With Shift it stays, and the value taken is the present one now.
        QVERIFY(f.openStrip());
        QTest::mouseClick(f.cells()[other], Qt::LeftButton, Qt::ShiftModifier);
        QVERIFY(f.strip.isVisible());
        QCOMPARE(f.parameters(0).real("sigma"), wanted);
        QVERIFY(f.complete());
        QVERIFY(f.presentIndex() < f.cells().size());
        QCOMPARE(numberIn(f.cells()[f.presentIndex()]->text()), wanted);

        // By keys: arrows move, Return takes, Escape leaves it.
        QTRY_VERIFY(f.cells()[f.presentIndex()]->hasFocus());
        const std::size_t next = f.presentIndex() == 0 ? 1 : f.presentIndex() - 1;
        f.press(next == 1 ? Qt::Key_Right : Qt::Key_Left);
        if (f.cells()[next]->hasFocus()) {
            const double value = numberIn(f.cells()[next]->text());
            f.press(Qt::Key_Return);
            QCOMPARE(f.parameters(0).real("sigma"), value);
            QVERIFY(!f.strip.isVisible());
            QVERIFY(f.openStrip());
        }
        const ParamSet now = f.parameters(0);
        f.press(Qt::Key_Escape);
        QVERIFY(!f.strip.isVisible());
        QVERIFY(f.parameters(0) == now);
    }

    // The canvas shows the value under the mouse: it must be in sight.
    void theImageStaysInSight() {
        for (const QSize size : {QSize(1440, 900), QSize(1024, 640)}) {
            StripFixture f;
            f.window.resize(size);
            QVERIFY(f.open(f.scene("a.png", {61, 47})));
            QVERIFY(f.addStep("gaussian_blur"));
            const auto placeOf = [](QWidget& widget) {
                return QRect(widget.mapToGlobal(QPoint()), widget.size());
            };
            Canvas& canvas = f.window.canvas();
            QCOMPARE(placeOf(canvas), canvas.visibleRegion().boundingRect().translated(
                                          canvas.mapToGlobal(QPoint())));
            const QSize before = canvas.size();
            QVERIFY(f.openStrip());
            const QRect strip = placeOf(f.strip), image = placeOf(canvas);
            QVERIFY(!strip.intersects(image));
            QVERIFY2(image.height() >= f.window.height() / 4,
                     qPrintable(QString::number(image.height())));
            f.press(Qt::Key_Escape);
            QVERIFY(!f.strip.isVisible());
            QVERIFY(canvas.hasFocus());
            QTRY_VERIFY(canvas.height() >= before.height());
        }
    }

    // In a low window a button has the controls, so that the pictures have the room.
    void controlsFoldInALowWindow() {
        StripFixture f;
        f.window.resize(1008, 600);
        QVERIFY(f.open(f.scene("a.png", {160, 120})));
        QVERIFY(f.addStep("gaussian_blur"));
        QVERIFY(f.openStrip());
        auto* button = f.strip.findChild<QToolButton*>(QStringLiteral("stripValuesButton"));
        auto* across = f.strip.findChild<QComboBox*>(QStringLiteral("stripAcrossCount"));
        QTRY_VERIFY(button->isVisible() && !across->isVisible());
        QTest::mouseClick(button, Qt::LeftButton);
        QTRY_VERIFY(across->isVisible() && across->window() != &f.window);
        QVERIFY(across->window()->isAncestorOf(QApplication::focusWidget()));
        for (const auto* part : across->window()->findChildren<QComboBox*>())
            QVERIFY(across->window()->rect().contains(
                QRect(part->mapTo(across->window(), QPoint()), part->size())));
        f.choose("stripAcrossCount", QStringLiteral("5"));
        QTRY_COMPARE(f.cells().size(), std::size_t(5));
        QTest::keyClick(across, Qt::Key_Escape);
        QTRY_VERIFY(!across->isVisible());
        QVERIFY(f.strip.isVisible());
        // In a higher one they stand above the pictures.
        f.window.resize(1280, 1000);
        f.window.resizeDocks({static_cast<QDockWidget*>(f.strip.parentWidget())}, {400},
                             Qt::Vertical);
        QTRY_VERIFY(across->isVisible() && !button->isVisible());
        QCOMPARE(across->window(), static_cast<QWidget*>(&f.window));
        QCOMPARE(f.cells().size(), std::size_t(5));
    }

    void choicesAndTwoParameters() {
        StripFixture f;
        QVERIFY(f.open(f.scene("a.png", {33, 21})));
        QVERIFY(f.addStep("add_noise"));
        const ParamSpec* choice = nullptr;
        for (const ParamSpec& spec : findOperation("add_noise")->description().parameters)
            if (spec.kind == ParamKind::Choice) choice = &spec;
        QVERIFY(choice);
        QVERIFY(f.openStrip());
        f.choose("stripAcross", QStringLiteral("Sigma"));
        f.choose("stripDown", QString::fromStdString(choice->label));
        QTRY_COMPARE(f.cells().size(), 9 * choice->choices.size());
        QVERIFY(f.complete());
        QCOMPARE(f.strip.grid().columns(), 9);
        const std::size_t last = f.cells().size() - 1;
        for (const std::size_t i : {std::size_t(0), last}) {
            Pipeline chain = f.document().pipeline();
            chain.steps[0].parameters.set("sigma", numberIn(f.cells()[i]->text()));
            chain.steps[0].parameters.set(
                choice->id, i == 0 ? choice->choices.front().id : choice->choices.back().id);
            QVERIFY(samePicture(f.cells()[i]->picture(), resultOf(f.document().image(), chain)));
        }
        const int entries = f.document().undoStack().count();
        QTest::mouseClick(f.cells()[last], Qt::LeftButton);
        QCOMPARE(f.parameters(0).choice(choice->id), choice->choices.back().id);
        QCOMPARE(f.document().undoStack().count(), entries + 1);
    }

    void whatChangesIsComputedAnew() {
        StripFixture f;
        QVERIFY(f.open(f.scene("a.png", {300, 200})));
        QVERIFY(f.addStep("gaussian_blur"));
        QVERIFY(f.openStrip());
        const Image before = f.cells()[0]->picture();
        f.document().setRegion(Rect{10, 20, 50, 40});
        QVERIFY(f.cells()[0]->picture().isNull());
        QVERIFY(f.complete());
        QCOMPARE(f.cells()[0]->picture().size(), (Size{50, 40}));
        Pipeline chain = f.document().pipeline();
        chain.steps[0].parameters.set("sigma", numberIn(f.cells()[8]->text()));
        QVERIFY(samePicture(f.cells()[8]->picture(),
                            resultOf(f.document().image(), chain).crop({10, 20, 50, 40})));
        // The window closed: nothing is computed any more.
        f.press(Qt::Key_Escape);
        f.document().setRegion(std::nullopt);
        QTest::qWait(1);
        QVERIFY(!f.strip.isVisible());
        // No step, no cells.
        f.document().removeStep(0);
        QVERIFY(!f.window.actions().testStrip->isEnabled());
    }

    // At 100% the cells show the middle of the view, pixel for pixel, and not all of it reduced.
    void cellsHaveTheDetailOfTheView() {
        StripFixture f;
        QVERIFY(f.open(f.scene("a.png", {900, 700})));
        QVERIFY(f.addStep("gaussian_blur"));
        QVERIFY(f.openStrip());
        Canvas& canvas = f.window.canvas();
        canvas.setZoom(1, QRectF(canvas.rect()).center());
        QVERIFY(f.complete());
        QTRY_COMPARE(f.bridge().resultIsCurrent(), true);
        const Rect seen = canvas.viewport().visible;
        const QSize room = f.strip.grid().pictureRoom();
        QVERIFY(room.width() < seen.width / 2);
        const Size shown{std::min(room.width(), seen.width), std::min(room.height(), seen.height)};
        const Rect middle{seen.x + (seen.width - shown.width) / 2,
                          seen.y + (seen.height - shown.height) / 2, shown.width, shown.height};
        QCOMPARE(f.cells()[0]->picture().size(), shown);
        Pipeline chain = f.document().pipeline();
        chain.steps[0].parameters.set("sigma", numberIn(f.cells()[8]->text()));
        QVERIFY(samePicture(f.cells()[8]->picture(),
                            resultOf(f.document().image(), chain).crop(middle)));
        // A region is shown whole.
        f.document().setRegion(Rect{0, 0, 900, 700});
        QVERIFY(f.complete());
        QVERIFY(f.cells()[0]->picture().width() <= room.width());
    }

    void theCardsMenuOpensIt() {
        StripFixture f;
        QVERIFY(f.open(f.scene("a.png", {33, 21})));
        QVERIFY(f.addStep("gaussian_blur"));
        auto* list = f.window.findChild<StepList*>();
        QVERIFY(list);
        QTest::mouseClick(list->card(0)->findChild<MenuDots*>(), Qt::LeftButton);
        QMenu* menu = nullptr;
        QTRY_VERIFY((menu = qobject_cast<QMenu*>(QApplication::activePopupWidget())));
        for (QAction* entry : menu->actions())
            if (entry->text().startsWith(QStringLiteral("Test strip")))
                QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(entry).center());
        QTRY_VERIFY(f.strip.isVisible());
        QVERIFY(f.complete());
        std::set<QString> names;
        for (const StripCell* cell : f.cells()) names.insert(cell->accessibleName());
        QCOMPARE(names.size(), f.cells().size());
    }
};

WARPSCOPE_TEST(TestStripTest)
#include "test_strip_test.moc"
