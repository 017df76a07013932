// The list of operations in the real window: each shows what the engine makes of the region, as the
// canvas would show it, and nothing is computed for a list that is closed.
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSemaphore>
#include <atomic>
#include <limits>
#include <set>

#include "gui/base/chain_renderer.h"
#include "gui/display/color_map.h"
#include "gui/display/contrast_part.h"
#include "gui/display/small_picture.h"
#include "gui/steps/add_step_popup.h"
#include "gui/steps/operation_delegate.h"
#include "gui/steps/operation_previews.h"
#include "gui/window_fixture.h"
#include "gui_canvas/pictures.h"
#include "support/random_seed.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

namespace {

struct PreviewFixture : WindowFixture {
    OperationPreviews& previews = *window.findChild<OperationPreviews*>();

    AddStepPopup& popup() { return *window.findChild<AddStepPopup*>(); }
    QLineEdit& field() { return *popup().findChild<QLineEdit*>(); }
    QListWidget& list() { return *popup().findChild<QListWidget*>(); }
    QListWidgetItem* itemOf(const std::string& id) {
        for (int row = 0; row < list().count(); ++row)
            if (list().item(row)->data(OperationIdRole).toString().toStdString() == id)
                return list().item(row);
        return nullptr;
    }
    bool openList() {
        window.canvas().setFocus();
        press(Qt::Key_A);
        return waitedFor([&] {
            const auto* there = window.findChild<AddStepPopup*>();
            return there && there->isVisible();
        });
    }
    // The operations that the chain can go on with.
    std::vector<const Operation*> possible() {
        std::vector<const Operation*> found;
        const auto given = document().formatAt(document().placeOfNewStep());
        for (const Operation* operation : allOperations()) {
            const auto& d = operation->description();
            if (d.kind == OperationKind::Filter && d.acceptsFormat(*given))
                found.push_back(operation);
        }
        return found;
    }
    bool complete() {
        return waitedFor(
            [&] {
                for (const Operation* operation : possible())
                    if (!previews.of(operation->description().id)) return false;
                return previews.of({}) != nullptr;
            },
            20000);
    }
    Pipeline chainWith(const Operation& operation) {
        const auto& d = operation.description();
        Pipeline chain = document().pipeline();
        chain.steps.resize(std::size_t(document().placeOfNewStep()));
        Step step = document().stepToAdd(d.id).value();
        if (!d.example.empty()) step.parameters = d.exampleParameters();
        chain.steps.push_back(step);
        return chain;
    }
};

// What the chain makes of that part of the source, from all of it.
Image partOfResult(const Image& source, const Pipeline& chain, const Rect& part) {
    Executor executor(BackendSet::cpuOnly("test"), 0);
    ExecuteRequest request;
    request.source = source;
    request.pipeline = chain;
    request.backend = BackendChoice::CpuSingle;
    request.useCache = false;
    const Image whole = executor.run(request, {}).value().image;
    const ChainShape shape =
        shapeOf(chain, source.format(), warpscope::Placement::all(source.size()));
    const Rect all{0, 0, whole.width(), whole.height()};
    const Rect there = intersect(mapped(inverse(shape.sourceFromResult), part), all);
    return whole.crop(there.empty() ? all : there);
}

PyramidPtr pyramidOf(Size size) {
    const Image image = makeScene(size, true, 5, CpuContext{}).value();
    return std::make_shared<const Pyramid>(buildPyramid(image, CpuContext{}).value());
}

}  // namespace

class PreviewsTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() { Theme::instance().setChoice(ThemeChoice::Dark); }

    void picturesAreTheEnginesOwn() {
        PreviewFixture f;
        const auto random = test::freshRandom();
        QVERIFY(f.open(f.scene("a.png", {211, 167}, random->generate())));
        QVERIFY(f.addStep("gaussian_blur"));
        const Rect region{int(random->bounded(20, 140)), int(random->bounded(20, 100)),
                          int(random->bounded(9, 41)), int(random->bounded(9, 41))};
        f.document().setRegion(region);
        QVERIFY(f.openList());
        QVERIFY(f.previews.part() == region);
        QVERIFY(f.complete());
        Pipeline now = f.document().pipeline();
        QVERIFY(sameSamples(f.previews.of({})->picture,
                            partOfResult(f.document().image(), now, region)));
        QVERIFY(f.possible().size() > 20);
        int different = 0;
        for (const Operation* operation : f.possible()) {
            const std::string& id = operation->description().id;
            const auto* preview = f.previews.of(id);
            QVERIFY2(preview && preview->problem.isEmpty() && !preview->gaveUp, id.c_str());
            QVERIFY2(sameSamples(preview->picture, partOfResult(f.document().image(),
                                                                f.chainWith(*operation), region)),
                     id.c_str());
            different += !sameSamples(preview->picture, f.previews.of({})->picture);
            // The list shows it.
            const QImage shown = f.itemOf(id)->data(PictureRole).value<QImage>();
            QVERIFY2(!shown.isNull(), id.c_str());
            QCOMPARE(shown, f.previews.drawn(*preview));
        }
        QVERIFY(different > int(f.possible().size()) * 3 / 4);
        const QString folder = qEnvironmentVariable("WARPSCOPE_SHOTS");
        if (!folder.isEmpty()) f.popup().grab().save(folder + QStringLiteral("/previews.png"));
    }

    void thePartWithMostContrast() {
        const auto random = test::freshRandom();
        for (const Size size : {Size{500, 400}, Size{1500, 900}}) {
            const Rect patch{int(random->bounded(size.width - 60)),
                             int(random->bounded(size.height - 50)), 50, 40};
            const Image image =
                test::makeImage<float>(PixelFormat::GrayF32, size, [&](int x, int y, int) {
                    if (x == 0 && y == 0) return std::numeric_limits<float>::quiet_NaN();
                    const bool inside = x >= patch.x && x < patch.x + patch.width && y >= patch.y &&
                                        y < patch.y + patch.height;
                    return inside && (x / 5 + y / 5) % 2 ? 0.9f : 0.3f;
                });
            const Pyramid pyramid = buildPyramid(image, CpuContext{}).value();
            const Rect whole{0, 0, size.width, size.height};
            const Rect found = partOfMostContrast(pyramid, whole, {80, 60});
            QCOMPARE(found.size(), (Size{80, 60}));
            QVERIFY(intersect(found, whole) == found);
            const Rect both = intersect(found, patch);
            QVERIFY(both.width > patch.width * 3 / 4 && both.height > patch.height * 3 / 4);
            // Elsewhere there is nothing: the middle.
            const Rect flat{patch.x < size.width / 2 ? size.width - 120 : 4, 30, 101, 90};
            if (!intersect(flat, patch).empty()) continue;
            QVERIFY(partOfMostContrast(pyramid, flat, {80, 60}) ==
                    (Rect{flat.x + 10, flat.y + 15, 80, 60}));
            QVERIFY(partOfMostContrast(pyramid, {40, 30, 20, 10}, {80, 60}) ==
                    (Rect{40, 30, 20, 10}));
        }
    }

    void ofWhatIsSeenAndOfAnotherRegion() {
        PreviewFixture f;
        QVERIFY(f.open(f.scene("a.png", {500, 400})));
        QVERIFY(f.openList());
        const QSize room = kPreviewSize * f.popup().devicePixelRatioF();
        QCOMPARE(f.previews.part().width, room.width());
        QCOMPARE(f.previews.part().height, room.height());
        QVERIFY(f.previews.part() == partOfMostContrast(*f.document().source(), {0, 0, 500, 400},
                                                        {room.width(), room.height()}));
        QVERIFY(f.complete());
        const Image before = f.previews.of("invert")->picture;
        QCOMPARE(before.width(), room.width());
        // Another region while the list is open.
        f.document().setRegion(Rect{7, 11, 30, 20});
        QVERIFY(!f.previews.of("invert"));
        QVERIFY(f.itemOf("invert")->data(PictureRole).value<QImage>().isNull());
        QVERIFY(f.complete());
        QCOMPARE(f.previews.of("invert")->picture.size(), (Size{30, 20}));
        // Enlarged by a whole number.
        QCOMPARE(f.itemOf("invert")->data(PictureRole).value<QImage>().size(),
                 QSize(30, 20) * std::min(room.width() / 30, room.height() / 20));
    }

    void typingKeepsThemAndEnterAdds() {
        PreviewFixture f;
        QVERIFY(f.open(f.scene("a.png", {200, 150})));
        QVERIFY(f.openList());
        QVERIFY(f.complete());
        QTest::keyClicks(&f.field(), QStringLiteral("blur"));
        QListWidgetItem* found = f.itemOf("gaussian_blur");
        QVERIFY(found && !f.itemOf("invert"));
        QCOMPARE(f.list().currentItem(), found);
        QCOMPARE(found->data(PictureRole).value<QImage>(),
                 f.previews.drawn(*f.previews.of("gaussian_blur")));
        QTest::keyClick(&f.field(), Qt::Key_Down);
        const QString second = f.list().currentItem()->data(OperationIdRole).toString();
        QVERIFY(second != QStringLiteral("gaussian_blur"));
        QTest::keyClick(&f.field(), Qt::Key_Return);
        QVERIFY(!f.popup().isVisible() && !f.previews.active());
        QCOMPARE(f.document().pipeline().steps.size(), std::size_t(1));
        QCOMPARE(f.document().pipeline().steps[0].operation, second.toStdString());
    }

    void aClosedListHasNoWork() {
        PreviewFixture f;
        QVERIFY(f.open(f.scene("a.png", {300, 200})));
        QVERIFY(f.openList());
        QSignalSpy arrived(&f.previews, &OperationPreviews::arrived);
        QTRY_VERIFY(arrived.count() > 0);
        QTest::keyClick(&f.field(), Qt::Key_Escape);
        QVERIFY(!f.popup().isVisible() && !f.previews.active());
        QVERIFY(!f.previews.of({}));
        const auto known = arrived.count();
        f.document().setRegion(Rect{3, 4, 50, 40});
        QVERIFY(f.addStep("invert"));
        QCOMPARE(arrived.count(), known);
        // And the next one has its own.
        QVERIFY(f.openList() && f.complete());
        QCOMPARE(f.previews.part().width, 50);
    }

    void whatCannotBeTakenSaysWhyAndHasNone() {
        PreviewFixture f;
        QVERIFY(f.open(f.scene("a.png", {90, 70})));
        QVERIFY(f.addStep("grayscale") && f.addStep("integral_image"));
        f.document().setCurrentStep(1);
        QVERIFY(f.openList());
        QVERIFY(f.complete());
        const QListWidgetItem* median = f.itemOf("median");
        QVERIFY(median && !median->data(RefusalRole).toString().isEmpty());
        QVERIFY(!f.previews.of("median"));
        QVERIFY(median->data(PictureRole).value<QImage>().isNull());
        QVERIFY(!f.previews.of("crop")->picture.isNull());
    }

    // As in the canvas: an object a colour.
    void numbersOfObjectsHaveTheirColours() {
        PreviewFixture f;
        QVERIFY(f.open(f.scene("a.png")));
        QVERIFY(f.addStep("threshold"));
        QVERIFY(f.openList() && f.complete());
        const OperationPreviews::Preview& preview = *f.previews.of("connected_components");
        const QImage shown = f.previews.drawn(preview);
        const auto numbers = preview.picture.view<std::uint32_t>();
        const auto& colors = colorsOf(ColorMap::Labels);
        const int scale = shown.width() / preview.picture.width();
        QVERIFY(scale >= 1);
        bool objects = false;
        for (int y = 0; y < preview.picture.height(); ++y)
            for (int x = 0; x < preview.picture.width(); ++x) {
                const std::uint32_t number = numbers.row(y)[x];
                const ScreenColor color = colors[number ? 1 + (number - 1) % 255 : 0];
                QCOMPARE(shown.pixel(x * scale, y * scale), qRgb(color.r, color.g, color.b));
                objects |= number > 0;
            }
        QVERIFY(objects);
    }

    // Half of white, which the step has as a default elsewhere, lies above all of it.
    void aThresholdThatIsAddedPartsADarkImage() {
        PreviewFixture f;
        const Image dark = test::makeImage<std::uint16_t>(
            PixelFormat::Gray16, {120, 90},
            [](int x, int, int) { return std::uint16_t(x < 70 ? 300 + x : 2900 + x); });
        f.bridge().openImage(dark, "dark");
        QTRY_VERIFY(f.document().image().id() == dark.id() && f.bridge().resultIsCurrent());
        QVERIFY(f.openList());
        QTest::keyClicks(&f.field(), QStringLiteral("threshold"));
        QTest::keyClick(&f.field(), Qt::Key_Return);
        QTRY_VERIFY(!f.document().pipeline().steps.empty() && f.bridge().resultIsCurrent());
        const Step added = f.document().pipeline().steps.front();
        QCOMPARE(added.operation, std::string("threshold"));
        const auto whiteFrom = [&] {
            const Image result = f.bridge().result()->levels.front();
            int x = 0;
            while (x < 120 && result.view<std::uint16_t>().row(45)[x] == 0) ++x;
            return x;
        };
        QCOMPARE(whiteFrom(), 70);
        // What the field says of it parts the same pixels, typed elsewhere; no more digits than
        // that takes.
        auto* field = f.window.findChild<QLineEdit*>(QStringLiteral("value.value"));
        QTRY_VERIFY2(field->text().size() <= 6, qPrintable(field->text()));
        QVERIFY(f.bridge().thresholds());
        QCOMPARE(std::floor(field->text().toDouble() * 257),
                 f.bridge().thresholds()->steps.front().level);
        // What it began as is what it is reset to.
        auto* reset = f.window.findChild<QToolButton*>(QStringLiteral("resetStep"));
        QVERIFY(reset->isVisible() && !reset->isEnabled());
        f.document().setParameter(0, "method", std::string("fixed"), EditPhase::Single);
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        QCOMPARE(whiteFrom(), 120);
        QTest::mouseClick(reset, Qt::LeftButton);
        QVERIFY(f.document().pipeline().steps.front() == added);
        QTRY_VERIFY(f.bridge().resultIsCurrent());
        QCOMPARE(whiteFrom(), 70);
        // Elsewhere it means what it meant.
        QCOMPARE(makeStep("threshold").value().parameters.choice("method"), std::string("fixed"));
    }

    // As the canvas: black and white of the view are those of the previews.
    void darkSixteenBitsAreSeen() {
        PreviewFixture f;
        const Image dark = test::makeImage<std::uint16_t>(
            PixelFormat::Gray16, {300, 240},
            [](int x, int y, int) { return std::uint16_t(500 + (x * 37 + y * 13) % 2000); });
        f.bridge().openImage(dark, "dark");
        QTRY_VERIFY(f.document().image().id() == dark.id() && f.bridge().resultIsCurrent());
        f.window.actions().rangePercentiles->trigger();
        QTRY_VERIFY(f.window.display().rangeFor(dark).has_value());
        const auto shown = [&](const std::string& id) {
            return f.previews.drawn(*f.previews.of(id));
        };
        // The drawn preview against the canvas, pixel by pixel.
        const auto differing = [&](const QImage& small, const Rect& part) {
            const Canvas& canvas = f.window.canvas();
            const QImage shot = f.window.canvas().grab().toImage();
            int count = 0;
            for (int y = 0; y < part.height; ++y)
                for (int x = 0; x < part.width; ++x) {
                    const QPointF at =
                        canvas.widgetPosition(QPointF(part.x + x + 0.5, part.y + y + 0.5)) *
                        canvas.devicePixelRatioF();
                    count += shot.pixel(int(at.x()), int(at.y())) != small.pixel(x, y);
                }
            return count;
        };
        f.document().setRegion(Rect{100, 90, 60, 50});
        QVERIFY(f.openList() && f.complete());
        const Rect part = f.previews.part();
        const QImage now = shown({}), inverted = shown("invert");
        QCOMPARE(now.size(), QSize(part.width, part.height));
        std::set<QRgb> levels;
        for (int x = 0; x < now.width(); ++x) levels.insert(now.pixel(x, 0));
        QVERIFY(levels.size() > 20);
        // Another black and white, other pictures.
        f.window.display().setManual(dark, {600, 601});
        QVERIFY(shown({}) != now);
        QCOMPARE(f.itemOf("invert")->data(PictureRole).value<QImage>(), shown("invert"));
        f.window.actions().rangePercentiles->trigger();
        QTRY_VERIFY(shown({}) == now);
        QTest::keyClick(&f.field(), Qt::Key_Escape);
        f.document().setRegion(std::nullopt);
        QTRY_COMPARE(differing(now, part), 0);
        QVERIFY(f.addStep("invert"));
        QTRY_COMPARE(differing(inverted, part), 0);
    }

    void theListIsOnTheScreen() {
        PreviewFixture f;
        f.window.resize(1024, 640);
        QVERIFY(f.open(f.scene("a.png", {90, 70})));
        QVERIFY(f.openList());
        const QRect free = f.popup().screen()->availableGeometry();
        QVERIFY(free.contains(f.popup().geometry()));
        auto* now = f.popup().findChild<QLabel*>(QStringLiteral("addStepNow"));
        QVERIFY(now->isVisible() && !now->accessibleName().isEmpty());
        QTRY_VERIFY(!now->pixmap().isNull());
        QVERIFY(f.list().height() > 2 * kPreviewSize.height());
    }

    void withoutAnImageItIsAListOfWords() {
        PreviewFixture f;
        QVERIFY(f.openList());
        QVERIFY(!f.previews.active());
        QVERIFY(!f.itemOf("invert")->data(PictureRole).isValid());
        QVERIFY(!f.popup().findChild<QLabel*>(QStringLiteral("addStepNow"))->isVisible());
    }

    void cancelledNothingMoreComes() {
        const PyramidPtr source = pyramidOf({200, 150});
        std::atomic<int> first = 0;
        QSemaphore second;
        ChainRenderer* self = nullptr;
        ChainRenderer renderer(
            [&](const ChainPicture& picture) {
                if (picture.revision == 2) return second.release();
                ++first;
                self->cancel();
            },
            1 << 20);
        self = &renderer;
        ChainJob job;
        job.revision = 1;
        job.source = source;
        job.viewport = {{20, 20, 40, 40}, 1.0};
        job.cells.assign(30, {{makeStep("invert").value()}});
        renderer.start(job);
        QTRY_VERIFY(first > 0);
        job.revision = 2;
        job.cells.resize(1);
        renderer.start(job);
        QVERIFY(second.tryAcquire(1, 20000));
        QCOMPARE(first.load(), 1);
    }

    void limitsOfTimeAndSize() {
        const PyramidPtr source = pyramidOf({1600, 1200});
        Mailbox<ChainPicture> pictures;
        ChainRenderer renderer([&](ChainPicture ready) { pictures.post(std::move(ready)); },
                               1 << 20);
        ChainJob job;
        job.source = source;
        job.viewport = {{400, 300, 80, 60}, 1.0};
        // All of the image is what a number of a region depends on.
        job.cells.assign(1, {{makeStep("nl_means").value()}});
        job.cells.push_back({{makeStep("connected_components").value()}});
        job.cells.push_back({{makeStep("invert").value()}});
        job.quickFirst = true;
        job.mostPixels = 300000;
        const auto take = [&] { return pictures.wait({}).value(); };
        renderer.start(job);
        ChainPicture ready = take();
        QCOMPARE(ready.index, std::size_t(2));
        QCOMPARE(ready.picture.size(), (Size{80, 60}));
        for (int i = 0; i < 2; ++i) {
            ready = take();
            QVERIFY(!ready.gaveUp && ready.problem.empty());
            const Size wanted = ready.index == 1 ? Size{20, 15} : Size{80, 60};
            QCOMPARE(ready.picture.size(), wanted);
        }
        job.mostTime = std::chrono::milliseconds(0);
        job.viewport = {{0, 0, 1600, 1200}, 1.0};
        job.mostPixels = 1 << 30;
        job.cells.resize(1);
        renderer.start(job);
        ready = take();
        QVERIFY(ready.gaveUp && ready.picture.isNull() && ready.problem.empty());
        // What comes before the step is not.
        job.step = 1;
        renderer.start(job);
        ready = take();
        QVERIFY(!ready.gaveUp && !ready.picture.isNull());
    }
};

WARPSCOPE_TEST(PreviewsTest)
#include "previews_test.moc"
