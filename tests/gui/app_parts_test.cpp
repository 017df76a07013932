// The small parts of the window, each by itself.
#include <QApplication>
#include <QClipboard>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <atomic>

#include "engine/base/log.h"
#include "gui/app/command_line.h"
#include "gui/app/latency_meter.h"
#include "gui/app/log_panel.h"
#include "gui/app/qimage_convert.h"
#include "gui/app/status_bar.h"
#include "gui/app/task_runner.h"
#include "gui/widgets/message_bar.h"
#include "gui/widgets/theme.h"
#include "gui_samples.h"
#include "support/test_case.h"

using namespace warpscope;
using namespace warpscope::gui;

namespace {

class HandClock : public Clock {
  public:
    std::int64_t ns = 0;
    std::int64_t nowNs() const override { return ns; }
};

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

class AppPartsTest : public QObject {
    Q_OBJECT

  private slots:
    void errorsStayAndHintsLeave() {
        MessageBar bar;
        bar.show({MessageBar::Level::Error, QStringLiteral("first"), {}, {}, {}});
        bar.show({MessageBar::Level::Error, QStringLiteral("second"), {}, {}, {}});
        bar.show({MessageBar::Level::Error, QStringLiteral("first"), {}, {}, {}});
        QCOMPARE(bar.count(), 2);
        QCOMPARE(bar.text(), QStringLiteral("first"));
        bar.clear(MessageBar::Level::Info);
        QCOMPARE(bar.count(), 2);
        QTest::mouseClick(bar.findChild<QToolButton*>(QStringLiteral("messageClose")),
                          Qt::LeftButton);
        QCOMPARE(bar.text(), QStringLiteral("second"));
        QTest::keyClick(&bar, Qt::Key_Escape);
        QVERIFY(bar.isHidden());
    }

    void detailsCanBeCopied() {
        MessageBar bar;
        bar.show({MessageBar::Level::Error,
                  QStringLiteral("broken"),
                  QStringLiteral("at row 7"),
                  {},
                  {}});
        QTest::mouseClick(bar.findChild<QPushButton*>(QStringLiteral("messageCopy")),
                          Qt::LeftButton);
        const QString text = QApplication::clipboard()->text();
        QVERIFY(text.contains(QStringLiteral("broken\nat row 7")));
        QVERIFY(text.contains(QStringLiteral(WARPSCOPE_VERSION)));
    }

    void anActionDismissesItsMessage() {
        MessageBar bar;
        int acted = 0;
        bar.show({MessageBar::Level::Warning,
                  QStringLiteral("replace?"),
                  {},
                  QStringLiteral("Replace"),
                  [&] { ++acted; }});
        QTest::mouseClick(bar.findChild<QPushButton*>(QStringLiteral("messageAction")),
                          Qt::LeftButton);
        QCOMPARE(acted, 1);
        QCOMPARE(bar.count(), 0);
    }

    void tasksRunElsewhereInOrderAndAreFinished() {
        std::atomic<int> worked = 0;
        QList<int> finished;
        const QThread* window = QThread::currentThread();
        bool elsewhere = true, here = true;
        {
            TaskRunner tasks;
            for (int i = 0; i < 20; ++i)
                tasks.run([&, i]() -> TaskRunner::Finish {
                    elsewhere &= QThread::currentThread() != window;
                    ++worked;
                    return [&, i] {
                        here &= QThread::currentThread() == window;
                        finished << i;
                    };
                });
            QTRY_COMPARE(finished.size(), 20);
            QVERIFY(!tasks.busy());
            for (int i = 0; i < 5; ++i)
                tasks.run([&]() -> TaskRunner::Finish {
                    QThread::msleep(5);
                    ++worked;
                    return {};
                });
        }
        QCOMPARE(worked.load(), 25);  // nothing that was asked for is lost when it goes away
        QVERIFY(elsewhere && here);
        for (int i = 0; i < 20; ++i) QCOMPARE(finished[i], i);
    }

    void latencyIsOfTheNewestEditShown() {
        HandClock clock;
        LatencyMeter meter(nullptr, clock);
        QSignalSpy measured(&meter, &LatencyMeter::measured);
        clock.ns = 10'000'000;
        meter.edited(1);
        clock.ns = 20'000'000;
        meter.edited(2);
        clock.ns = 30'000'000;
        meter.edited(3);
        clock.ns = 50'000'000;
        meter.painted(2);
        QCOMPARE(meter.lastMs(), 30.0);
        meter.painted(2);
        QCOMPARE(measured.count(), 1);
        meter.painted(9);
        QCOMPARE(meter.lastMs(), 20.0);
        // A picture that came unseen: painting it later measures how long nobody looked.
        meter.edited(10);
        meter.edited(11);
        meter.missed(10);
        clock.ns = 55'000'000;
        meter.painted(10);
        QCOMPARE(measured.count(), 2);
        meter.painted(11);
        QCOMPARE(meter.lastMs(), 5.0);
    }

