// What the person is told: message bar, status bar, latency, log.
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <thread>

#include "engine/base/log.h"
#include "gui/app/latency_meter.h"
#include "gui/app/log_panel.h"
#include "gui/app/status_bar.h"
#include "gui/widgets/elided_label.h"
#include "gui/widgets/message_bar.h"
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

}  // namespace

class MessagesTest : public QObject {
    Q_OBJECT

  private slots:
    void errorsStayAndHintsLeave() {
        MessageBar bar;
        bar.show({MessageBar::Level::Error, QStringLiteral("first")});
        bar.show({MessageBar::Level::Error, QStringLiteral("second")});
        bar.show({MessageBar::Level::Error, QStringLiteral("first")});
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

    // What must be decided stays in sight; what has been done is told below it.
    void hintsHideNoOfferAndNoWarning() {
        for (const auto level : {MessageBar::Level::Info, MessageBar::Level::Warning}) {
            MessageBar bar;
            int acted = 0;
            bar.show({.level = level,
                      .text = QStringLiteral("offer"),
                      .actionText = QStringLiteral("Restore"),
                      .act = [&] { ++acted; }});
            bar.show({MessageBar::Level::Info, QStringLiteral("Saved a")});
            bar.show({MessageBar::Level::Info, QStringLiteral("Saved b")});
            QCOMPARE(bar.count(), 2);
            auto* hint = bar.findChild<QLabel*>(QStringLiteral("messageHint"));
            QVERIFY(hint->isVisible());
            QCOMPARE(hint->text(), QStringLiteral("Saved b"));
            const auto shown = [&](const QString& text) {
                for (const QLabel* label : bar.findChildren<QLabel*>())
                    if (label->isVisible() && label->text() == text) return true;
                return false;
            };
            QVERIFY(shown(QStringLiteral("offer")));
            // Escape takes the newest, the button what stands beside it.
            QTest::keyClick(&bar, Qt::Key_Escape);
            QVERIFY(!hint->isVisible());
            QVERIFY(shown(QStringLiteral("offer")));
            bar.show({MessageBar::Level::Info, QStringLiteral("Saved c")});
            bar.clear(MessageBar::Level::Info);
            QCOMPARE(bar.text(), QStringLiteral("offer"));
            bar.show({MessageBar::Level::Info, QStringLiteral("Saved d")});
            QTest::mouseClick(bar.findChild<QPushButton*>(QStringLiteral("messageAction")),
                              Qt::LeftButton);
            QCOMPARE(acted, 1);
            QCOMPARE(bar.text(), QStringLiteral("Saved d"));
            QVERIFY(shown(QStringLiteral("Saved d")));
            QVERIFY(!hint->isVisible());
        }
    }

    void oneMessageForACause() {
        MessageBar bar;
        bar.show({MessageBar::Level::Error, QStringLiteral("of a file")});
        for (const char* text : {"at 1", "at 2", "at 3"})
            bar.show({.level = MessageBar::Level::Error,
                      .text = QString::fromLatin1(text),
                      .cause = QStringLiteral("chain")});
        QCOMPARE(bar.count(), 2);
        QCOMPARE(bar.text(), QStringLiteral("at 3"));
        bar.withdrawCause(QStringLiteral("chain"));
        QCOMPARE(bar.text(), QStringLiteral("of a file"));
        QTest::mouseClick(bar.findChild<QToolButton*>(QStringLiteral("messageClose")),
                          Qt::LeftButton);
        QCOMPARE(bar.count(), 0);
    }

    void detailsCanBeCopied() {
        MessageBar bar;
        bar.show({MessageBar::Level::Error, QStringLiteral("broken"), QStringLiteral("at row 7")});
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

    // What another has put there counts as soon as it is there: figures go, the image's name not.
    void whatIsPutIntoTheStatusBarHasRoom() {
        StatusBar bar;
        bar.resize(784, 24);
        bar.show();
        bar.showImage(sceneOf({320, 240}), QStringLiteral("a photograph.png"));
        bar.showZoom(1);
        bar.showLatency(12);
        const auto* latency = bar.findChild<QLabel*>(QStringLiteral("statusLatency"));
        auto* image = bar.findChild<ElidedLabel*>();
        QVERIFY(latency->isVisible());
        auto* other = new ElidedLabel;
        other->setText(QString(70, QLatin1Char('x')));
        bar.insertPermanentWidget(1, other);
        other->show();
        QTRY_VERIFY(latency->isHidden());
        QTRY_VERIFY(image->width() >= 150 && other->width() >= other->minimumSizeHint().width());
        other->setText(QStringLiteral("short"));
        QTRY_VERIFY(!latency->isHidden());
        other->setText(QString(200, QLatin1Char('x')));
        QTRY_VERIFY(other->shownText() != other->text());
        QTRY_VERIFY(image->width() >= 150);
        for (const auto* part : bar.findChildren<QWidget*>(Qt::FindDirectChildrenOnly))
            QVERIFY(part->isHidden() || bar.rect().contains(part->geometry()));
        other->hide();
        QTRY_VERIFY(!latency->isHidden());
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
};

WARPSCOPE_TEST(MessagesTest)
#include "messages_test.moc"
