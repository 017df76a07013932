// The demo's screen driven by keys and mouse, alone and from the main window.
#include <QClipboard>
#include <QElapsedTimer>
#include <QGuiApplication>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "engine/image/synthetic.h"
#include "engine/io/image_writer.h"
#include "gui/display/display_settings.h"
#include "gui/showcase/showcase.h"
#include "gui/showcase/showcase_overlays.h"
#include "gui/showcase/showcase_window.h"
#include "gui/widgets/theme.h"
#include "gui/window_fixture.h"
#include "gui_showcase/chain_of.h"
#include "pipeline/fake_backend.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;
using test::FakeSet;

namespace {

MatchRunner::BackendFactory fakes(const FakeSet& set) {
    return [backends = set.set()] { return backends; };
}

std::vector<ShowcaseSize> smallSizes() {
    return {{QStringLiteral("s"), QStringLiteral("s"), {48, 32}, {}},
            {QStringLiteral("m"), QStringLiteral("m"), {64, 48}, {}},
            {QStringLiteral("l"), QStringLiteral("l"), {96, 64}, {}}};
}

struct Fixture {
    FakeSet set;
    std::vector<ShowcaseOperation> operations = showcaseOperations({});
    ShowcaseWindow window;

    explicit Fixture(bool withGpu = true)
        : set(withGpu), window(fakes(set), operations, smallSizes(), ShowcaseStart{}) {
        window.resize(1280, 720);
        window.show();
        (void)QTest::qWaitForWindowActive(&window);
        window.setFocus();
    }
    bool settles() {
        return waitedFor([&] { return window.content().settled; }, test::kPatienceMs);
    }
    template <class T>
    T* part(const char* name) {
        return window.findChild<T*>(QLatin1String(name));
    }
};

}  // namespace

class WindowTest : public QObject {
    Q_OBJECT
  private slots:
    void keysChangeOperation();
    void keysChangeSize();
    void spacePauses();
    void keyChangesThreads();
    void noGpuIsSaid();
    void helpAndHint();
    void mouseHasAToolBar();
    void figuresAndPicturesAreDrawn();
    void escapeLeaves();
    void mainWindowRestsAndGoesOn();
    void ownPipelineAndImageAreOffered();
    void darkImagesAreSeen();
    void wrongStartIsRefused();
    void theScreenIsNeverEmpty();
    void theScreenIsCopiedAndSaved();
};

void WindowTest::keysChangeOperation() {
    Fixture f;
    QVERIFY(f.settles());
    const QString first = f.window.content().operation;
    QCOMPARE(first, f.operations[0].label);
    QTest::keyClick(&f.window, Qt::Key_Right);
    QCOMPARE(f.window.operation().id, f.operations[1].id);
    QVERIFY(f.settles());
    QCOMPARE(f.window.content().operation, f.operations[1].label);
    QTest::keyClick(&f.window, Qt::Key_Left);
    QTest::keyClick(&f.window, Qt::Key_Left);  // around, past what leaves such a picture as it is
    std::size_t last = f.operations.size() - 1;
    while (!planChain(f.operations[last].pipeline, PixelFormat::Rgba8, {48, 32})) --last;
    QCOMPARE(f.window.operation().id, f.operations[last].id);
    QTest::keyClick(&f.window, Qt::Key_Right);
    QCOMPARE(f.window.operation().id, f.operations[0].id);
}

void WindowTest::keysChangeSize() {
    Fixture f;
    QTest::keyClick(&f.window, Qt::Key_Down);  // already the smallest
    QCOMPARE(f.window.imageSize().id, QStringLiteral("s"));
    for (int i = 0; i < 4; ++i) QTest::keyClick(&f.window, Qt::Key_Up);
    QCOMPARE(f.window.imageSize().id, QStringLiteral("l"));
    QVERIFY(f.settles());
    QCOMPARE(f.window.content().size, QStringLiteral("96 × 64"));
    QTest::keyClick(&f.window, Qt::Key_Down);
    QCOMPARE(f.window.imageSize().id, QStringLiteral("m"));
}

