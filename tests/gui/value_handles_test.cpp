// Threshold and levels edited in the histogram, in the window, by mouse and keys.
#include <array>

#include "handles_window.h"
#include "operations/found_level.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

class ValueHandlesTest : public QObject {
    Q_OBJECT
    using Look = ValueHandle::Look;

  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

    void levelsAreDragged_data() { pictureFormats(); }
    void levelsAreDragged() {
        QFETCH(PixelFormat, format);
        QFETCH(bool, logarithmic);
        HandlesWindow f;
        QVERIFY(f.openPicture(format));
        if (logarithmic) f.click("histogramLog");
        QVERIFY(f.add("levels"));
        QTRY_COMPARE(f.shown().size(), std::size_t(3));
        QCOMPARE(f.view.stepMarks().titles.first(), QStringLiteral("Levels 0 to 255, gamma 1"));
        QVERIFY2(!f.caption().contains(QStringLiteral("handles")), qPrintable(f.caption()));
        // Black to the right, white to the left, gamma aside; every drag one entry of undo, and the
        // picture as the parameters say.
        const auto drags = [&](Look look, const char* id, int pixels) {
            const int before = f.undoCount();
            const double start = f.given().real(id);
            const double expected = start + f.levelsIn(pixels);
            ValueHandle* handle = f.handle(look);
            QVERIFY(handle);
            f.drag(*handle, {pixels, 3}, false);
            QVERIFY(f.document().interacting());
            if (look == Look::Gamma)
                QVERIFY(pixels < 0 ? f.given().real(id) > start : f.given().real(id) < start);
            else
                QVERIFY2(std::abs(f.given().real(id) - expected) <= 0.5 + 1e-9,
                         qPrintable(QString::number(f.given().real(id))));
            QCOMPARE(f.given().real(id), look == Look::Gamma
                                             ? std::round(f.given().real(id) * 100) / 100
                                             : std::round(f.given().real(id)));
            PanelFixture::release(f.ground(), HandlesWindow::centre(*handle));
            QVERIFY(!f.document().interacting());
            QCOMPARE(f.undoCount(), before + 1);
            QVERIFY(f.follows());
            const double kept = f.given().real(id);
            f.document().undoStack().undo();
            QCOMPARE(f.given().real(id), start);
            f.document().undoStack().redo();
            QCOMPARE(f.given().real(id), kept);
            QTRY_COMPARE(f.shown().size(), std::size_t(3));
        };
        drags(Look::Black, "black", 20 + int(f.random() % 30));
        if (QTest::currentTestFailed()) return;
        drags(Look::White, "white", -20 - int(f.random() % 30));
        if (QTest::currentTestFailed()) return;
        drags(Look::Gamma, "gamma", f.random() % 2 ? 13 : -13);
    }

    void handlesOnAZoomedAxis() {
        for (const PixelFormat format : {PixelFormat::Rgba8, PixelFormat::Gray16}) {
            HandlesWindow f;
            QVERIFY(f.openPicture(format));
            QVERIFY(f.add("levels"));
            f.document().setParameter(0, "black", 120.0, EditPhase::Single);
            QVERIFY(f.follows());
            const double wide = f.levelsIn(10);
            f.zoomIn();
            QTRY_VERIFY(f.levelsIn(10) < wide / 4);
            QTRY_VERIFY(f.handle(Look::Black));
            const auto stands = [&] {
                return std::abs(HandlesWindow::centre(*f.handle(Look::Black)).x() -
                                f.view.pixelX(120.0 / 255 * f.fullValue())) <= 1;
            };
            QTRY_VERIFY(stands());
            const double expected = 120 + f.levelsIn(31);
            f.drag(*f.handle(Look::Black), {31, 0});
            const double least = format == PixelFormat::Rgba8 ? 1 : 1.0 / 257;
            QVERIFY(std::abs(f.given().real("black") - expected) <= least / 2 + 1e-9);
            const double steps = f.given().real("black") / least;
            QVERIFY(std::abs(steps - std::round(steps)) < 1e-6);
            // White lies beside the axis and waits at its end, from where it comes.
            QVERIFY(f.handle(Look::White));
            QVERIFY(std::abs(HandlesWindow::centre(*f.handle(Look::White)).x() -
                             f.view.plotArea().right()) <= 1);
            f.drag(*f.handle(Look::White), {-5, 0});
            QVERIFY(f.given().real("white") < 200);
            QVERIFY(f.follows());
        }
    }

