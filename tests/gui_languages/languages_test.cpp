// The window in each of its languages: chosen in the menu, whole, and with room for its words in a
// small window.
#include <QAbstractButton>
#include <QComboBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QMenuBar>
#include <QPainter>
#include <QRegularExpression>
#include <QTextDocument>
#include <QToolButton>
#include <QTranslator>

#include "engine/report/html_report.h"
#include "every_widget.h"
#include "gui/app/languages.h"
#include "gui/app/status_bar.h"
#include "gui/benchmark/benchmark_files.h"
#include "gui/benchmark/run_strip.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/quiet_combo_box.h"
#include "gui/widgets/translate.h"
#include "gui_languages/painted_texts.h"
#include "tests/gui_benchmark/samples.h"

namespace warpscope::gui {
namespace {

QAction* actionOf(MainWindow& window, const char* name) {
    return window.findChild<QAction*>(QLatin1String(name));
}

QString plain(const QString& text) {
    if (Qt::mightBeRichText(text)) {
        QTextDocument document;
        document.setHtml(text);
        return document.toPlainText();
    }
    static const QRegularExpression mnemonic(QStringLiteral("&(?=[^&])"));
    return QString(text).remove(mnemonic);
}

int widthOf(const QWidget* widget, const QString& text) {
    int width = 0;
    for (const QString& line : plain(text).split(u'\n'))
        width = std::max(width, widget->fontMetrics().horizontalAdvance(line));
    return width;
}

bool insideScrolled(const QWidget* widget) {
    for (; widget; widget = widget->parentWidget())
        if (qobject_cast<const QAbstractScrollArea*>(widget)) return true;
    return false;
}

// Words as long as German ones: every one of four letters or more grows by a third to a half.
// Places, tags and mnemonics stay.
class LongWords : public QTranslator {
  public:
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* source, const char*, int n) const override {
        if (context && context[0] == 'Q' && context[1] >= 'A' && context[1] <= 'Z') return {};
        return grown(QString::fromUtf8(source), n);
    }
    static QString grown(const QString& text, int n) {
        static const QRegularExpression part(
            QStringLiteral("<[^>]*>|&[a-z]+;|%L?[0-9n]|&?[A-Za-z]&?[A-Za-z]{3,}"));
        QString made;
        qsizetype done = 0;
        for (auto it = part.globalMatch(text); it.hasNext();) {
            const auto at = it.next();
            const QString word = at.captured();
            made += text.mid(done, at.capturedStart() - done) + word;
            const bool isWord = word.back().isLetter() && word[0] != u'%';
            if (isWord) made += word.size() < 7 ? QStringLiteral("en") : QStringLiteral("ungen");
            done = at.capturedEnd();
        }
        made += text.mid(done);
        return n >= 0 ? made.replace(QStringLiteral("%n"), QString::number(n)) : made;
    }
};

constexpr QSize kSmallWindow(1024, 640);

// Widgets whose words are cut off, each with its place.
QStringList cutOff() {
    QStringList cut;
    int walked = 0;
    const auto say = [&](const QWidget* widget, const QString& text, int needed, int room) {
        cut << QStringLiteral("\"%1\" needs %2 of %3 in %4")
                   .arg(text)
                   .arg(needed)
                   .arg(room)
                   .arg(placeOf(widget));
    };
    for (const QWidget* widget : QApplication::allWidgets()) {
        if (!widget->isVisible() || widget->visibleRegion().isEmpty()) continue;
        if (auto* bar = qobject_cast<const QTabBar*>(widget)) {
            for (int i = 0; i < bar->count(); ++i) {
                ++walked;
                const int needed = widthOf(bar, bar->tabText(i));
                if (needed > bar->tabRect(i).width() && bar->tabToolTip(i).isEmpty())
                    say(bar, bar->tabText(i), needed, bar->tabRect(i).width());
            }
            continue;
        }
        if (auto* header = qobject_cast<const QHeaderView*>(widget)) {
            if (header->orientation() == Qt::Vertical || !header->model()) continue;
            for (int i = 0; i < header->count(); ++i) {
                const auto said = [&](int role) {
                    return header->model()->headerData(i, Qt::Horizontal, role).toString();
                };
                const QString text = said(Qt::DisplayRole);
                if (header->isSectionHidden(i) || text.isEmpty()) continue;
                ++walked;
                const int margins =
                    2 * header->style()->pixelMetric(QStyle::PM_HeaderMargin, nullptr, header);
                const int needed = widthOf(header, text) + margins;
                if (needed > header->sectionSize(i) && said(Qt::ToolTipRole).isEmpty())
                    say(header, text, needed, header->sectionSize(i));
            }
            continue;
        }
        QString text;
        int needed = 0, room = widget->contentsRect().width();
        if (auto* label = qobject_cast<const QLabel*>(widget)) {
            text = label->text();
            if (text.isEmpty()) continue;
            if (label->wordWrap()) {
                // Its lines may be as many as they like, but no word is broken off below.
                needed = label->heightForWidth(label->width());
                room = label->height();
            } else {
                needed = widthOf(label, text);
            }
        } else if (auto* button = qobject_cast<const QAbstractButton*>(widget)) {
            auto* tool = qobject_cast<const QToolButton*>(button);
            if (tool && tool->toolButtonStyle() == Qt::ToolButtonIconOnly && !tool->icon().isNull())
                continue;
            text = button->text();
            if (text.isEmpty()) continue;
            needed = widthOf(button, text);
            if (!button->icon().isNull()) needed += button->iconSize().width();
        } else if (auto* combo = qobject_cast<const QComboBox*>(widget)) {
            text = combo->currentText();
            needed = widthOf(combo, text);
            room -= 16;  // its arrow
            // Shortened, and whole in its tip.
            if (qobject_cast<const QuietComboBox*>(combo)) continue;
        } else {
            continue;
        }
        ++walked;
        if (needed > room && widget->toolTip().isEmpty()) say(widget, text, needed, room);
        // Pushed out of the window, where nothing scrolls to it.
        const QRect seen = widget->visibleRegion().boundingRect();
        if (!insideScrolled(widget) && seen.width() + 1 < std::min(needed, widget->width()) &&
            !widget->isWindow())
            say(widget, text, needed, seen.width());
    }
    // What our own ones paint: beyond their edges nobody sees it.
    int painted = 0;
    for (QWidget* widget : QApplication::allWidgets()) {
        if (!widget->isVisible() || widget->visibleRegion().isEmpty() ||
            !QByteArray(widget->metaObject()->className()).startsWith("warpscope::"))
            continue;
        for (const auto& [text, box] : test::PaintedTexts::of(*widget)) {
            ++painted;
            const double beyond = std::max(box.right() - widget->width(), -box.left());
            if (beyond > 2) say(widget, text, int(box.width()), int(box.width() - beyond));
        }
    }
    if (painted < 20) cut << QStringLiteral("only %1 painted words were seen").arg(painted);
    if (walked < 60) cut << QStringLiteral("only %1 widgets were walked").arg(walked);
    cut.removeDuplicates();
    return cut;
}

// Words of the sources that are seen although there is a translation.
QStringList leftInEnglish(const QStringList& given) {
    QStringList left;
    int walked = 0;
    // Two plain words after each other; names and formulas are single ones.
    static const QRegularExpression english(QStringLiteral("\\b[a-z]{2,} [a-z]{2,}\\b"));
    const auto look = [&](const QObject* where, QString text) {
        if (text.isEmpty()) return;
        ++walked;
        text = plain(text);
        for (const QString& one : given) text.remove(one);
        if (english.match(text).hasMatch())
            left << QStringLiteral("\"%1\" in %2").arg(text, placeOf(where));
    };
    forEachWord(look);
    if (walked < 500) left << QStringLiteral("only %1 texts were walked").arg(walked);
    left.removeDuplicates();
    left.sort();
    return left;
}

}  // namespace

