#include "gui/widgets/picture.h"

#include <QBuffer>
#include <QClipboard>
#include <QCursor>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QSvgGenerator>
#include <QToolTip>
#include <utility>

#include "engine/base/log.h"
#include "engine/io/image_writer.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/translate.h"

namespace warpscope::gui {
namespace {

QImage pixelsOf(const Picture& picture, ThemeChoice colors) {
    const PictureColors scope(colors);
    QImage image(picture.size * 2, QImage::Format_RGB32);
    image.setDevicePixelRatio(2);
    image.fill(Theme::instance().colors().base);
    QPainter painter(&image);
    picture.paint(painter);
    return image;
}

QByteArray svgOf(const Picture& picture, ThemeChoice colors) {
    const PictureColors scope(colors);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(picture.size);
    generator.setViewBox(QRect(QPoint(0, 0), picture.size));
    generator.setTitle(picture.title);
    generator.setDescription(picture.description);
    QPainter painter(&generator);
    painter.fillRect(QRect(QPoint(0, 0), picture.size), Theme::instance().colors().base);
    picture.paint(painter);
    painter.end();
    return bytes;
}

}  // namespace

Result<QByteArray> pictureBytes(const QString& path, const Picture& picture, ThemeChoice colors) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == QLatin1String("svg")) return svgOf(picture, colors);
    if (suffix != QLatin1String("png"))
        return fail(ErrorCode::Unsupported,
                    tr("cannot write '%1': it is saved as .png, .svg").arg(path).toStdString());
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    pixelsOf(picture, colors).save(&buffer, "PNG");
    return bytes;
}

void copyPicture(const Picture& picture) {
    auto* data = new QMimeData;
    data->setImageData(pixelsOf(picture, ThemeChoice::Light));
    data->setData(QStringLiteral("image/svg+xml"), svgOf(picture, ThemeChoice::Light));
    QGuiApplication::clipboard()->setMimeData(data);
}

void askForPictureFile(QWidget* parent, const QString& name, const QString& folder,
                       std::function<void(const QString&, ThemeChoice)> save) {
    const QStringList filters{tr("PNG (*.png)"), tr("SVG (*.svg)"),
                              tr("PNG in the colours of the window (*.png)"),
                              tr("SVG in the colours of the window (*.svg)")};
    auto* dialog = new QFileDialog(parent, tr("Save picture"), folder);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setNameFilters(filters);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setFileMode(QFileDialog::AnyFile);
    // The ending says what is written; it follows the chosen kind.
    const auto follow = [dialog, filters](const QString& filter) {
        dialog->setDefaultSuffix(filters.indexOf(filter) % 2 == 0 ? QStringLiteral("png")
                                                                  : QStringLiteral("svg"));
    };
    QObject::connect(dialog, &QFileDialog::filterSelected, dialog, follow);
    follow(filters.front());
    dialog->selectFile(name);
    QObject::connect(dialog, &QFileDialog::fileSelected, parent,
                     [dialog, filters, save = std::move(save)](const QString& path) {
                         const bool own = filters.indexOf(dialog->selectedNameFilter()) >= 2;
                         save(path, own ? Theme::instance().choice() : ThemeChoice::Light);
                     });
    dialog->open();
}

void savePicture(QWidget* parent, const Picture& picture) {
    askForPictureFile(
        parent, picture.name, {}, [parent, picture](const QString& path, ThemeChoice colors) {
            const auto bytes = pictureBytes(path, picture, colors);
            Result<void> done;
            if (!bytes) {
                done = fail(bytes.error());
            } else {
                const std::span data(reinterpret_cast<const std::uint8_t*>(bytes->constData()),
                                     std::size_t(bytes->size()));
                done = writeFileAtomically(std::filesystem::path(path.toStdU16String()), data);
            }
            if (!done) logMessage(LogLevel::Error, done.error().message);
            QToolTip::showText(QCursor::pos(),
                               done ? tr("Saved %1").arg(QFileInfo(path).fileName())
                                    : engineText(done.error().message),
                               parent);
        });
}

void addPictureActions(QMenu& menu, QWidget* parent, std::function<Picture()> picture) {
    QAction* copy = menu.addAction(tr("Copy picture"));
    copy->setObjectName(QStringLiteral("copyPicture"));
    QObject::connect(copy, &QAction::triggered, parent, [picture] { copyPicture(picture()); });
    QAction* save = menu.addAction(tr("Save picture…"));
    save->setObjectName(QStringLiteral("savePicture"));
    QObject::connect(save, &QAction::triggered, parent,
                     [parent, picture] { savePicture(parent, picture()); });
}

}  // namespace warpscope::gui