    // Beside a line, at any height: within 7 pixels it is the handle's, farther away a range
    // begins.
    void theLineIsTakenFromBesideIt() {
        HandlesWindow f;
        QVERIFY(f.openPicture(PixelFormat::Rgba8));
        for (const char* operation : {"threshold", "levels"}) {
            QVERIFY(f.add(operation));
            const Look look = operation[0] == 't' ? Look::Level : Look::White;
            const char* id = operation[0] == 't' ? "value" : "white";
            QTRY_VERIFY(f.handle(look));
            if (look == Look::White) f.document().setParameter(0, id, 180.0, EditPhase::Single);
            QVERIFY(f.isStill());
            const int sign = f.random() % 2 ? 1 : -1;
            const QPoint line(HandlesWindow::centre(*f.handle(look)).x(),
                              int(f.view.plotArea().center().y()));
            const QPoint beside = line + QPoint(6 * sign, int(f.random() % 21) - 10);
            PanelFixture::move(f.ground(), beside);
            QCOMPARE(f.ground().cursor().shape(), Qt::SizeHorCursor);
            const double start = f.given().real(id), expected = start - f.levelsIn(25);
            const int before = f.undoCount();
            PanelFixture::press(f.ground(), beside);
            QCOMPARE(f.given().real(id), start);
            PanelFixture::move(f.ground(), beside - QPoint(12, 0));
            PanelFixture::move(f.ground(), beside - QPoint(25, 0));
            PanelFixture::release(f.ground(), beside - QPoint(25, 0));
            QVERIFY2(std::abs(f.given().real(id) - expected) <= 0.5 + 1e-9,
                     qPrintable(QString::number(f.given().real(id))));
            QCOMPARE(f.undoCount(), before + 1);
            QVERIFY(!f.document().interacting());
            QVERIFY(!f.view.selection());
            QVERIFY(f.isStill());
            // Escape takes such a drag back, too.
            const QPoint now(HandlesWindow::centre(*f.handle(look)).x() + 3, line.y());
            const double kept = f.given().real(id);
            PanelFixture::press(f.ground(), now);
            PanelFixture::move(f.ground(), now - QPoint(20, 0));
            QVERIFY(f.given().real(id) < kept);
            f.press(Qt::Key_Escape);
            QCOMPARE(f.given().real(id), kept);
            PanelFixture::move(f.ground(), now - QPoint(30, 0));
            PanelFixture::release(f.ground(), now - QPoint(30, 0));
            QCOMPARE(f.given().real(id), kept);
            QVERIFY(f.isStill());
            // Farther away.
            const QPoint away(HandlesWindow::centre(*f.handle(look)).x() - 12, line.y());
            PanelFixture::move(f.ground(), away);
            QCOMPARE(f.ground().cursor().shape(), Qt::CrossCursor);
            PanelFixture::press(f.ground(), away);
            PanelFixture::move(f.ground(), away - QPoint(20, 0));
            PanelFixture::release(f.ground(), away - QPoint(20, 0));
            QCOMPARE(f.given().real(id), kept);
            QVERIFY(f.view.selection());
            f.view.clearSelection();
            f.document().removeStep(0);
            QVERIFY(f.isStill());
        }
    }

    // What is over the picture goes first.
    void escapeOnTheImageEndsAMarkedRange() {
        HandlesWindow f;
        QVERIFY(f.openPicture(PixelFormat::Rgba8));
        QVERIFY(f.isStill());
        const QPoint from = f.at(60, 100), to = f.at(120, 100);
        PanelFixture::press(f.ground(), from);
        PanelFixture::move(f.ground(), (from + to) / 2);
        PanelFixture::move(f.ground(), to);
        PanelFixture::release(f.ground(), to);
        QVERIFY(f.view.selection());
        f.window.canvas().setFocus();
        f.press(Qt::Key_R);
        QVERIFY(f.document().region());
        f.press(Qt::Key_Escape);
        QVERIFY(!f.document().region());
        QVERIFY(f.view.selection());
        f.press(Qt::Key_Escape);
        QVERIFY(!f.view.selection());
        QVERIFY(f.window.canvas().hasFocus());
    }

    void escapeTakesADragBack() {
        HandlesWindow f;
        QVERIFY(f.openPicture(PixelFormat::Rgba8));
        QVERIFY(f.add("levels"));
        QTRY_VERIFY(f.handle(Look::White));
        const int before = f.undoCount();
        f.drag(*f.handle(Look::White), {-40, 0}, false);
        QVERIFY(f.given().real("white") < 240);
        f.press(Qt::Key_Escape);
        QCOMPARE(f.given().real("white"), 255.0);
        QVERIFY(!f.document().interacting());
        QCOMPARE(f.undoCount(), before);
        PanelFixture::release(f.ground(), HandlesWindow::centre(*f.handle(Look::White)));
        QCOMPARE(f.undoCount(), before);
        QVERIFY(f.follows());
        // A step that goes while it is held takes the drag along.
        f.drag(*f.handle(Look::White), {-40, 0}, false);
        QVERIFY(f.document().interacting());
        f.document().removeStep(0);
        QVERIFY(!f.document().interacting());
        QVERIFY(f.shown().empty());
        PanelFixture::release(f.ground(), f.ground().rect().center());
        QVERIFY(f.document().pipeline().steps.empty());
    }

