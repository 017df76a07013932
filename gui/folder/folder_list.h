// The images of a folder. Reads the disk: for a thread, never the window's.
#pragma once

#include <QString>
#include <QStringList>

namespace warpscope::gui {

// Files whose names end as images do, in natural order, as paths that begin with `folder`. Hidden
// ones (.name), folders and devices are left out; what cannot be read is none.
QStringList imagesOfFolder(const QString& folder);

bool isFolder(const QString& path);
// Each folder of the list replaced by its images.
QStringList withFoldersOpened(const QStringList& paths);
// The images of the file's folder with the file among them, whatever it is called.
QStringList imagesAround(const QString& file);

}  // namespace warpscope::gui
