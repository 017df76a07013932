// The catalogues of resources/translations against the sources: nothing is missing, unfinished or
// left over, and no translation has lost a placeholder. With WARPSCOPE_UPDATE_TRANSLATIONS set it
// writes them instead.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <QXmlStreamWriter>
#include <map>
#include <set>

#include "engine/operations/registry.h"
#include "support/test_case.h"

namespace warpscope::test {
namespace {

// Source text and what tells it from the same text with another meaning.
using Key = std::pair<QString, QString>;

struct Text {
    bool plural = false;
    bool finished = false;
    QStringList forms;  // one but for plurals
};
using Texts = std::map<Key, Text>;

const QString kFolder = QStringLiteral(WARPSCOPE_ROOT "/resources/translations/");

// All contexts together: which one lupdate finds depends on how the code is written.
Texts readTs(const QString& path) {
    Texts texts;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return texts;
    QXmlStreamReader xml(&file);
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement ||
            xml.name() != QLatin1String("message"))
            continue;
        Key key;
        Text entry{
            xml.attributes().value(QLatin1String("numerus")) == QLatin1String("yes"), true, {}};
        while (xml.readNextStartElement()) {
            if (xml.name() == QLatin1String("source")) {
                key.first = xml.readElementText();
            } else if (xml.name() == QLatin1String("comment")) {
                key.second = xml.readElementText();
            } else if (xml.name() == QLatin1String("translation")) {
                entry.finished = !xml.attributes().hasAttribute(QLatin1String("type"));
                if (!entry.plural) {
                    entry.forms = {xml.readElementText()};
                } else {
                    while (xml.readNextStartElement()) entry.forms << xml.readElementText();
                }
            } else {
                xml.skipCurrentElement();
            }
        }
        texts[key] = entry;
    }
    return texts;
}

bool writeTs(const QString& language, const Texts& texts) {
    QFile file(kFolder + QStringLiteral("warpscope_%1.ts").arg(language));
    if (!file.open(QIODevice::WriteOnly)) return false;
    QXmlStreamWriter xml(&file);
    xml.setAutoFormatting(true);
    xml.setAutoFormattingIndent(1);
    xml.writeStartDocument();
    xml.writeDTD(QStringLiteral("<!DOCTYPE TS>"));
    xml.writeStartElement(QStringLiteral("TS"));
    xml.writeAttribute(QStringLiteral("version"), QStringLiteral("2.1"));
    xml.writeAttribute(QStringLiteral("language"), language);
    xml.writeAttribute(QStringLiteral("sourcelanguage"), QStringLiteral("en"));
    xml.writeStartElement(QStringLiteral("context"));
    xml.writeTextElement(QStringLiteral("name"), QStringLiteral("Warpscope"));
    for (const auto& [key, entry] : texts) {
        xml.writeStartElement(QStringLiteral("message"));
        if (entry.plural) xml.writeAttribute(QStringLiteral("numerus"), QStringLiteral("yes"));
        xml.writeTextElement(QStringLiteral("source"), key.first);
        if (!key.second.isEmpty()) xml.writeTextElement(QStringLiteral("comment"), key.second);
        xml.writeStartElement(QStringLiteral("translation"));
        if (!entry.finished)
            xml.writeAttribute(QStringLiteral("type"), QStringLiteral("unfinished"));
        if (entry.plural)
            for (const QString& form : entry.forms)
                xml.writeTextElement(QStringLiteral("numerusform"), form);
        else
            xml.writeCharacters(entry.forms.value(0));
        xml.writeEndElement();
        xml.writeEndElement();
    }
    xml.writeEndDocument();
    return true;
}

// What the window's sources give to tr().
Texts fromSources() {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("found.ts"));
    QProcess lupdate;
    lupdate.setProcessChannelMode(QProcess::MergedChannels);
    lupdate.start(QStringLiteral(WARPSCOPE_LUPDATE),
                  {QStringLiteral(WARPSCOPE_ROOT "/gui"), QStringLiteral("-ts"), path});
    if (!lupdate.waitForFinished(120000) || lupdate.exitCode() != 0)
        qWarning("%s: %s", WARPSCOPE_LUPDATE, lupdate.readAll().constData());
    Texts texts = readTs(path);
    for (auto& [key, entry] : texts) entry = {entry.plural, false, {}};
    return texts;
}

const QRegularExpression& gap() {
    static const QRegularExpression expression(QStringLiteral("\\{[^{}]*\\}"));
    return expression;
}