void WindowTest::spacePauses() {
    Fixture f;
    QVERIFY(f.settles());
    QTest::keyClick(&f.window, Qt::Key_Space);
    QVERIFY(f.window.paused());
    QVERIFY(waitedFor([&] { return f.window.content().notice == QStringLiteral("Paused"); },
                      test::kPatienceMs));
    QVERIFY(test::comesToRest([&] { return f.set.cuda->runs.load(); }));
    const int runs = f.set.cuda->runs;
    QTest::keyClick(&f.window, Qt::Key_Space);
    QVERIFY(waitedFor([&] { return f.set.cuda->runs > runs + 10; }, test::kPatienceMs));
    QVERIFY(waitedFor([&] { return f.window.content().notice.isEmpty(); }, test::kPatienceMs));
}

void WindowTest::keyChangesThreads() {
    Fixture f;
    QVERIFY(f.settles());
    QCOMPARE(f.window.content().sides[0].backend, BackendKind::Cpu);
    QCOMPARE(f.window.content().sides[1].backend, BackendKind::Cuda);
    QCOMPARE(f.set.cpuSingle->runs.load(), 0);
    QTest::keyClick(&f.window, Qt::Key_C);
    QVERIFY(f.settles());
    QVERIFY(
        waitedFor([&] { return f.window.content().sides[0].backend == BackendKind::CpuSingle; }));
    QVERIFY(waitedFor([&] { return f.set.cpuSingle->runs > 0; }));
}

void WindowTest::noGpuIsSaid() {
    Fixture f(false);
    QVERIFY(f.settles());
    QCOMPARE(f.window.content().sides[0].backend, BackendKind::CpuSingle);
    QCOMPARE(f.window.content().sides[1].backend, BackendKind::Cpu);
    QVERIFY(f.window.content().noGpu.contains(QStringLiteral("no NVIDIA driver is installed")));
    QVERIFY(!f.window.content().factor.isEmpty());
    QVERIFY(!f.part<QToolButton>("cpu")->isVisibleTo(f.part<QWidget>("showcaseToolBar")));
    QTest::keyClick(&f.window, Qt::Key_C);  // nothing to choose
    QCOMPARE(f.window.content().sides[0].backend, BackendKind::CpuSingle);
}

void WindowTest::helpAndHint() {
    Fixture f;
    auto* help = f.part<QWidget>("showcaseHelp");
    auto* hint = f.part<QWidget>("showcaseHint");
    QVERIFY(hint->isVisible() && !help->isVisible());
    QVERIFY(f.window.rect().contains(hint->geometry()));
    QTest::keyClick(&f.window, Qt::Key_H);
    QVERIFY(help->isVisible() && !hint->isVisible());
    QVERIFY(f.window.rect().contains(help->geometry()));
    const QSignalSpy left(&f.window, &ShowcaseWindow::left);
    QTest::keyClick(&f.window, Qt::Key_Escape);  // closes the help, not the demo
    QVERIFY(!help->isVisible());
    QCOMPARE(left.count(), 0);

    Fixture waits;
    hint = waits.part<QWidget>("showcaseHint");
    QVERIFY(
        waitedFor([&] { return !hint->isVisible(); }, ShowcaseHint::kStayMs + test::kPatienceMs));
}

