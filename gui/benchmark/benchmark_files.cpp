#include "gui/benchmark/benchmark_files.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>
#include <utility>

#include "engine/io/image_writer.h"
#include "engine/report/html_report.h"
#include "engine/report/report_text.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

Error wrongEnding(const QString& path, const QString& endings) {
    return {ErrorCode::Unsupported,
            QCoreApplication::translate("BenchmarkFiles", "cannot write '%1': it is saved as %2")
                .arg(path, endings)
                .toStdString()};
}

constexpr std::pair<const char*, const char*> kEscaped[] = {
    {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}};

// A report in the window's language: the texts between its tags, but for code, are the engine's.
QByteArray inWindowLanguage(const std::string& html) {
    static const QRegularExpression texts(
        QStringLiteral("<(style|script|code)\\b.*?</\\1>|(?<=>)[^<>]+(?=<)"),
        QRegularExpression::DotMatchesEverythingOption);
    const QString before = QString::fromStdString(html);
    QString after;
    qsizetype done = 0;
    for (auto it = texts.globalMatch(before); it.hasNext();) {
        const auto found = it.next();
        const QString text = found.captured().trimmed();
        if (found.hasCaptured(1) || text.isEmpty()) continue;
        QString plain = text;
        for (const auto& [name, character] : kEscaped)
            plain.replace(QLatin1String(name), QLatin1String(character));
        const QString translated = engineText(plain.toStdString());
        if (translated == plain) continue;
        const qsizetype at = found.capturedStart() + found.captured().indexOf(text);
        after += before.mid(done, at - done) + translated.toHtmlEscaped();
        done = at + text.size();
    }
    after += before.mid(done);
    // The code of this language, as HTML has it.
    const QString code =
        QCoreApplication::translate("BenchmarkFiles", "en", "code of the language");
    return after
        .replace(QLatin1String("<html lang=\"en\">"),
                 QStringLiteral("<html lang=\"%1\">").arg(code))
        .toUtf8();
}

}  // namespace

Result<void> saveResults(const QString& path, const TimingReport& report) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    const char* format = suffix == QLatin1String("json")  ? "json"
                         : suffix == QLatin1String("csv") ? "csv"
                         : suffix == QLatin1String("md")  ? "markdown"
                                                          : nullptr;
    if (suffix == QLatin1String("html"))
        return saveBytes(
            path, inWindowLanguage(toHtml({{&report, {}}}, pictureOf(report, RunContext{}))));
    if (!format) return fail(wrongEnding(path, QStringLiteral(".json, .csv, .md, .html")));
    return saveBytes(path, QByteArray::fromStdString(resultText(report, format)));
}

Result<void> saveBytes(const QString& path, const QByteArray& bytes) {
    const std::span data(reinterpret_cast<const std::uint8_t*>(bytes.constData()),
                         std::size_t(bytes.size()));
    return writeFileAtomically(std::filesystem::path(path.toStdU16String()), data);
}

}  // namespace warpscope::gui