QStringList linesOf(const QString& path) {
    QFile file(path);
    QStringList lines;
    if (file.open(QIODevice::ReadOnly))
        for (const QString& line :
             QString::fromUtf8(file.readAll()).split(u'\n', Qt::SkipEmptyParts))
            if (!line.startsWith(u'#')) lines << line;
    return lines;
}

QStringList engineTextLines() {
    return linesOf(kFolder + QStringLiteral("engine_texts.txt"));
}

// All sources of the engine, texts that go on in the next line in one piece.
QString engineSources() {
    QString sources;
    for (const char* folder : {"engine", "cuda_kernels"}) {
        QDirIterator it(QStringLiteral(WARPSCOPE_ROOT "/") + QLatin1String(folder),
                        {QStringLiteral("*.cpp"), QStringLiteral("*.in"), QStringLiteral("*.h"),
                         QStringLiteral("*.cu")},
                        QDir::Files, QDirIterator::Subdirectories);
        while (it.hasNext()) {
            QFile file(it.next());
            if (file.open(QIODevice::ReadOnly)) sources += QString::fromUtf8(file.readAll());
        }
    }
    static const QRegularExpression joint(QStringLiteral("\"\\s*\\n\\s*\""));
    return sources.remove(joint);
}

// The texts in the calls of fail(), gaps as {}; those without words are left out.
QStringList failureTexts(const QString& sources) {
    static const QRegularExpression call(QStringLiteral("\\bfail\\("));
    static const QRegularExpression word(QStringLiteral("[A-Za-z]{2,}"));
    QStringList texts;
    for (auto it = call.globalMatch(sources); it.hasNext();) {
        QString text;
        bool inside = false;
        int depth = 1;
        for (qsizetype i = it.next().capturedEnd(); i < sources.size() && depth > 0; ++i) {
            const QChar c = sources[i];
            if (inside && c == u'\\') {
                text += sources[++i];
            } else if (c == u'"') {
                inside = !inside;
                if (!inside && text.contains(word)) texts << text.replace(gap(), "{}").trimmed();
                if (!inside) text.clear();
            } else if (inside) {
                text += c;
            } else if (c == u'(' || c == u')') {
                depth += c == u'(' ? 1 : -1;
            }
        }
    }
    texts.removeDuplicates();
    return texts;
}

// Whether a listed text has all the words between the gaps; the source may put it together.
bool isListed(const QString& text, const QStringList& listed) {
    QStringList pieces;
    for (const QString& piece : text.split(QStringLiteral("{}")))
        if (std::any_of(piece.begin(), piece.end(), [](QChar c) { return c.isLetter(); }))
            pieces << piece;
    const auto holds = [&](const QString& line) {
        return std::all_of(pieces.begin(), pieces.end(),
                           [&](const QString& piece) { return line.contains(piece); });
    };
    if (std::any_of(listed.begin(), listed.end(), holds)) return true;
    // "damaged after row 0: {}" is listed, and so is what comes after it.
    const qsizetype colon = text.indexOf(QStringLiteral(": "));
    return colon > 0 && colon + 2 < text.size() && isListed(text.left(colon + 2), listed) &&
           isListed(text.mid(colon + 2), listed);
}

// What the engine says and the window shows.
void addEngine(Texts& texts) {
    const auto add = [&](const std::string& text) {
        if (!text.empty()) texts.emplace(Key{QString::fromStdString(text), {}}, Text());
    };
    for (const Operation* operation : allOperations()) {
        const OperationDescription& d = operation->description();
        for (const std::string& text :
             {d.label, d.category, d.summary, d.help, d.formula, d.source})
            add(text);
        for (const ParamSpec& spec : d.parameters) {
            for (const std::string& text : {spec.label, spec.help, spec.unit}) add(text);
            for (const ChoiceSpec& choice : spec.choices) {
                add(choice.label);
                add(choice.help);
            }
            for (const PresetSpec& preset : spec.presets) add(preset.label);
        }
        for (const auto* list : {&d.variants, &d.wrongVariants})
            for (const VariantSpec& variant : *list)
                for (const std::string& text : {variant.label, variant.help, variant.source})
                    add(text);
    }
    for (QString line : engineTextLines()) {
        for (int i = 1; line.contains(gap()); ++i)
            line.replace(gap().match(line).capturedStart(), gap().match(line).capturedLength(),
                         QStringLiteral("%%1").arg(i));
        texts.emplace(Key{line, {}}, Text());
    }
}

