#include "gui/benchmark/benchmark_files.h"

#include <QCoreApplication>
#include <QFileInfo>

#include "engine/io/image_writer.h"
#include "engine/report/html_report.h"
#include "engine/report/report_text.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

Error wrongEnding(const QString& path, const QString& endings) {
    return {ErrorCode::Unsupported,
            QCoreApplication::translate("BenchmarkFiles", "cannot write '%1': it is saved as %2")
                .arg(path, endings)
                .toStdString()};
}

}  // namespace

Result<void> saveResults(const QString& path, const TimingReport& report) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    const char* format = suffix == QLatin1String("json")  ? "json"
                         : suffix == QLatin1String("csv") ? "csv"
                         : suffix == QLatin1String("md")  ? "markdown"
                                                          : nullptr;
    if (suffix == QLatin1String("html"))
        return saveBytes(path, QByteArray::fromStdString(
                                   toHtml({{&report, {}}}, pictureOf(report, RunContext{}))));
    if (!format) return fail(wrongEnding(path, QStringLiteral(".json, .csv, .md, .html")));
    return saveBytes(path, QByteArray::fromStdString(resultText(report, format)));
}

Result<void> saveBytes(const QString& path, const QByteArray& bytes) {
    const std::span data(reinterpret_cast<const std::uint8_t*>(bytes.constData()),
                         std::size_t(bytes.size()));
    return writeFileAtomically(std::filesystem::path(path.toStdU16String()), data);
}

}  // namespace warpscope::gui