class LanguagesTest : public QObject {
    Q_OBJECT

  private slots:
    void cleanup() { installLanguage(QStringLiteral("en")); }

    void takesTheLanguageOfTheSystem() {
        QCOMPARE(languageFor("system", {"zh-Hans-CN", "en"}), "zh_CN");
        QCOMPARE(languageFor("system", {"de-DE", "zh-CN"}), "en");
        QCOMPARE(languageFor("system", {}), "en");
        QCOMPARE(languageFor("zh_CN", {"de-DE"}), "zh_CN");
        QCOMPARE(languageFor("en", {"zh-CN"}), "en");
        // Of a newer program, or of somebody who wrote the file.
        QCOMPARE(languageFor("tlh", {"zh-CN"}), "en");
    }

    void saysOneAndMany() {
        installLanguage(QStringLiteral("en"));
        QCOMPARE(tr("%n samples are not finite and left out", nullptr, 1),
                 "1 sample is not finite and left out");
        QCOMPARE(tr("%n samples are not finite and left out", nullptr, 2),
                 "2 samples are not finite and left out");
        QCOMPARE(tr("sum of %n recorded steps", nullptr, 1), "sum of 1 recorded step");
        installLanguage(QStringLiteral("zh_CN"));
        QCOMPARE(tr("%n more", nullptr, 1), QString::fromUtf8("还有 1 项"));
    }

