#include "gui/histogram/histogram_export.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QPainter>
#include <QSvgGenerator>

namespace warpscope::gui {

namespace {

constexpr QSize kPictureSize(960, 540);  // points; twice as many pixels in a PNG

Result<void> saveBytes(const QString& path, const QByteArray& bytes, const WriteOptions& write) {
    const std::span data(reinterpret_cast<const std::uint8_t*>(bytes.constData()),
                         std::size_t(bytes.size()));
    return writeFileAtomically(std::filesystem::path(path.toStdU16String()), data, write);
}

}  // namespace

QImage histogramImage(const HistogramModel& model, const HistogramOptions& options,
                      const QSize& size, double scale) {
    QImage image(size * scale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    HistogramView view(model);
    view.setOptions(options);
    view.refresh();
    QPainter painter(&image);
    view.paintTo(painter, size, model.caption());
    return image;
}

Result<void> saveHistogramPicture(const QString& path, const HistogramModel& model,
                                  const HistogramOptions& options, const WriteOptions& write) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (suffix == QLatin1String("png")) {
        histogramImage(model, options, kPictureSize, 2.0).save(&buffer, "PNG");
    } else if (suffix == QLatin1String("svg")) {
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setSize(kPictureSize);
        generator.setViewBox(QRect(QPoint(0, 0), kPictureSize));
        generator.setTitle(QCoreApplication::translate("HistogramExport", "Histogram"));
        generator.setDescription(model.caption());
        HistogramView view(model);
        view.setOptions(options);
        view.refresh();
        QPainter painter(&generator);
        view.paintTo(painter, kPictureSize, model.caption());
    } else {
        return fail(ErrorCode::Unsupported,
                    QCoreApplication::translate("HistogramExport",
                                                "cannot write '%1': a histogram is saved as .png, "
                                                ".svg or .csv")
                        .arg(path)
                        .toStdString());
    }
    return saveBytes(path, bytes, write);
}

Result<void> saveText(const QString& path, const QString& text, const WriteOptions& write) {
    return saveBytes(path, text.toUtf8(), write);
}

}  // namespace warpscope::gui
