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

Copied copyOf(const Image& image, const DisplayLook& look) {
    if (image.isNull()) return {};
    // A PGM whose white is 4095 would come out nearly black with its raw samples.
    const DisplayRange range = look.range.value_or(naturalRange(image));
    const bool whole = range.low == 0.0 && range.high == fullScale(image.format());
    const bool integer = bytesPerSample(image.format()) <= 2;
    const bool exact =
        integer && whole && !look.logarithmic && look.view.isNatural() && !look.profile;
    Image source = image;
    if (!exact) {
        const auto screen = toScreen(image, range, look);
        if (!screen) return {};
        source = *screen;
    }
    const bool alpha = image.info().hasAlpha;
    QImage::Format format = QImage::Format_Grayscale8;
    if (source.format() == PixelFormat::Gray16)
        format = QImage::Format_Grayscale16;
    else if (source.format() == PixelFormat::Rgba16)
        format = alpha ? QImage::Format_RGBA64 : QImage::Format_RGBX64;
    else if (isColor(source.format()))
        format = alpha ? QImage::Format_RGBA8888 : QImage::Format_RGBX8888;
    Copied copied{QImage(source.width(), source.height(), format),
                  8 * bytesPerSample(source.format()), exact};
    if (copied.picture.isNull()) return {};
    const auto rowBytes = std::size_t(source.width()) * std::size_t(bytesPerPixel(source.format()));
    for (int y = 0; y < source.height(); ++y)
        std::memcpy(copied.picture.scanLine(y), source.rowBytes(y), rowBytes);
    return copied;
}

QImage toQImage(const Image& image) {
    return copyOf(image, {}).picture;
}

}  // namespace warpscope::gui
