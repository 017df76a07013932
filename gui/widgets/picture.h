// A figure that leaves the program: copied, or saved as PNG or SVG. Light, whatever theme the
// window has, unless somebody asks for the window's own colours.
#pragma once

#include <QSize>
#include <QString>
#include <functional>
#include <optional>

#include "engine/base/result.h"
#include "gui/widgets/theme.h"

class QMenu;
class QPainter;
class QWidget;

namespace warpscope::gui {

struct Picture {
    QString name;         // of the file, without an ending
    QString title;        // for those who cannot see it
    QString description;  // as the title
    QSize size;           // points; a PNG has twice as many pixels
    // Paints all of `size`, ground included, with the colours that the theme then has.
    std::function<void(QPainter&)> paint;
};

// By the ending of the name, .png or .svg. On the window's thread. Errors: Unsupported for another
// ending.
Result<QByteArray> pictureBytes(const QString& path, const Picture& picture,
                                ThemeChoice colors = ThemeChoice::Light);
// As pixels and as SVG: each program takes what it can.
void copyPicture(const Picture& picture);
// Asks for a name. `save` gets it and the colours that were chosen.
void askForPictureFile(QWidget* parent, const QString& name, const QString& folder,
                       std::function<void(const QString& path, ThemeChoice colors)> save);
// The same with the writing: what cannot be written is said beside the cursor.
void savePicture(QWidget* parent, const Picture& picture);
// "Copy picture" and "Save picture…". The picture is made when one of them is chosen.
void addPictureActions(QMenu& menu, QWidget* parent, std::function<Picture()> picture);

}  // namespace warpscope::gui