void WindowTest::mouseHasAToolBar() {
    Fixture f;
    auto* bar = f.part<QWidget>("showcaseToolBar");
    QVERIFY(!bar->isVisible());
    QTest::mouseMove(&f.window, {300, 300});
    QTest::mouseMove(&f.window, {310, 305});
    QVERIFY(waitedFor([&] { return bar->isVisible(); }));
    QVERIFY(f.window.rect().contains(bar->geometry()));
    for (const QToolButton* button : bar->findChildren<QToolButton*>())
        QVERIFY(!button->accessibleName().isEmpty());
    QTest::mouseClick(f.part<QToolButton>("chevron-right"), Qt::LeftButton);
    QCOMPARE(f.window.operation().id, f.operations[1].id);
    QTest::mouseClick(f.part<QToolButton>("chevron-left"), Qt::LeftButton);
    QCOMPARE(f.window.operation().id, f.operations[0].id);
    QTest::mouseClick(f.part<QToolButton>("arrow-up"), Qt::LeftButton);
    QCOMPARE(f.window.imageSize().id, QStringLiteral("m"));
    QTest::mouseClick(f.part<QToolButton>("arrow-down"), Qt::LeftButton);
    QCOMPARE(f.window.imageSize().id, QStringLiteral("s"));
    QTest::mouseClick(f.part<QToolButton>("pause"), Qt::LeftButton);
    QVERIFY(f.window.paused());
    // Keys still work after a click.
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
    QVERIFY(!f.window.paused());
    const QSignalSpy left(&f.window, &ShowcaseWindow::left);
    QTest::mouseClick(f.part<QToolButton>("close"), Qt::LeftButton);
    QCOMPARE(left.count(), 1);
}

void WindowTest::figuresAndPicturesAreDrawn() {
    Fixture f;
    QVERIFY(f.settles());
    const ShowcaseContent& content = f.window.content();
    for (const SideContent& side : content.sides) {
        QVERIFY(!side.rate.isEmpty());
        QVERIFY(!side.picture.isNull());
        QVERIFY(!side.pictureIsSource);
    }
    QVERIFY(content.agreement.contains(QStringLiteral("identical")));
    // Something else than the ground is where the pictures and the factor belong.
    const QImage shot = f.window.grab().toImage();
    const ShowcaseLayout layout = layoutFor(f.window.size());
    const auto colours = [&](const QRect& rect) {
        QSet<QRgb> set;
        for (int y = rect.top(); y < rect.bottom(); y += 3)
            for (int x = rect.left(); x < rect.right(); x += 3) set.insert(shot.pixel(x, y));
        return set.size();
    };
    QVERIFY(colours(layout.pictures[0]) > 200);
    QVERIFY(colours(layout.pictures[1]) > 200);
    QVERIFY(colours(layout.factor) > 2);
    QVERIFY(colours(layout.figures[0]) > 2);
}

void WindowTest::escapeLeaves() {
    Fixture f;
    QVERIFY(f.settles());
    const QSignalSpy left(&f.window, &ShowcaseWindow::left);
    QTest::keyClick(&f.window, Qt::Key_Escape);
    QCOMPARE(left.count(), 1);
    f.window.endRunning();
    const int runs = f.set.cuda->runs;
    QTest::qWait(50);
    QCOMPARE(f.set.cuda->runs.load(), runs);  // nobody is left to run anything
}

void WindowTest::mainWindowRestsAndGoesOn() {
    WindowFixture f;
    QVERIFY(f.open(f.scene("a.png")));
    QVERIFY(f.addStep("median"));
    Showcase& showcase = f.window.showcase();
    QVERIFY(!showcase.shown());
    f.press(Qt::Key_F11);
    QVERIFY(showcase.shown());
    QVERIFY(f.bridge().paused());
    QVERIFY(waitedFor([&] { return showcase.shown()->content().settled; }, test::kPatienceMs));
    const auto revision = f.bridge().revision();
    QTest::qWait(100);
    QCOMPARE(f.bridge().revision(), revision);
    QVERIFY(!f.bridge().busy());
    f.window.actions().sideBySideDemo->trigger();  // no second one
    QCOMPARE(QApplication::topLevelWidgets().count(showcase.shown()), 1);

    QTest::keyClick(showcase.shown(), Qt::Key_Escape);
    QVERIFY(!showcase.shown());
    QVERIFY(!f.bridge().paused());
    QVERIFY(f.addStep("grayscale"));  // live again
    QVERIFY(waitedFor([&] { return f.bridge().timingsComplete(); }, test::kPatienceMs));

    // Whoever had paused finds it paused.
    f.window.actions().pause->setChecked(true);
    showcase.open();
    showcase.leave();
    QVERIFY(f.bridge().paused());
    // In the middle of work: it is stopped, and done afterwards.
    f.window.actions().pause->setChecked(false);
    f.document().insertStep(0, makeStep("gaussian_blur").value());
    showcase.open();
    QVERIFY(waitedFor([&] { return showcase.shown()->content().settled; }, test::kPatienceMs));
    showcase.leave();
    QVERIFY(waitedFor([&] { return f.bridge().resultIsCurrent() && f.bridge().timingsComplete(); },
                      test::kPatienceMs));
    // Closing the window with the demo open.
    showcase.open();
}