Texts wantedTexts() {
    Texts texts = fromSources();
    addEngine(texts);
    return texts;
}

QStringList placeholders(const QString& text) {
    static const QRegularExpression place(QStringLiteral("%L?[1-9n]|</?[a-z]+[^>]*>"));
    QStringList found;
    for (auto it = place.globalMatch(text); it.hasNext();) found << it.next().captured();
    found.sort();
    return found;
}

// What is wrong with a translation; empty if nothing is.
QString fault(const QString& source, const QString& translation) {
    if (translation.isEmpty()) return QStringLiteral("is empty");
    if (placeholders(source) != placeholders(translation))
        return QStringLiteral("has other placeholders");
    static const QRegularExpression mnemonic(QStringLiteral("&[A-Za-z0-9]"));
    if (translation.count(mnemonic) > source.count(mnemonic) || translation.count(mnemonic) > 1)
        return QStringLiteral("has another mnemonic");
    const auto ends = [](const QString& text, const char* one, const char* other) {
        return text.endsWith(QString::fromUtf8(one)) || text.endsWith(QString::fromUtf8(other));
    };
    // A mnemonic stands before them in Chinese, as "打开(&O)…".
    if (ends(source, ":", "：") != ends(translation, ":", "："))
        return QStringLiteral("has another colon");
    if (ends(source, "…", "...") != ends(translation, "…", "..."))
        return QStringLiteral("has another ellipsis");
    if (source.startsWith(u' ') != translation.startsWith(u' ') ||
        source.endsWith(u' ') != translation.endsWith(u' '))
        return QStringLiteral("has other spaces at its ends");
    return {};
}

bool sameInEveryLanguage(const QString& source) {
    static const QRegularExpression places(
        QStringLiteral("%L?[1-9n]|&(amp|lt|gt);|</?[a-z]+[^>]*>"));
    QString rest = source;
    rest.remove(places);
    return std::none_of(rest.begin(), rest.end(), [](QChar c) { return c.isLetter(); });
}

// English needs no words but those for one and for many.
Texts wantedOf(const QString& language, const Texts& all) {
    if (language != QLatin1String("en")) return all;
    Texts plurals;
    for (const auto& [key, entry] : all)
        if (entry.plural) plurals.emplace(key, entry);
    return plurals;
}

}  // namespace

