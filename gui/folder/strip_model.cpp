#include "gui/folder/strip_model.h"

#include "gui/base/dragged_file.h"
#include "gui/base/file_name.h"
#include "gui/folder/thumbnail_store.h"

namespace warpscope::gui {

StripModel::StripModel(const ThumbnailStore& store, QObject* parent)
    : QAbstractListModel(parent), m_store(store) {}

void StripModel::setPaths(const QStringList& paths) {
    if (paths == m_paths) return;
    beginResetModel();
    m_paths = paths;
    m_rows.clear();
    m_rows.reserve(paths.size());
    for (int i = 0; i < int(paths.size()); ++i) m_rows.insert(paths[i], i);
    endResetModel();
}

void StripModel::setNoFile(const QString& title, const QImage& picture) {
    m_noFileTitle = title;
    m_noFilePicture = picture;
    refresh({QString()});
}

void StripModel::setKept(const QStringList& paths) {
    const QSet<QString> before = m_kept;
    m_kept = QSet<QString>(paths.begin(), paths.end());
    const QSet<QString> touched = before + m_kept;
    refresh(QStringList(touched.begin(), touched.end()));
}

void StripModel::setCompared(const QString& path) {
    const QString before = std::exchange(m_compared, path);
    refresh({before, path});
}

void StripModel::refresh(const QStringList& paths) {
    for (const QString& path : paths)
        if (const int row = rowOf(path); row >= 0) emit dataChanged(index(row), index(row));
}

int StripModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_paths.size());
}

Qt::ItemFlags StripModel::flags(const QModelIndex& index) const {
    const Qt::ItemFlags flags = QAbstractListModel::flags(index);
    return data(index, PathRole).toString().isEmpty() ? flags : flags | Qt::ItemIsDragEnabled;
}

QStringList StripModel::mimeTypes() const {
    return draggedFileTypes();
}

QMimeData* StripModel::mimeData(const QModelIndexList& indexes) const {
    return indexes.isEmpty() ? nullptr : dragOf(data(indexes.front(), PathRole).toString());
}

QVariant StripModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= m_paths.size()) return {};
    const QString& path = m_paths[index.row()];
    if (path.isEmpty()) return dataOfNoFile(role);
    const Thumbnail* thumbnail = m_store.find(path);
    switch (role) {
        case Qt::DisplayRole:
            return shownFileName(path);
        case Qt::ToolTipRole:
            return thumbnail && !thumbnail->problem.isEmpty() ? thumbnail->problem
                                                              : shownName(path);
        case Qt::AccessibleTextRole:
            return accessibleText(path);
        case PathRole:
            return path;
        case PictureRole:
            return thumbnail ? QVariant(thumbnail->picture) : QVariant();
        case ProblemRole:
            return thumbnail ? thumbnail->problem : QString();
        case KeptRole:
            return m_kept.contains(path);
        case ComparedRole:
            return path == m_compared;
        default:
            return {};
    }
}

QVariant StripModel::dataOfNoFile(int role) const {
    switch (role) {
        case Qt::DisplayRole:
            return m_noFileTitle;
        case Qt::ToolTipRole:
        case Qt::AccessibleTextRole:
            return tr("%1, not a file").arg(m_noFileTitle);
        case PictureRole:
            return m_noFilePicture;
        default:
            return {};
    }
}

QString StripModel::accessibleText(const QString& path) const {
    QString text = shownFileName(path);
    const Thumbnail* thumbnail = m_store.find(path);
    if (thumbnail && !thumbnail->problem.isEmpty()) text += tr(", cannot be shown");
    if (m_kept.contains(path)) text += tr(", stays open");
    if (path == m_compared) text += tr(", compared with");
    return text;
}

}  // namespace warpscope::gui
