// Colours of an image's ICC profile in the real window: the picture, the mark, the switch, copies.
#include <QAction>
#include <QClipboard>
#include <algorithm>
#include <map>

#include "gui/display/display_settings.h"
#include "gui/display/screen_colors.h"
#include "tests/gui/window_fixture.h"
#include "tests/io/icc_profile.h"

namespace warpscope::gui {
namespace {

using io_test::ByteBuffer;

// Of one colour, so that any pixel of a screenshot will do.
Image filled(ScreenColor color, const ByteBuffer& profile) {
    auto image = MutableImage::create(PixelFormat::Rgba8, {64, 48}).value();
    const auto view = image.view<std::uint8_t>();
    for (int y = 0; y < view.height; ++y)
        for (int x = 0; x < view.width; ++x) {
            std::uint8_t* pixel = view.row(y) + 4 * x;
            pixel[0] = color.r, pixel[1] = color.g, pixel[2] = color.b, pixel[3] = 255;
        }
    ImageInfo info;
    if (!profile.empty())
        info.iccProfile = std::make_shared<const std::vector<std::uint8_t>>(profile);
    return std::move(image).freeze(std::move(info));
}

ByteBuffer wide(const char* name) {
    return io_test::makeProfile(&io_test::kAdobe, 2.2, name);
}

}  // namespace

class ScreenColorsTest : public QObject {
    Q_OBJECT

  private slots:
    void oneTransformForAProfile() {
        QVERIFY(!screenColorsOf({}));
        QVERIFY(!screenColorsOf(filled({1, 2, 3}, {})));
        QVERIFY(!screenColorsOf(filled({1, 2, 3}, ByteBuffer(200, 7))));
        const auto first = screenColorsOf(filled({1, 2, 3}, wide("a")));
        QVERIFY(first && first->name() == "a");
        QCOMPARE(screenColorsOf(filled({9, 9, 9}, wide("a"))), first);
        QVERIFY(screenColorsOf(filled({1, 2, 3}, wide("b"))) != first);
    }

    void aGrayPictureBecomesColoursOfTheScreen() {
        const auto transform = screenColorsOf(filled({0, 0, 0}, wide("g")));
        auto image = MutableImage::create(PixelFormat::Gray8, {37, 5}).value();
        for (int y = 0; y < 5; ++y)
            for (int x = 0; x < 37; ++x) image.view<std::uint8_t>().row(y)[x] = std::uint8_t(7 * x);
        DisplayLook look;
        look.profile = transform;
        const Image gray = std::move(image).freeze({});
        const Image shown = toScreen(gray, {0, 255}, look).value();
        QCOMPARE(shown.format(), PixelFormat::Rgba8);
        for (int x = 0; x < 37; ++x) {
            const auto level = gray.view<std::uint8_t>().row(3)[x];
            const std::uint8_t from[4] = {level, level, level, 255};
            std::uint8_t to[4];
            transform->apply(from, to, 1);
            QVERIFY(std::memcmp(shown.view<std::uint8_t>().row(3) + 4 * x, to, 4) == 0);
        }
    }

    void theWindowShowsThemAndSaysSo() {
        WindowFixture f;
        const ScreenColor stored{40, 200, 90};
        f.bridge().openImage(filled(stored, wide("Wide gamut")), QStringLiteral("wide"));
        QTRY_VERIFY(f.bridge().resultIsCurrent() && !f.document().image().isNull());
        Canvas& canvas = f.window.canvas();
        // What most of the middle has; lines between large pixels cross it.
        const auto middle = [&] {
            const QImage picture = canvas.grab().toImage();
            std::map<QRgb, int> seen;
            for (int y = -20; y < 20; ++y)
                for (int x = -20; x < 20; ++x)
                    ++seen[picture.pixel(picture.width() / 2 + x, picture.height() / 2 + y)];
            const auto most = std::ranges::max_element(
                seen, {}, [](const auto& counted) { return counted.second; });
            return QColor(most->first);
        };
        std::uint8_t shown[4] = {stored.r, stored.g, stored.b, 255};
        screenColorsOf(f.document().image())->apply(shown, shown, 1);
        const QColor meant(shown[0], shown[1], shown[2]), plain(stored.r, stored.g, stored.b);
        QVERIFY(meant != plain);
        QTRY_COMPARE(middle(), meant);
        // What is copied looks as on the screen.
        f.press(Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        QTRY_COMPARE(QApplication::clipboard()->image().pixelColor(5, 5), meant);
        // The samples are what they were.
        QCOMPARE(f.document().image().view<std::uint8_t>().row(0)[1], stored.g);
        const DisplaySettings* said = &f.window.display();
        QVERIFY(said->describe(f.document().image()).contains(QStringLiteral("Wide gamut")));
        f.press(Qt::Key_Y);
        QTRY_COMPARE(middle(), plain);
        QVERIFY(!f.window.actions().profileShown->isChecked());
        QVERIFY(said->describe(f.document().image()).contains(QStringLiteral("as stored")));
        f.press(Qt::Key_Y);
        QTRY_COMPARE(middle(), meant);
        // One channel is a figure, no colour.
        f.press(Qt::Key_C);
        QTRY_COMPARE(middle(), QColor(stored.r, stored.r, stored.r));
    }
};

}  // namespace warpscope::gui

using warpscope::gui::ScreenColorsTest;
WARPSCOPE_TEST(ScreenColorsTest)
#include "screen_colors_test.moc"
