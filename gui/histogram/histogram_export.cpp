#include "gui/histogram/histogram_export.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QPainter>
#include <QSvgGenerator>
#include <QVector>
#include <algorithm>

#include "gui/widgets/theme.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {

namespace {

constexpr QSize kPictureSize(960, 540);  // points; twice as many pixels in a PNG

Result<void> saveBytes(const QString& path, const QByteArray& bytes, const WriteOptions& write) {
    const std::span data(reinterpret_cast<const std::uint8_t*>(bytes.constData()),
                         std::size_t(bytes.size()));
    return writeFileAtomically(std::filesystem::path(path.toStdU16String()), data, write);
}

struct LegendEntry {
    QString text;
    QColor color;
    bool outline = false;
};

QVector<LegendEntry> legendOf(const HistogramModel& model, const HistogramOptions& options) {
    const QString names[] = {tr("luminance"), tr("red"), tr("green"), tr("blue")};
    QVector<LegendEntry> entries;
    const bool outlined = options.source && model.mainSide() == HistogramSide::Result &&
                          model.onAxis(HistogramSide::Source);
    bool source = false;
    for (const HistogramChannel channel : kAllHistogramChannels) {
        if (!options.channels.has(channel)) continue;
        // A result without colours has those of the source beside it.
        const bool ofSource = outlined && model.has(HistogramSide::Source, channel);
        if (ofSource || model.has(model.mainSide(), channel))
            entries.append({names[int(channel)], Theme::instance().channelColor(channel), false});
        source = source || ofSource;
    }
    if (source) entries.append({tr("outline: source"), Theme::instance().colors().weakText, true});
    return entries;
}

// Name on the left, legend on the right, in one line; the legend goes first where both have no
// room.
void paintHeading(QPainter& painter, const QVector<LegendEntry>& legend, const QString& heading,
                  const QRect& line) {
    const ThemeColors& colors = Theme::instance().colors();
    QFont font = Theme::instance().figureFont();
    painter.fillRect(line, colors.base);
    painter.setFont(font);
    const QFontMetrics metrics(font);
    const int swatch = metrics.height() / 2, gap = 6;
    int x = line.right() - 8;
    const int middle = line.center().y();
    for (auto entry = legend.rbegin(); entry != legend.rend(); ++entry) {
        x -= metrics.horizontalAdvance(entry->text);
        painter.setPen(colors.text);
        painter.drawText(QPoint(x, middle + metrics.ascent() / 2 - 1), entry->text);
        x -= gap + swatch;
        const QRect box(x, middle - swatch / 2, swatch, swatch);
        if (entry->outline) {
            painter.setPen(QPen(entry->color, 1));
            painter.drawLine(box.left(), middle, box.right(), middle);
        } else {
            painter.fillRect(box, entry->color);
        }
        x -= 2 * gap;
    }
    font.setBold(true);
    painter.setFont(font);
    painter.setPen(colors.text);
    const QRect room(line.left() + 8, line.top(), std::max(0, x - line.left() - 16), line.height());
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetrics(font).elidedText(heading, Qt::ElideMiddle, room.width()));
}

void paint(QPainter& painter, const HistogramModel& model, const HistogramOptions& options,
           const QString& heading, const QSize& size) {
    const PictureColors light(ThemeChoice::Light);
    HistogramView view(model);
    view.setOptions(options);
    view.refresh();
    const int top = QFontMetrics(Theme::instance().figureFont()).height() + 12;
    paintHeading(painter, legendOf(model, options), heading, QRect(0, 0, size.width(), top));
    painter.translate(0, top);
    view.paintTo(painter, size - QSize(0, top), model.caption());
}

}  // namespace

QImage histogramImage(const HistogramModel& model, const HistogramOptions& options,
                      const QString& heading, const QSize& size, double scale) {
    QImage image(size * scale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    QPainter painter(&image);
    paint(painter, model, options, heading, size);
    return image;
}

Result<void> saveHistogramPicture(const QString& path, const HistogramModel& model,
                                  const HistogramOptions& options, const QString& heading,
                                  const WriteOptions& write) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (suffix == QLatin1String("png")) {
        histogramImage(model, options, heading, kPictureSize, 2.0).save(&buffer, "PNG");
    } else if (suffix == QLatin1String("svg")) {
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setSize(kPictureSize);
        generator.setViewBox(QRect(QPoint(0, 0), kPictureSize));
        generator.setTitle(
            QCoreApplication::translate("HistogramExport", "Histogram of %1").arg(heading));
        generator.setDescription(model.caption());
        QPainter painter(&generator);
        paint(painter, model, options, heading, kPictureSize);
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
