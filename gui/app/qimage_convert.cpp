#include "gui/app/qimage_convert.h"

#include <cstring>

#include "engine/image/convert.h"

namespace warpscope::gui {

Result<Image> fromQImage(const QImage& picture, const QString& sourceFormat) {
    if (picture.isNull()) return fail(ErrorCode::InvalidArgument, "there is no picture");
    const bool deep = picture.depth() > 32 || picture.format() == QImage::Format_Grayscale16;
    const bool gray = picture.format() == QImage::Format_Grayscale8 ||
                      picture.format() == QImage::Format_Grayscale16;
    const bool alpha = picture.hasAlphaChannel();
    PixelFormat format = PixelFormat::Rgba8;
    QImage::Format stored = alpha ? QImage::Format_RGBA8888 : QImage::Format_RGBX8888;
    if (gray) {
        format = deep ? PixelFormat::Gray16 : PixelFormat::Gray8;
        stored = picture.format();
    } else if (deep) {
        format = PixelFormat::Rgba16;
        stored = alpha ? QImage::Format_RGBA64 : QImage::Format_RGBX64;
    }
    const QImage converted = picture.convertToFormat(stored);
    if (converted.isNull())
        return fail(ErrorCode::OutOfMemory, "not enough memory for the picture");

    auto image = MutableImage::create(format, {picture.width(), picture.height()});
    if (!image) return fail(image.error());
    const auto rowBytes = std::size_t(picture.width()) * std::size_t(bytesPerPixel(format));
    for (int y = 0; y < picture.height(); ++y)
        std::memcpy(image->rowBytes(y), converted.constScanLine(y), rowBytes);
    ImageInfo info;
    info.whiteLevel = fullScale(format);
    info.hasAlpha = alpha;
    info.sourceFormat = sourceFormat.toStdString();
    return std::move(*image).freeze(std::move(info));
}

QImage toQImage(const Image& image) {
    if (image.isNull()) return {};
    Image source = image;
    QImage::Format format = QImage::Format_Invalid;
    switch (image.format()) {
        case PixelFormat::Gray16:
            format = QImage::Format_Grayscale16;
            break;
        case PixelFormat::Rgba16:
            format = image.info().hasAlpha ? QImage::Format_RGBA64 : QImage::Format_RGBX64;
            break;
        default: {
            const auto narrow = toEightBit(image, CpuContext{});
            if (!narrow) return {};
            source = *narrow;
            if (!isColor(source.format()))
                format = QImage::Format_Grayscale8;
            else
                format = image.info().hasAlpha ? QImage::Format_RGBA8888 : QImage::Format_RGBX8888;
        }
    }
    QImage picture(source.width(), source.height(), format);
    if (picture.isNull()) return {};
    const auto rowBytes = std::size_t(source.width()) * std::size_t(bytesPerPixel(source.format()));
    for (int y = 0; y < source.height(); ++y)
        std::memcpy(picture.scanLine(y), source.rowBytes(y), rowBytes);
    return picture;
}

}  // namespace warpscope::gui