class CatalogueTest : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        if (!QDir(QStringLiteral(WARPSCOPE_ROOT "/gui")).exists())
            QSKIP("the sources are not on this machine");
        m_wanted = wantedTexts();
        QVERIFY2(m_wanted.size() > 1500, qPrintable(QString::number(m_wanted.size())));
        if (!qEnvironmentVariableIsSet("WARPSCOPE_UPDATE_TRANSLATIONS")) return;
        for (const QString& language : {QStringLiteral("en"), QStringLiteral("zh_CN")}) {
            Texts texts = wantedOf(language, m_wanted);
            Texts old = readTs(kFolder + QStringLiteral("warpscope_%1.ts").arg(language));
            for (auto& [key, entry] : texts) {
                const auto kept = old.find(key);
                if (kept != old.end() && kept->second.plural == entry.plural)
                    entry = kept->second;
                else if (sameInEveryLanguage(key.first))
                    entry = {entry.plural, true, {key.first}};
            }
            QVERIFY(writeTs(language, texts));
        }
    }

    void isComplete_data() {
        QTest::addColumn<QString>("language");
        QTest::newRow("English") << QStringLiteral("en");
        QTest::newRow("Chinese") << QStringLiteral("zh_CN");
    }

    void isComplete() {
        QFETCH(const QString, language);
        const Texts wanted = wantedOf(language, m_wanted);
        const Texts found = readTs(kFolder + QStringLiteral("warpscope_%1.ts").arg(language));
        const int forms = language == QLatin1String("en") ? 2 : 1;
        QStringList faults;
        const auto say = [&](const Key& key, const QString& what) {
            faults << QStringLiteral("\"%1\"%2 %3")
                          .arg(key.first,
                               key.second.isEmpty() ? QString()
                                                    : QStringLiteral(" (%1)").arg(key.second),
                               what);
        };
        for (const auto& [key, entry] : wanted) {
            const auto it = found.find(key);
            if (it == found.end()) {
                say(key, QStringLiteral("is missing"));
            } else if (!it->second.finished) {
                say(key, QStringLiteral("is not translated"));
            } else if (it->second.plural != entry.plural ||
                       it->second.forms.size() != (entry.plural ? forms : 1)) {
                say(key, QStringLiteral("has other forms"));
            } else {
                for (const QString& form : it->second.forms)
                    if (const QString what = fault(key.first, form); !what.isEmpty())
                        say(key, QStringLiteral("%1: \"%2\"").arg(what, form));
            }
        }
        for (const auto& [key, entry] : found)
            if (wanted.find(key) == wanted.end())
                say(key, QStringLiteral("is in no source any more"));
        for (const QString& one : faults) qWarning("%s", qPrintable(one));
        QVERIFY2(faults.isEmpty(), "run resources/translations/update and translate what is new");
    }

    // Of texts that no description has, those that are listed are in the engine's sources.
    void listsWhatTheEngineSays() {
        QString sources = engineSources();
        QString withoutGaps = sources;
        sources += withoutGaps.remove(gap());
        QStringList gone;
        // The source may put a text together from pieces, so each piece between gaps counts.
        for (const QString& line : engineTextLines())
            for (QString piece : line.split(gap()))
                if (!sources.contains(piece.replace(u'"', QStringLiteral("\\\"")))) gone << line;
        for (const QString& line : gone) qWarning("in no source: %s", qPrintable(line));
        QVERIFY(gone.isEmpty());
    }

    // And what the engine says when it fails is listed, or nobody at the window reads it.
    void listsHowTheEngineFails() {
        const QStringList said = failureTexts(engineSources());
        QVERIFY2(said.size() > 150, qPrintable(QString::number(said.size())));
        QStringList listed;
        for (QString line : engineTextLines()) listed << line.replace(gap(), QStringLiteral("{}"));
        const QStringList unseen =
            linesOf(QStringLiteral(WARPSCOPE_ROOT "/tests/gui_languages/engine_texts_unseen.txt"));
        QStringList faults;
        for (const QString& text : said)
            if (!unseen.contains(text) && !isListed(text, listed))
                faults << QStringLiteral("listed nowhere: %1").arg(text);
        for (const QString& text : unseen) {
            if (!said.contains(text)) faults << QStringLiteral("said nowhere: %1").arg(text);
            if (listed.contains(text)) faults << QStringLiteral("listed as seen: %1").arg(text);
        }
        for (const QString& fault : faults) qWarning("%s", qPrintable(fault));
        QVERIFY2(faults.isEmpty(),
                 "add it to resources/translations/engine_texts.txt and translate it, or to "
                 "engine_texts_unseen.txt with the others of its reason");
    }

    void seesFailures() {
        const QString source = QStringLiteral(
            "return fail(Code::Io, fmt::format(\"no {:.3f} of \\\"{}\\\"\", f(1), \", \") + "
            "(a ? \"one more\" : \"x\")); unfail(\"not said\"); other(\"not said\");");
        QCOMPARE(failureTexts(source), QStringList({"no {} of \"{}\"", "one more"}));
        const QStringList listed{"there are {} of {} here", "damaged: {}", "the file ends"};
        QVERIFY(isListed("there are {} of {} here", listed));
        QVERIFY(isListed("there are ", listed));
        QVERIFY(isListed("damaged: the file ends", listed));
        QVERIFY(!isListed("damaged: the disk ends", listed));
        QVERIFY(!isListed("there are {} of {} there", listed));
    }

    // The checks themselves find what they are for.
    void seesFaults() {
        QVERIFY(fault("%1 of %2", "%2 的 %1").isEmpty());
        QVERIFY(!fault("%1 of %2", "%1").isEmpty());
        QVERIFY(!fault("%n more", "more").isEmpty());
        QVERIFY(!fault("Size:", "大小").isEmpty());
        QVERIFY(fault("Size:", "大小：").isEmpty());
        QVERIFY(!fault("&Open…", "打开(&O)").isEmpty());
        QVERIFY(fault("&Open…", "打开(&O)…").isEmpty());
        QVERIFY(!fault("Open", "打开(&O)").isEmpty());
        QVERIFY(!fault("<b>%1</b>", "%1").isEmpty());
        QVERIFY(!fault("a ", "b").isEmpty());
        QVERIFY(!fault("a", "").isEmpty());
    }

  private:
    Texts m_wanted;
};

}  // namespace warpscope::test

using warpscope::test::CatalogueTest;
WARPSCOPE_TEST(CatalogueTest)
#include "catalogue_test.moc"
