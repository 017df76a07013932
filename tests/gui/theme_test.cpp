// Both themes can be read, and icons follow them.
#include <QTest>
#include <cmath>

#include "gui/widgets/theme.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

namespace {

double luminance(const QColor& color) {
    const auto linear = [](double c) {
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) +
           0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b) {
    const double x = luminance(a), y = luminance(b);
    return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

}  // namespace

class ThemeTest : public QObject {
    Q_OBJECT

  private slots:
    void bothThemesCanBeRead() {
        for (const ThemeChoice choice : {ThemeChoice::Dark, ThemeChoice::Light}) {
            Theme::instance().setChoice(choice);
            const ThemeColors& c = Theme::instance().colors();
            for (const QColor& ground : {c.window, c.base, c.raised}) {
                QVERIFY(contrast(c.text, ground) >= 7.0);
                QVERIFY(contrast(c.weakText, ground) >= 4.5);
                QVERIFY(contrast(c.error, ground) >= 4.5);
                QVERIFY(contrast(c.warning, ground) >= 4.5);
                QVERIFY(contrast(c.accent, ground) >= 3.0);
                QVERIFY(contrast(c.cpu, ground) >= 3.0);
                QVERIFY(contrast(c.gpu, ground) >= 3.0);
                QVERIFY(contrast(c.cpuSingle, ground) >= 3.0);
            }
            QVERIFY(contrast(c.accentText, c.accent) >= 4.5);
            for (const QColor& grey : {c.window, c.base, c.raised, c.canvas, c.text, c.border})
                QVERIFY(grey.red() == grey.green() && grey.green() == grey.blue());
        }
        Theme::instance().setChoice(ThemeChoice::Dark);
    }

    void iconsFollowTheTheme() {
        const QIcon icon = Theme::instance().icon(QStringLiteral("open"));
        const auto lightest = [&] {
            int most = 0;
            const QImage image = icon.pixmap(QSize(48, 48), 1.0).toImage();
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (qAlpha(image.pixel(x, y)) > 250)
                        most = std::max(most, qGray(image.pixel(x, y)));
            return most;
        };
        Theme::instance().setChoice(ThemeChoice::Light);
        QVERIFY(lightest() < 64);
        Theme::instance().setChoice(ThemeChoice::Dark);
        QVERIFY(lightest() > 200);
    }

    void everyIconThatIsThereIsValid() {
        const QStringList files = QDir(QStringLiteral(":/icons")).entryList();
        QVERIFY(files.size() > 40);
        for (const QString& file : files) {
            const QIcon icon = Theme::instance().icon(QString(file).remove(QStringLiteral(".svg")));
            const QImage image = icon.pixmap(QSize(24, 24), 1.0).toImage();
            int inked = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) inked += qAlpha(image.pixel(x, y)) > 128;
            QVERIFY2(inked >= 12, qPrintable(file));
        }
    }
};

WARPSCOPE_TEST(ThemeTest)
#include "theme_test.moc"