    void aFixedThresholdIsDragged_data() { pictureFormats(); }
    void aFixedThresholdIsDragged() {
        QFETCH(PixelFormat, format);
        QFETCH(bool, logarithmic);
        HandlesWindow f;
        QVERIFY(f.openPicture(format));
        if (logarithmic) f.click("histogramLog");
        QVERIFY(f.add("threshold"));
        QTRY_COMPARE(f.shown().size(), std::size_t(1));
        QTRY_VERIFY(f.card(0).statusText().startsWith(QStringLiteral("level ")));
        const int before = f.undoCount();
        const double start = f.given().real("value");
        const int by = f.random() % 2 ? 37 : -37;
        const double expected = start + f.levelsIn(by);
        f.drag(*f.handle(Look::Level), {by, 0});
        QVERIFY(std::abs(f.given().real("value") - expected) <= 0.5 + 1e-9);
        QCOMPARE(f.given().choice("method"), std::string("fixed"));
        QCOMPARE(f.undoCount(), before + 1);
        // The line is where the step cuts.
        QCOMPARE(f.view.stepMarks().lines.size(), std::size_t(1));
        QVERIFY(std::abs(f.view.stepMarks().lines.front() -
                         f.given().real("value") / 255 * f.fullValue()) < 1e-6 * f.fullValue());
        QVERIFY(f.follows());
    }

    void aFoundLevelIsShownAndDragged_data() { pictureFormats(); }
    void aFoundLevelIsShownAndDragged() {
        QFETCH(PixelFormat, format);
        HandlesWindow f;
        QVERIFY(f.openPicture(format));
        QVERIFY(f.add("threshold"));
        for (const char* method : {"otsu", "li"}) {
            f.document().setParameter(0, "method", std::string(method), EditPhase::Single);
            QTRY_COMPARE(f.view.stepMarks().lines.size(), std::size_t(1));
            QVERIFY(f.follows());
            const double level =
                test::levelFoundIn(f.document().image(), f.document().pipeline().steps[0]);
            QVERIFY(std::abs(f.view.stepMarks().lines.front() - level) < 1e-9 * f.fullValue());
            const QString text =
                isFloat(format)
                    ? QLocale().toString(level, 'g', 4)
                    : QLocale().toString(level, 'f', level == std::floor(level) ? 0 : 2);
            QVERIFY2(f.card(0).statusText().startsWith(QStringLiteral("level %1").arg(text)),
                     qPrintable(f.card(0).statusText()));
            QVERIFY2(f.view.stepMarks().titles.first() == QStringLiteral("Threshold %1").arg(text),
                     qPrintable(f.view.stepMarks().titles.first()));
            QTRY_COMPARE(f.shown().size(), std::size_t(1));
            QCOMPARE(f.handle(Look::Level)->accessibleDescription(), text);
        }
        // From there by hand: a fixed level. One undo, and it is found again.
        const std::string method = f.given().choice("method");
        const double found = f.view.stepMarks().lines.front();
        const int before = f.undoCount();
        const double start = found / f.fullValue() * 255;
        const int by = start < 128 ? 29 : -29;
        const double expected = start + f.levelsIn(by);
        f.drag(*f.handle(Look::Level), {by, 0});
        QCOMPARE(f.given().choice("method"), std::string("fixed"));
        QVERIFY2(std::abs(f.given().real("value") - expected) <= 0.5 + 1e-9,
                 qPrintable(QStringLiteral("%1, %2").arg(f.given().real("value")).arg(expected)));
        QCOMPARE(f.undoCount(), before + 1);
        QVERIFY(f.follows());
        f.document().undoStack().undo();
        QCOMPARE(f.given().choice("method"), method);
        QTRY_COMPARE(f.view.stepMarks().lines, std::vector<double>{found});
        // A drag that is taken back leaves the method.
        QTRY_COMPARE(f.shown().size(), std::size_t(1));
        f.drag(*f.handle(Look::Level), {by, 0}, false);
        QCOMPARE(f.given().choice("method"), std::string("fixed"));
        f.press(Qt::Key_Escape);
        QCOMPARE(f.given().choice("method"), method);
        QCOMPARE(f.undoCount(), before);
        QCOMPARE(f.shown().size(), std::size_t(1));
        // By keys, too.
        QVERIFY(f.handle(Look::Level)->hasFocus());
        f.press(Qt::Key_Right);
        QCOMPARE(f.given().choice("method"), std::string("fixed"));
        QVERIFY(std::abs(f.given().real("value") - start - 1) <= 0.5 + 1e-9);
        PanelFixture::release(f.ground(), HandlesWindow::centre(*f.handle(Look::Level)));
    }