    void understandsWhatTheEngineSays() {
        QCOMPARE(engineText("16 threads"), "16 threads");
        installLanguage(QStringLiteral("zh_CN"));
        QCOMPARE(engineText("Gaussian blur"), QString::fromUtf8("高斯模糊"));
        QCOMPARE(engineText("16 threads"), QString::fromUtf8("16 线程"));
        QCOMPARE(engineText("3 of 16 threads"), QString::fromUtf8("3/16 线程"));
        QCOMPARE(
            engineText("in the cache and 5% of the arithmetic peak: bound by neither (latency, "
                       "launches or synchronization)"),
            QString::fromUtf8("在缓存中，算术峰值的 5%：两者都不是瓶颈（延迟、启动或同步）"));
        QCOMPARE(engineText("a.bmp: BMP with 24 bits and compression 9 is not read"),
                 QString::fromUtf8("a.bmp：不读取 24 位、压缩方式为 9 的 BMP"));
        QCOMPARE(
            engineText("damaged after row 0: the header promises an image of at least 70 "
                       "bytes, the file has 60"),
            QString::fromUtf8("第 0 行之后损坏：文件头承诺至少 70 字节的图像，文件只有 60 字节"));
        // Names stay as they are, whatever they look like.
        QCOMPARE(engineText("a %1 to.png: the file ends early"),
                 QString::fromUtf8("a %1 to.png：文件提前结束"));
        QCOMPARE(engineText("nobody ever said this"), "nobody ever said this");
    }

    void namesTheRowThatRuns() {
        BenchmarkProgress progress;
        progress.what = "gaussian_blur, direct_2d 512 x 640, cpu-single, cold";
        QString text = progressText(progress);
        QVERIFY2(text.contains(QString::fromUtf8("Gaussian blur, ")) &&
                     text.endsWith(QString::fromUtf8(", 512 × 640, one thread, cold")),
                 qPrintable(text));
        installLanguage(QStringLiteral("zh_CN"));
        text = progressText(progress);
        QVERIFY2(text.contains(QString::fromUtf8("高斯模糊")) &&
                     text.contains(QString::fromUtf8("单线程")) &&
                     !text.contains(QRegularExpression(QStringLiteral("[a-z]{4,}"))),
                 qPrintable(text));
        progress.what = "no such row";
        QVERIFY(progressText(progress).contains(QStringLiteral("no such row")));
    }

