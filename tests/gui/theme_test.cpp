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

    // One for each backend and channel, none of them the accent's; one thread and luma are grey.
    void coloursMeanOneThingEach() {
        for (const ThemeChoice choice : {ThemeChoice::Dark, ThemeChoice::Light}) {
            Theme& theme = Theme::instance();
            theme.setChoice(choice);
            const QColor one = theme.backendColor(BackendKind::CpuSingle);
            const QColor all = theme.backendColor(BackendKind::Cpu);
            const QColor gpu = theme.backendColor(BackendKind::Cuda);
            QCOMPARE(one.saturation(), 0);
            QCOMPARE(theme.channelColor(HistogramChannel::Luma).saturation(), 0);
            QVERIFY(all.blue() > all.red() && all.blue() > all.green());
            QVERIFY(gpu.green() > gpu.red() && gpu.green() > gpu.blue());
            const QColor red = theme.channelColor(HistogramChannel::Red);
            const QColor green = theme.channelColor(HistogramChannel::Green);
            const QColor blue = theme.channelColor(HistogramChannel::Blue);
            QVERIFY(red.red() > red.green() && red.red() > red.blue());
            QVERIFY(green.green() > green.red() && green.green() > green.blue());
            QVERIFY(blue.blue() > blue.red() && blue.blue() > blue.green());
            for (const QColor& color : {one, all, gpu, red, green, blue})
                QVERIFY(color != theme.colors().accent);
            QCOMPARE(QApplication::palette().color(QPalette::Highlight), theme.colors().accent);
        }
        Theme::instance().setChoice(ThemeChoice::Dark);
    }

    void figuresAreTabular() {
        Theme::instance().setChoice(ThemeChoice::Dark);
        const QFontMetricsF metrics(Theme::instance().figureFont());
        for (const QChar digit : QStringLiteral("123456789"))
            QCOMPARE(metrics.horizontalAdvance(digit), metrics.horizontalAdvance(QLatin1Char('0')));
    }

    // Drawn anew for every scale: at 300% an edge has fewer pixels between ink and ground than an
    // icon that is blown up.
    void iconsStaySharp() {
        const QIcon icon = Theme::instance().icon(QStringLiteral("open"));
        const auto between = [](const QImage& image) {
            int count = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x) {
                    const int alpha = qAlpha(image.pixel(x, y));
                    count += alpha > 16 && alpha < 240;
                }
            return count;
        };
        const QImage small = icon.pixmap(QSize(24, 24), 1.0).toImage();
        const QImage large = icon.pixmap(QSize(24, 24), 3.0).toImage();
        QCOMPARE(large.size(), QSize(72, 72));
        const QImage blown = small.scaled(72, 72, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
        QVERIFY2(between(large) * 2 < between(blown),
                 qPrintable(QStringLiteral("%1, %2").arg(between(large)).arg(between(blown))));
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
