#include "gui/app/languages.h"

#include <QActionGroup>
#include <QApplication>
#include <QFile>
#include <QLibraryInfo>
#include <QLocale>
#include <QRegularExpression>
#include <QTranslator>
#include <algorithm>
#include <memory>
#include <vector>

#include "gui/app/actions.h"
#include "gui/document/settings.h"
#include "gui/widgets/message_bar.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

const QString kOurs = QStringLiteral("warpscope.language");
constexpr char kRestart[] =
    QT_TRANSLATE_NOOP("Warpscope", "The language changes when Warpscope is started the next time.");

// Sentences that the engine makes, with figures and names in them: "{} threads" of
// engine_texts.txt.
struct Sentence {
    QRegularExpression pattern;
    QByteArray key;  // "%1 threads", as the catalogue has it
    qsizetype fixed = 0;
};

std::vector<Sentence> engineSentences() {
    std::vector<Sentence> sentences;
    QFile file(QStringLiteral(":/translations/engine_texts.txt"));
    if (!file.open(QIODevice::ReadOnly)) return sentences;
    static const QRegularExpression gap(QStringLiteral("\\{[^{}]*\\}"));
    const QStringList lines = QString::fromUtf8(file.readAll()).split(u'\n', Qt::SkipEmptyParts);
    for (const QString& line : lines) {
        const QStringList fixed = line.split(gap);
        if (fixed.size() < 2 || line.startsWith(u'#')) continue;
        // "{} to {}" is of figures; it must not tear other sentences apart.
        const QString words = fixed.join(QString());
        const bool few = words.size() < 8 &&
                         words.trimmed().contains(QRegularExpression(QStringLiteral("[a-z]")));
        QString pattern, key = fixed[0];
        pattern = QRegularExpression::escape(fixed[0]);
        for (qsizetype i = 1; i < fixed.size(); ++i) {
            pattern += (few ? QStringLiteral("(\\S+?)") : QStringLiteral("(.*?)")) +
                       QRegularExpression::escape(fixed[i]);
            key += QStringLiteral("%%1").arg(i) + fixed[i];
        }
        sentences.push_back({QRegularExpression(QRegularExpression::anchoredPattern(pattern),
                                                QRegularExpression::DotMatchesEverythingOption),
                             key.toUtf8(), fixed.join(QString()).size()});
    }
    // What says most comes first: "{}: {}" fits nearly all.
    std::stable_sort(sentences.begin(), sentences.end(),
                     [](const Sentence& a, const Sentence& b) { return a.fixed > b.fixed; });
    return sentences;
}

// Looks all texts up in one context: those that lupdate finds depend on how the code is written.
class Catalogue : public QTranslator {
  public:
    Catalogue(const QString& id, QObject* parent) : QTranslator(parent) {
        setObjectName(kOurs);
        if (!load(QStringLiteral(":/translations/warpscope_%1.qm").arg(id)))
            qWarning("no translation for %s", qPrintable(id));
        if (id != QLatin1String("en")) m_sentences = engineSentences();
    }

    QString translate(const char* context, const char* source, const char* comment,
                      int n) const override {
        // Qt's own words come from Qt's own catalogue.
        if (context && context[0] == 'Q' && context[1] >= 'A' && context[1] <= 'Z') return {};
        const QString found = QTranslator::translate("Warpscope", source, comment, n);
        if (!found.isNull() || qstrcmp(context, "Engine") != 0) return found;
        return ofEngine(QString::fromUtf8(source));
    }

  private:
    // Null if there is none.
    QString ofEngine(const QString& text) const {
        for (const Sentence& sentence : m_sentences) {
            const auto match = sentence.pattern.match(text);
            if (!match.hasMatch()) continue;
            QString made = QTranslator::translate("Warpscope", sentence.key.constData());
            if (made.isNull()) continue;
            // At once: what is put in may have a %1 of its own.
            static const QRegularExpression place(QStringLiteral("%([1-9])"));
            QString filled;
            qsizetype done = 0;
            for (auto it = place.globalMatch(made); it.hasNext();) {
                const auto at = it.next();
                filled += made.mid(done, at.capturedStart() - done);
                filled += part(match.captured(at.captured(1).toInt()));
                done = at.capturedEnd();
            }
            return filled + made.mid(done);
        }
        // "scan.tif: the file ends early", "uploading the image: not enough memory"
        const qsizetype colon = text.indexOf(QLatin1String(": "));
        if (colon > 0) {
            const QString rest = text.mid(colon + 2), found = part(rest);
            if (found == rest) return {};
            // A file may be called like anything of one word.
            const QString head = text.left(colon);
            const QString words =
                head.contains(u' ') ? QTranslator::translate("Warpscope", head.toUtf8().constData())
                                    : QString();
            return (words.isNull() ? head : words) + QString::fromUtf8("：") + found;
        }
        return {};
    }

    // What stands in a sentence is a figure or a name, or a text of the engine, too.
    QString part(const QString& text) const {
        const QString found = QTranslator::translate("Warpscope", text.toUtf8().constData());
        if (!found.isNull()) return found;
        const QString made = ofEngine(text);
        return made.isNull() ? partsOf(text) : made;
    }

    // "PNG, TIFF, camera RAW"
    QString partsOf(const QString& text) const {
        QStringList parts = text.split(QStringLiteral(", "));
        for (QString& one : parts) {
            const QString found = QTranslator::translate("Warpscope", one.toUtf8().constData());
            if (parts.size() > 1 && !found.isNull()) one = found;
        }
        return parts.join(QStringLiteral(", "));
    }

    std::vector<Sentence> m_sentences;
};

}  // namespace

const QList<Language>& languages() {
    static const QList<Language> list{
        {QStringLiteral("en"), QStringLiteral("English")},
        {QStringLiteral("zh_CN"), QString::fromUtf8("简体中文")},
    };
    return list;
}

QString languageFor(const QString& chosen, const QStringList& ofSystem) {
    if (chosen == kSystemLanguage)
        return ofSystem.value(0).startsWith(QLatin1String("zh")) ? QStringLiteral("zh_CN")
                                                                 : QStringLiteral("en");
    for (const Language& language : languages())
        if (language.id == chosen) return chosen;
    return QStringLiteral("en");
}

void installLanguage(const QString& id) {
    for (QTranslator* old : qApp->findChildren<QTranslator*>(kOurs)) {
        QCoreApplication::removeTranslator(old);
        delete old;
    }
    auto* qts = new QTranslator(qApp);
    qts->setObjectName(kOurs);
    // Where Qt's words are missing, its few buttons are in English.
    if (id != QLatin1String("en") && qts->load(QStringLiteral("qtbase_") + id,
                                               QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(qts);
    QCoreApplication::installTranslator(new Catalogue(id, qApp));
}

void connectLanguages(const Actions& actions, Settings& settings, MessageBar& messages) {
    for (QAction* action : actions.languageGroup->actions()) {
        const QString id = action->data().toString();
        action->setChecked(id == settings.language());
        QObject::connect(action, &QAction::triggered, &messages, [id, &settings, &messages] {
            settings.setLanguage(id);
            const QString next = languageFor(id, QLocale::system().uiLanguages());
            QString text = tr(kRestart);
            const Catalogue other(next, nullptr);
            QString again = other.translate("Warpscope", kRestart, nullptr, -1);
            if (again.isEmpty()) again = QString::fromUtf8(kRestart);
            if (again != text) text += QLatin1Char('\n') + again;
            messages.show({.level = MessageBar::Level::Info,
                           .text = text,
                           .cause = QStringLiteral("language")});
        });
    }
}

}  // namespace warpscope::gui