    void reportsAreInItToo() {
        const QTemporaryDir folder;
        TimingReport report = reportOf();
        report.command = {"warpscope-cli", "bench", "--ops", "median"};
        const auto saved = [&] {
            const QString path = folder.filePath(QStringLiteral("report.html"));
            return saveResults(path, report) ? QString::fromUtf8(bytesOf(path)) : QString();
        };
        const QString english = saved();
        QCOMPARE(english.toStdString(), toHtml({{&report, {}}}, pictureOf(report, RunContext{})));
        installLanguage(QStringLiteral("zh_CN"));
        const QString chinese = saved();
        QVERIFY(chinese.contains(QStringLiteral("<html lang=\"zh-CN\">")));
        QVERIFY(chinese.contains(QString::fromUtf8("<h2 id=\"method\">测量方法</h2>")));
        QVERIFY(!chinese.contains(QStringLiteral("How it was measured")));
        // All that is no text of people stays.
        QVERIFY(chinese.contains(QStringLiteral("warpscope-cli bench --ops median")));
        static const QRegularExpression kept(QStringLiteral("<(style|script|code)\\b.*?</\\1>"),
                                             QRegularExpression::DotMatchesEverythingOption);
        const auto parts = [](const QString& html) {
            QStringList found;
            for (auto it = kept.globalMatch(html); it.hasNext();) found << it.next().captured();
            return found;
        };
        QCOMPARE(parts(chinese), parts(english));
        QCOMPARE(chinese.count(u'<'), english.count(u'<'));
    }