    // What the step before gives is drawn besides, and the handles stand on that.
    void stepsBehindOthersStandOnWhatTheyAreGiven() {
        HandlesWindow f;
        const PixelFormat format = std::array{PixelFormat::Rgba8, PixelFormat::Gray16,
                                              PixelFormat::GrayF32}[f.random() % 3];
        QVERIFY(f.openPicture(format));
        QVERIFY(f.add("gaussian_blur"));
        QVERIFY(f.add("threshold"));
        f.document().setParameter(1, "method", std::string("otsu"), EditPhase::Single);
        const auto blurred = [&] {
            Executor executor(BackendSet::cpuOnly(""), 512u << 20);
            ExecuteRequest before;
            before.source = f.document().image();
            before.pipeline = f.document().pipeline();
            before.pipeline.steps.resize(1);
            before.backend = BackendChoice::CpuSingle;
            return executor.run(before, {}).value().image;
        };
        const auto isDrawn = [&] {
            Executor executor(BackendSet::cpuOnly(""), 512u << 20);
            const auto counts = executor.histogram(blurred(), BackendChoice::Cpu, {}).value();
            const auto bars =
                rebinned(*counts.find(HistogramChannel::Luma), kStepHistogramBins).bins;
            const double most = double(*std::max_element(bars.begin() + 1, bars.end() - 1));
            const std::vector<double>& drawn = f.view.stepMarks().input;
            bool same = drawn.size() == bars.size();
            for (std::size_t i = 0; same && i < bars.size(); ++i)
                same = std::abs(drawn[i] - std::min(1.0, 0.9 * double(bars[i]) / most)) < 1e-9;
            const AxisWindow over = isFloat(format) ? AxisWindow{counts.low, counts.high}
                                                    : AxisWindow{-0.5, f.fullValue() + 0.5};
            return same && f.view.stepMarks().inputRange == over;
        };
        const auto levelIsTold = [&] {
            const double level = test::levelFoundIn(blurred(), f.document().pipeline().steps[1]);
            const std::vector<double>& lines = f.view.stepMarks().lines;
            return lines.size() == 1 && std::abs(lines[0] - level) < 1e-9 * f.fullValue() &&
                   f.card(1).statusText().startsWith(
                       QStringLiteral("level %1 ")
                           .arg(isFloat(format) ? QLocale().toString(level, 'g', 4)
                                                : QLocale().toString(level, 'f', 0)));
        };
        QTRY_COMPARE(f.shown().size(), std::size_t(1));
        QTRY_VERIFY(isDrawn() && levelIsTold());
        QVERIFY(
            f.caption().contains(QStringLiteral("thick line: input of step 2, Threshold (luma)")));
        f.click("histogramSource");
        QVERIFY(isDrawn());
        f.click("histogramSource");
        // It follows the step before.
        f.document().setParameter(0, "sigma", 9.0, EditPhase::Single);
        f.document().setCurrentStep(1);
        QTRY_VERIFY(isDrawn() && levelIsTold());
        // Dragged as any other.
        QVERIFY(f.isStill());
        const int before = f.undoCount();
        const double expected =
            f.view.stepMarks().lines.front() / f.fullValue() * 255 + f.levelsIn(-25);
        f.drag(*f.handle(Look::Level), {-25, 0});
        QVERIFY(std::abs(f.given(1).real("value") - expected) <= 0.5 + 1e-9);
        QCOMPARE(f.undoCount(), before + 1);
        QVERIFY(f.follows());
        QVERIFY(isDrawn());
    }

    // Of a chain that ends in numbers of objects there are no levels to put a handle on: why is
    // said, and what the step gives can be shown.
    void noHandlesOnNumbersOfObjects() {
        HandlesWindow f;
        QVERIFY(f.openPicture(PixelFormat::Gray8));
        QVERIFY(f.add("gaussian_blur"));
        QVERIFY(f.add("threshold"));
        QVERIFY(f.add("connected_components"));
        f.document().setCurrentStep(1);
        QTRY_VERIFY2(f.caption().contains(QStringLiteral("no handles for step 2, Threshold: the "
                                                         "result has sums or numbers")),
                     qPrintable(f.caption()));
        QVERIFY(f.shown().empty());
        f.bridge().setPeek(1);
        QTRY_COMPARE(f.shown().size(), std::size_t(1));
        QTRY_VERIFY(!f.caption().contains(QStringLiteral("no handles")));
    }

