// Every widget of the program, walked: what a screen reader says of it, and whether its words can
// be translated.
#include <QAbstractButton>
#include <QAccessible>
#include <QAction>
#include <QComboBox>
#include <QGroupBox>
#include <QLabel>
#include <QRegularExpression>
#include <QTextDocument>
#include <QTranslator>
#include <set>

#include "every_widget.h"

namespace warpscope::gui {
namespace {

// Marks what went through translation: "Open…" becomes "⟦Open…⟧".
class MarkingTranslator : public QTranslator {
  public:
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* source, const char*, int n) const override {
        // Qt reads its own words again, those of keys for example.
        if (context[0] == 'Q' && context[1] >= 'A' && context[1] <= 'Z') return {};
        QString text = QString::fromUtf8(source);
        if (n >= 0) text.replace(QStringLiteral("%n"), QString::number(n));
        return QStringLiteral("⟦%1⟧").arg(text);
    }
};

// What is left of a text when all that was translated is taken out, from inside to outside.
QString untranslated(QString text) {
    if (Qt::mightBeRichText(text)) {
        QTextDocument document;
        document.setHtml(text);
        text = document.toPlainText();
    }
    static const QRegularExpression marked(QStringLiteral("⟦[^⟦⟧]*⟧"));
    while (text.contains(marked)) text.remove(marked);
    return text;
}

// Names, units and formulas that are the same in every language.
bool sameEverywhere(const QString& rest) {
    static const QRegularExpression word(QStringLiteral("[A-Za-z]{2,}"));
    static const std::set<QString> known{
        "Warpscope", "CPU",      "GPU",       "px",    "ms",     "GB",     "MB",  "MiB",  "GiB",
        "KiB",       "RGB",      "png",       "Ctrl",  "Shift",  "Alt",    "Del", "Esc",  "Space",
        "Tab",       "Home",     "End",       "PgUp",  "PgDown", "Return", "Up",  "Down", "Left",
        "Right",     "Ins",      "Backspace", "Enter", "Meta",   "CSV",    "PNG", "SVG",  "JSON",
        "HTML",      "Markdown", "English",   "NaN",   "Inf",    "inf",    "nan", "Mpx",  "fps"};
    auto match = word.globalMatch(rest);
    while (match.hasNext())
        if (!known.contains(match.next().captured())) return false;
    return true;
}

}  // namespace

class EveryWidgetTest : public QObject {
    Q_OBJECT

  private slots:
    void hasANameForAScreenReader() {
        EverythingOpen everything;
        QVERIFY(everything.ok);
        QStringList nameless;
        int walked = 0;
        for (const QWidget* widget : QApplication::allWidgets()) {
            const bool reached = widget->focusPolicy() != Qt::NoFocus ||
                                 qobject_cast<const QAbstractButton*>(widget);
            if (!reached || isPartOfQt(widget) || widget->isWindow()) continue;
            // A message's label and button have words when there is a message.
            if (!widget->isVisible() &&
                (qobject_cast<const QLabel*>(widget) || qobject_cast<const QPushButton*>(widget)))
                continue;
            ++walked;
            QAccessibleInterface* spoken =
                QAccessible::queryAccessibleInterface(const_cast<QWidget*>(widget));
            if (!spoken || spoken->text(QAccessible::Name).trimmed().isEmpty())
                nameless << placeOf(widget);
        }
        QVERIFY2(walked > 100, qPrintable(QString::number(walked)));
        nameless.removeDuplicates();
        for (const QString& one : nameless) qWarning("%s", qPrintable(one));
        QVERIFY(nameless.isEmpty());
    }

    void hasWordsThatCanBeTranslated() {
        MarkingTranslator marking;
        QVERIFY(QCoreApplication::installTranslator(&marking));
        {
            EverythingOpen everything;
            QVERIFY(everything.ok);
            QStringList plain;
            int walked = 0;
            const auto look = [&](const QObject* where, const QString& text) {
                if (text.isEmpty()) return;
                ++walked;
                QString rest = untranslated(text);
                // Names of files and of the machine, and why there is no GPU, in the system's
                // words.
                for (const QString& given : everything.givenNames()) rest.remove(given);
                if (!sameEverywhere(rest))
                    plain << QStringLiteral("\"%1\" in %2").arg(rest.simplified(), placeOf(where));
            };
            forEachWord(look);
            QVERIFY2(walked > 500, qPrintable(QString::number(walked)));
            plain.removeDuplicates();
            plain.sort();
            for (const QString& one : plain) qWarning("%s", qPrintable(one));
            QVERIFY(plain.isEmpty());
        }
        QCoreApplication::removeTranslator(&marking);
    }
};

}  // namespace warpscope::gui

using warpscope::gui::EveryWidgetTest;
WARPSCOPE_TEST(EveryWidgetTest)
#include "every_widget_test.moc"