void WindowTest::ownPipelineAndImageAreOffered() {
    WindowFixture f;
    QVERIFY(f.open(f.scene("photo.png", {200, 150})));
    QVERIFY(f.addStep("median"));
    QVERIFY(f.addStep("grayscale"));
    f.window.showcase().open();
    ShowcaseWindow* shown = f.window.showcase().shown();
    QVERIFY(shown);
    QCOMPARE(shown->operation().id, QStringLiteral("pipeline"));
    QCOMPARE(shown->operation().pipeline, f.document().pipeline());
    QCOMPARE(shown->imageSize().size, (Size{200, 150}));
    QVERIFY(waitedFor([&] { return shown->content().settled; }, test::kPatienceMs));
    QCOMPARE(shown->content().size, QStringLiteral("200 × 150"));
    QCOMPARE(shown->content().format, QStringLiteral("photo.png · 8-bit colour"));
    // Of all cores one may have done the work of so small an image, which is said instead.
    QVERIFY(!shown->content().factor.isEmpty() || !shown->content().factorRange.isEmpty());
}

// As in the window behind, with the black and white of its view; without any, over percentiles.
void WindowTest::darkImagesAreSeen() {
    const Image bright = makeScene({200, 150}, false, test::freshSeed(), CpuContext{}).value();
    WindowFixture f;
    const QString path = f.folder.filePath(QStringLiteral("dark.png"));
    QVERIFY(saveImage(test::darkened(bright), path.toStdString()));
    // The view is not to be changed by itself.
    f.window.actions().rangeByItself->setChecked(false);
    QVERIFY(f.open(path));
    QVERIFY(f.addStep("median"));
    const auto brightest = [&](int side) {
        ShowcaseWindow* shown = f.window.showcase().shown();
        const QRect part = layoutFor(shown->size()).pictures[std::size_t(side)];
        const QImage seen = shown->grab(part).toImage();
        int most = 0;
        // Below what is written over it.
        for (int y = seen.height() / 5; y < seen.height() - 2; y += 2)
            for (int x = 2; x < seen.width() - 2; x += 2)
                most = std::max(most, qGray(seen.pixel(x, y)));
        return most;
    };
    const auto race = [&] {
        f.window.showcase().open({}, {1280, 720});
        return waitedFor([&] { return f.window.showcase().shown()->content().settled; },
                         test::kPatienceMs);
    };
    QVERIFY(race());
    QVERIFY2(brightest(0) > 200 && brightest(1) > 200, qPrintable(QString::number(brightest(0))));
    QString method = f.window.showcase().shown()->content().method;
    QVERIFY2(method.contains(QStringLiteral("(percentiles 0.1 to 99.9)")), qPrintable(method));
    f.window.showcase().leave();

    // White by hand, far away: as dark as that.
    f.window.display().setManual(f.document().image(), {0, 8000});
    QVERIFY(race());
    QVERIFY(brightest(0) < 60 && brightest(1) < 60);
    method = f.window.showcase().shown()->content().method;
    QVERIFY2(method.contains(QStringLiteral("white 8000 (set by hand)")), qPrintable(method));
    // The demo's own picture has its own colours, and sums have their own values.
    f.window.showcase().shown()->stepSize(1);
    QVERIFY(waitedFor([&] { return f.window.showcase().shown()->content().settled; },
                      test::kPatienceMs));
    QVERIFY2(brightest(0) > 150, qPrintable(QString::number(brightest(0))));
    QVERIFY(!f.window.showcase().shown()->content().method.contains(QStringLiteral("white")));
    f.window.showcase().leave();
    f.window.showcase().open(QStringLiteral("integral_image"), {1280, 720});
    QVERIFY(waitedFor([&] { return f.window.showcase().shown()->content().settled; },
                      test::kPatienceMs));
    QVERIFY(!f.window.showcase().shown()->content().method.contains(QStringLiteral("white")));
}

