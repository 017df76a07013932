// One image file that is dragged out of the program's own lists: for other programs a URL, for the
// window its name to the byte and that it is of the list that is there.
#pragma once

#include <QString>
#include <QStringList>

class QMimeData;

namespace warpscope::gui {

QMimeData* dragOf(const QString& path);  // the caller owns it
QStringList draggedFileTypes();
// The file of such a drag; empty for anything else.
QString ownDrag(const QMimeData* data);
// Of any drag: that file, or the first local one; empty: none.
QString draggedFile(const QMimeData* data);

}  // namespace warpscope::gui
