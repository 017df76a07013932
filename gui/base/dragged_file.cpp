#include "gui/base/dragged_file.h"

#include <QMimeData>
#include <QUrl>

#include "gui/base/file_name.h"

namespace warpscope::gui {
namespace {

const QString kOwn = QStringLiteral("application/x-warpscope-file");
const QString kUrls = QStringLiteral("text/uri-list");

}  // namespace

QMimeData* dragOf(const QString& path) {
    auto* data = new QMimeData;
    data->setData(kOwn, nameToBytes(path));
    data->setUrls({QUrl::fromLocalFile(path)});
    return data;
}

QStringList draggedFileTypes() {
    return {kOwn, kUrls};
}

QString ownDrag(const QMimeData* data) {
    return data && data->hasFormat(kOwn) ? nameFromBytes(data->data(kOwn)) : QString();
}

QString draggedFile(const QMimeData* data) {
    if (const QString own = ownDrag(data); !own.isEmpty()) return own;
    if (data)
        for (const QUrl& url : data->urls())
            if (url.isLocalFile()) return url.toLocalFile();
    return {};
}

}  // namespace warpscope::gui
