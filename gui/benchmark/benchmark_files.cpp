#include "gui/benchmark/benchmark_files.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QSvgGenerator>

#include "engine/io/image_writer.h"
#include "engine/report/report_text.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr QSize kPicture(1120, 640);  // points; twice as many pixels in a PNG

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
    if (!format) return fail(wrongEnding(path, QStringLiteral(".json, .csv, .md")));
    return saveBytes(path, QByteArray::fromStdString(resultText(report, format)));
}

Result<QByteArray> chartPicture(const QString& path, const LogChart& chart) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (suffix == QLatin1String("png")) {
        QImage image(kPicture * 2, QImage::Format_RGB32);
        image.setDevicePixelRatio(2);
        QPainter painter(&image);
        chart.paintTo(painter, kPicture);
        painter.end();
        image.save(&buffer, "PNG");
    } else if (suffix == QLatin1String("svg")) {
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setSize(kPicture);
        generator.setViewBox(QRect(QPoint(0, 0), kPicture));
        generator.setTitle(chart.accessibleName());
        generator.setDescription(chart.accessibleDescription());
        QPainter painter(&generator);
        chart.paintTo(painter, kPicture);
    } else {
        return fail(wrongEnding(path, QStringLiteral(".png, .svg")));
    }
    return bytes;
}

Result<void> saveBytes(const QString& path, const QByteArray& bytes) {
    const std::span data(reinterpret_cast<const std::uint8_t*>(bytes.constData()),
                         std::size_t(bytes.size()));
    return writeFileAtomically(std::filesystem::path(path.toStdU16String()), data);
}

}  // namespace warpscope::gui