    void isChosenInTheMenu() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("warpscope.ini"));
        {
            WindowFixture f(path);
            QVERIFY(actionOf(f.window, "languageSystem")->isChecked());
            QAction* chinese = actionOf(f.window, "language.zh_CN");
            QCOMPARE(chinese->text(), QString::fromUtf8("简体中文"));
            chinese->trigger();
            QCOMPARE(f.settings.language(), "zh_CN");
            QVERIFY(f.window.findChild<MessageBar*>()->text().contains("started the next time"));
            QVERIFY(
                f.window.findChild<MessageBar*>()->text().contains(QString::fromUtf8("下次启动")));
        }
        WindowFixture* again = nullptr;
        {
            const Settings settings(path);
            installLanguage(languageFor(settings.language(), {"en"}));
        }
        const std::unique_ptr<WindowFixture> owner(again = new WindowFixture(path));
        QVERIFY(actionOf(again->window, "language.zh_CN")->isChecked());
        QVERIFY(again->window.menuBar()->actions().front()->text().startsWith(
            QString::fromUtf8("文件")));
        actionOf(again->window, "language.en")->trigger();
        QCOMPARE(again->settings.language(), "en");
        QVERIFY(again->window.findChild<MessageBar*>()->text().contains("started the next time"));
    }

    void hasRoomForItsWords_data() {
        QTest::addColumn<QString>("language");
        for (const Language& language : languages())
            QTest::newRow(qPrintable(language.id)) << language.id;
        QTest::newRow("as long as German") << QString();
    }

    void hasRoomForItsWords() {
        QFETCH(const QString, language);
        LongWords longWords;
        if (language.isEmpty())
            QCoreApplication::installTranslator(&longWords);
        else
            installLanguage(language);
        EverythingOpen everything;
        QVERIFY(everything.ok);
        everything.f.window.resize(kSmallWindow);
        QTRY_COMPARE(everything.f.window.size(), kSmallWindow);
        const std::uint64_t before = everything.f.document().image().id();
        everything.f.bridge().openSampleScene();
        QTRY_VERIFY(everything.f.document().image().id() != before);
        QTRY_VERIFY_WITH_TIMEOUT(everything.f.bridge().resultIsCurrent(), 60000);
        everything.f.window.benchmark().window()->resize(kSmallWindow);
        everything.showcase->resize(kSmallWindow);
        QStringList cut;
        for (QDockWidget* dock : everything.f.window.findChildren<QDockWidget*>()) {
            // Some come when they are asked for.
            const bool hidden = dock->isHidden();
            dock->show();
            dock->raise();
            QTRY_VERIFY(dock->isVisible());
            QStringList now;
            (void)waitedFor([&] { return (now = cutOff()).isEmpty(); });
            cut << now;
            dock->setHidden(hidden);
        }
        // Each step's controls in turn.
        for (int i = 0; i < int(everything.f.document().pipeline().steps.size()); ++i) {
            everything.f.document().setCurrentStep(i);
            // What is computed meanwhile changes words, and the layout follows a moment later.
            QStringList now;
            (void)waitedFor([&] { return (now = cutOff()).isEmpty(); });
            cut << now;
        }
        // Work that takes long enough to be shown, whatever is computed on this machine.
        StatusBar* bar = everything.f.window.findChild<StatusBar*>();
        bar->beginWork(QCoreApplication::translate("warpscope::gui::MainWindow", "Computing"));
        QTRY_VERIFY(bar->showsProgress());
        QStringList now;
        (void)waitedFor([&] { return (now = cutOff()).isEmpty(); });
        cut << now;
        cut.removeDuplicates();
        for (const QString& one : cut) qWarning("%s", qPrintable(one));
        QVERIFY(cut.isEmpty());
    }

    void longWordsGrow() {
        QCOMPARE(LongWords::grown("&Open the histogram of <b>%1</b>…", -1),
                 QString::fromUtf8("&Openen the histogramungen of <b>%1</b>…"));
        QCOMPARE(LongWords::grown("E&xport &amp; %n more", 3),
                 QString("E&xportungen &amp; 3 moreen"));
    }

    // The walk itself finds what it is for.
    void seesWhatIsCutOff() {
        QWidget window;
        QLabel label(QStringLiteral("more words than there is room for"), &window);
        label.resize(20, 20);
        window.resize(200, 60);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QVERIFY(cutOff().join(u' ').contains(label.text()));
        label.resize(label.sizeHint());
        window.resize(label.sizeHint() + QSize(10, 10));
        QTRY_VERIFY(!cutOff().join(u' ').contains(label.text()));
    }

    void seesWhatIsPainted() {
        struct Painter : QWidget {
            void paintEvent(QPaintEvent*) override {
                QPainter painter(this);
                painter.translate(100, 0);
                painter.drawText(QPointF(80, 20), QStringLiteral("beyond the edge"));
                painter.drawText(QPointF(0, 40), QStringLiteral("in"));
            }
        } widget;
        widget.resize(200, 60);
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
        const auto texts = test::PaintedTexts::of(widget);
        QCOMPARE(texts.size(), std::size_t(2));
        QCOMPARE(texts[0].text, QStringLiteral("beyond the edge"));
        QVERIFY(texts[0].box.left() >= 179 && texts[0].box.right() > 202);
        QVERIFY(texts[1].box.left() >= 99 && texts[1].box.right() < 200);
    }

    void leavesNothingInEnglish() {
        installLanguage(QStringLiteral("zh_CN"));
        EverythingOpen everything;
        QVERIFY(everything.ok);
        // Why there is no GPU is said in words.
        QStringList given = everything.givenNames();
        given.removeAll(QString::fromStdString(everything.f.bridge().backends()->cudaUnavailable));
        const QStringList left = leftInEnglish(given << QStringLiteral("warpscope-cli bench"));
        for (const QString& one : left) qWarning("%s", qPrintable(one));
        QVERIFY(left.isEmpty());
    }
};

}  // namespace warpscope::gui

using warpscope::gui::LanguagesTest;
WARPSCOPE_TEST(LanguagesTest)
#include "languages_test.moc"