    void noHandlesOnWhatIsNotShown() {
        HandlesWindow f;
        QVERIFY(f.openPicture(PixelFormat::Rgba8));
        QVERIFY(f.add("gaussian_blur"));
        QVERIFY(f.add("threshold"));
        const auto nothing = [&] {
            const HistogramStepMarks& marks = f.view.stepMarks();
            return f.shown().empty() && marks.lines.empty() && marks.input.empty() &&
                   f.view.stepTitle().isEmpty();
        };
        const auto says = [&] {
            return f.caption().contains(QStringLiteral("no handles for step 2, Threshold"));
        };
        QTRY_COMPARE(f.shown().size(), std::size_t(1));
        f.bridge().setPeek(0);
        QTRY_VERIFY(nothing() && says());
        f.bridge().setPeek(std::nullopt);
        QTRY_COMPARE(f.shown().size(), std::size_t(1));
        // A region of which nothing is left.
        f.document().insertStep(0, makeStep("crop").value());
        f.document().setParameter(0, "width", std::int64_t(50), EditPhase::Single);
        f.document().setCurrentStep(2);
        f.document().setRegion(Rect{100, 60, 20, 20});
        QTRY_VERIFY(f.caption().contains(QStringLiteral("no handles for step 3, Threshold")));
        QVERIFY(nothing());
        f.document().setRegion(std::nullopt);
        QTRY_COMPARE(f.shown().size(), std::size_t(1));
        f.document().removeStep(0);
        // Without the step before the source is what it is given.
        f.document().setStepEnabled(0, false);
        f.document().setCurrentStep(1);
        QTRY_COMPARE(f.shown().size(), std::size_t(1));
        QVERIFY(!says() && f.view.stepMarks().input.empty());
        f.click("histogramSource");
        QVERIFY(nothing() && says());
        f.click("histogramSource");
        QTRY_COMPARE(f.shown().size(), std::size_t(1));
        // Off, another step, sums.
        f.document().setStepEnabled(1, false);
        QVERIFY(nothing() && !says());
        f.document().setStepEnabled(1, true);
        QCOMPARE(f.document().currentStep(), 1);
        QTRY_COMPARE(f.shown().size(), std::size_t(1));
        f.document().setCurrentStep(0);
        QVERIFY(nothing() && !says());
        f.document().setCurrentStep(1);
        QTRY_COMPARE(f.shown().size(), std::size_t(1));
        QVERIFY(f.add("integral_image"));
        f.document().setCurrentStep(1);
        QTRY_VERIFY(nothing() && says());
    }

    // Float is counted anew with every result; the handle keeps the focus.
    void levelsByKeys() {
        for (const PixelFormat format : {PixelFormat::Rgba8, PixelFormat::GrayF32}) {
            HandlesWindow f;
            QVERIFY(f.openPicture(format));
            QVERIFY(f.add("levels"));
            QTRY_COMPARE(f.shown().size(), std::size_t(3));
            int before = f.undoCount();
            f.view.setFocus();
            f.press(Qt::Key_Tab);
            QVERIFY(f.handle(Look::Black)->hasFocus());
            f.press(Qt::Key_Right, Qt::ShiftModifier);
            f.press(Qt::Key_Right);
            QCOMPARE(f.given().real("black"), 11.0);
            QVERIFY(f.follows());
            QVERIFY(f.handle(Look::Black)->hasFocus());
            QCOMPARE(f.undoCount(), ++before);
            f.press(Qt::Key_Tab);
            QVERIFY(f.handle(Look::Gamma)->hasFocus());
            f.press(Qt::Key_Left);
            QCOMPARE(f.given().real("gamma"), 1.05);
            f.press(Qt::Key_Tab);
            QVERIFY(f.handle(Look::White)->hasFocus());
            f.press(Qt::Key_Left, Qt::ShiftModifier);
            QCOMPARE(f.given().real("white"), 245.0);
            QCOMPARE(f.undoCount(), before + 2);
            // Black and white of the view are others.
            f.press(Qt::Key_Left, Qt::AltModifier | Qt::ShiftModifier);
            QCOMPARE(f.given().real("white"), 245.0);
            QVERIFY(f.follows());
        }
    }
};

WARPSCOPE_TEST(ValueHandlesTest)
#include "value_handles_test.moc"