void WindowTest::wrongStartIsRefused() {
    WindowFixture f;
    const QSignalSpy refused(&f.window.showcase(), &Showcase::refused);
    f.window.showcase().open(QStringLiteral("sharpest,4k"));
    QVERIFY(!f.window.showcase().shown());
    QCOMPARE(refused.count(), 1);
    QVERIFY(!f.bridge().paused());
    f.window.showcase().open(QStringLiteral("box_mean,256"), {900, 600});
    QCOMPARE(f.window.showcase().shown()->operation().id, QStringLiteral("box_mean"));
    QCOMPARE(f.window.showcase().shown()->size(), QSize(900, 600));
}

// Of the demo's own gray picture, with a chain of its own: whatever key comes, there is a picture.
void WindowTest::theScreenIsNeverEmpty() {
    const FakeSet set(false);
    const Image gray = makeScene({496, 472}, false, 5, CpuContext{}).value();
    const auto sizes = showcaseSizes(gray, QStringLiteral("demo"));
    const auto operations = showcaseOperations(test::chainOf({"median:radius=2"}));
    const ShowcaseStart start = showcaseStart({}, operations, sizes);
    ShowcaseWindow window(fakes(set), operations, sizes, start);
    window.resize(1280, 720);
    window.show();
    (void)QTest::qWaitForWindowActive(&window);
    window.setFocus();
    const auto levels = [&](int side) {
        const QRect part = layoutFor(window.size()).pictures[std::size_t(side)];
        const QImage seen = window.grab(part).toImage();
        QSet<int> found;
        for (int y = 2; y < seen.height(); y += 7)
            for (int x = 2; x < seen.width(); x += 5) found.insert(qGray(seen.pixel(x, y)));
        return found.size();
    };
    // At once, while the picture is prepared, and later.
    for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Right, Qt::Key_Down, Qt::Key_Left, Qt::Key_Up,
                              Qt::Key_Up, Qt::Key_Left}) {
        QTest::keyClick(&window, key);
        QVERIFY2(levels(0) > 20 && levels(1) > 20, qPrintable(window.operation().id));
        QVERIFY(
            planChain(window.operation().pipeline, PixelFormat::Gray8, window.imageSize().size));
        QTest::qWait(30);
        QVERIFY2(levels(0) > 20 && levels(1) > 20, qPrintable(window.operation().id));
    }
    while (window.imageSize().id != QStringLiteral("image")) window.stepSize(-1);
    QTest::keyClick(&window, Qt::Key_Down);
    QCOMPARE(window.imageSize().id, QStringLiteral("256"));
    QTest::keyClick(&window, Qt::Key_Up);
    QTest::keyClick(&window, Qt::Key_Up);
    QCOMPARE(window.imageSize().id, QStringLiteral("512"));
}

void WindowTest::theScreenIsCopiedAndSaved() {
    Theme::instance().setChoice(ThemeChoice::Dark);
    Fixture f;
    QVERIFY(f.settles());
    QTest::keyClick(&f.window, Qt::Key_Space);
    QTest::keyClick(&f.window, Qt::Key_C, Qt::ControlModifier);
    const QMimeData* copied = QGuiApplication::clipboard()->mimeData();
    const QImage image = qvariant_cast<QImage>(copied->imageData());
    QCOMPARE(image.size(), f.window.size() * 2);
    QVERIFY(qGray(image.pixel(4, 4)) > 200);  // light, under a dark theme
    QVERIFY(qGray(f.window.grab().toImage().pixel(4, 4)) < 80);
    const QByteArray svg = copied->data(QStringLiteral("image/svg+xml"));
    QVERIFY(svg.contains("<svg") && svg.contains("frames/s"));
}

WARPSCOPE_TEST(WindowTest)
#include "window_test.moc"
