// The images of the strip: one row each, with its thumbnail and its marks.
#pragma once

#include <QAbstractListModel>
#include <QHash>
#include <QImage>
#include <QSet>
#include <QStringList>

namespace warpscope::gui {

class ThumbnailStore;

class StripModel : public QAbstractListModel {
    Q_OBJECT
  public:
    enum Role { PathRole = Qt::UserRole, PictureRole, ProblemRole, KeptRole, ComparedRole };

    explicit StripModel(const ThumbnailStore& store, QObject* parent = nullptr);

    // One path may be empty: the row of an image that is no file, which has this title and
    // picture.
    void setPaths(const QStringList& paths);
    void setNoFile(const QString& title, const QImage& picture);
    const QStringList& paths() const { return m_paths; }
    int rowOf(const QString& path) const { return m_rows.value(path, -1); }
    void setKept(const QStringList& paths);  // those that stay open
    void setCompared(const QString& path);   // empty: none
    void refresh(const QStringList& paths);  // their thumbnails have come

    Qt::DropActions supportedDragActions() const override { return Qt::CopyAction; }
    int rowCount(const QModelIndex& parent = {}) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;  // the file, for a drag
    QStringList mimeTypes() const override;
    QVariant data(const QModelIndex& index, int role) const override;

  private:
    QString accessibleText(const QString& path) const;
    QVariant dataOfNoFile(int role) const;

    const ThumbnailStore& m_store;
    QStringList m_paths;
    QHash<QString, int> m_rows;
    QSet<QString> m_kept;
    QString m_compared;
    QString m_noFileTitle;
    QImage m_noFilePicture;
};

}  // namespace warpscope::gui