    void progressShowsItselfAfterAWhile() {
        StatusBar bar;
        bar.show();
        bar.beginWork(QStringLiteral("Computing"));
        QTest::qWait(100);
        QVERIFY(!bar.showsProgress());
        bar.beginWork(QStringLiteral("Computing"));
        QTRY_VERIFY(bar.showsProgress());
        QSignalSpy cancelled(&bar, &StatusBar::cancelRequested);
        QTest::mouseClick(bar.findChild<QToolButton*>(QStringLiteral("statusCancel")),
                          Qt::LeftButton);
        QCOMPARE(cancelled.count(), 1);
        bar.endWork();
        QVERIFY(!bar.showsProgress());
        QTest::qWait(400);
        QVERIFY(!bar.showsProgress());
    }

    void theLogTakesMessagesFromAnyThread() {
        LogPanel log;
        std::jthread other([] { logMessage(LogLevel::Warning, "from elsewhere"); });
        logMessage(LogLevel::Info, "from here");
        other.join();
        QTRY_VERIFY(log.text().contains(QStringLiteral("from elsewhere")));
        QVERIFY(log.text().contains(QStringLiteral("from here")));
    }

    void picturesKeepTheirSamples_data() {
        QTest::addColumn<QImage::Format>("format");
        QTest::addColumn<PixelFormat>("expected");
        QTest::newRow("gray") << QImage::Format_Grayscale8 << PixelFormat::Gray8;
        QTest::newRow("gray 16") << QImage::Format_Grayscale16 << PixelFormat::Gray16;
        QTest::newRow("alpha") << QImage::Format_RGBA8888 << PixelFormat::Rgba8;
        QTest::newRow("argb") << QImage::Format_ARGB32 << PixelFormat::Rgba8;
        QTest::newRow("rgb") << QImage::Format_RGB32 << PixelFormat::Rgba8;
        QTest::newRow("rgb packed") << QImage::Format_RGB888 << PixelFormat::Rgba8;
        QTest::newRow("16 bits") << QImage::Format_RGBA64 << PixelFormat::Rgba16;
    }
    void picturesKeepTheirSamples() {
        QFETCH(QImage::Format, format);
        QFETCH(PixelFormat, expected);
        QImage picture(37, 5, QImage::Format_RGBA8888);
        for (int y = 0; y < 5; ++y)
            for (int x = 0; x < 37; ++x)
                picture.setPixelColor(x, y, QColor(x * 6, y * 50, 255 - x, 255 - y * 20));
        picture = picture.convertToFormat(format);
        const auto image = fromQImage(picture, QStringLiteral("test"));
        QVERIFY(image.has_value());
        QCOMPARE(image->format(), expected);
        QCOMPARE(image->info().hasAlpha, picture.hasAlphaChannel());
        const QImage back = toQImage(*image);
        for (int y = 0; y < 5; ++y)
            for (int x = 0; x < 37; ++x) QCOMPARE(back.pixelColor(x, y), picture.pixelColor(x, y));
        QVERIFY(!fromQImage(QImage(), {}));
    }

    void commandLine() {
        const auto parse = [](QStringList arguments) {
            return parseCommandLine(QStringList{QStringLiteral("warpscope")} + arguments);
        };
        QCOMPARE(parse({"a.png", "b.png"}).files, (QStringList{"a.png", "b.png"}));
        QVERIFY(parse({"--help"}).message.contains(QStringLiteral("--reset-settings")));
        QVERIFY(!parse({"--help"}).message.contains(QStringLiteral("--screenshot")));
        QCOMPARE(parse({"--version"}).exitCode, std::optional(0));
        QCOMPARE(parse({"--frobnicate"}).exitCode, std::optional(2));
        QCOMPARE(parse({"--theme", "pink"}).exitCode, std::optional(2));
        QCOMPARE(parse({"--size", "1x1"}).exitCode, std::optional(2));
        QCOMPARE(parse({"--size", "1024x640"}).size, QSize(1024, 640));
        QCOMPARE(parse({"--theme", "light"}).theme, std::optional(ThemeChoice::Light));
        QCOMPARE(parse({"--", "--odd-name.png"}).files, QStringList{"--odd-name.png"});
    }

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

WARPSCOPE_TEST(AppPartsTest)
#include "app_parts_test.moc"
