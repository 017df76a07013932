// The images of a folder, or of a list, as a strip of thumbnails: along the window, or down its
// side where it is docked there.
//
// Click or Return opens, a drag takes the file along, Ctrl + click compares, arrows walk in the
// strip, Page Up and Page Down open the neighbours; the context menu has the rest. Only what is
// seen, and a page to either side, is read.
#pragma once

#include <QListView>
#include <QTimer>

#include "engine/image/image.h"
#include "gui/folder/strip_model.h"
#include "gui/folder/thumbnail_store.h"

namespace warpscope::gui {

class FolderStrip : public QListView {
    Q_OBJECT
  public:
    explicit FolderStrip(QWidget* parent = nullptr);

    void setImages(const QStringList& paths, const QString& open);
    // The open image is no file: it stands before that one, or alone.
    void setImages(QStringList paths, const QString& before, const QString& title,
                   const Image& image);
    void setKept(const QStringList& paths) { m_model.setKept(paths); }
    void setCompared(const QString& path) { m_model.setCompared(path); }
    void fileChanged(const QString& path);
    ThumbnailStore& thumbnails() { return m_store; }
    // Whether all that is seen has its picture, or the reason why it has none.
    bool complete() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  signals:
    void openRequested(const QString& path);
    void neighbourRequested(int by);
    void compareRequested(const QString& path);
    void secondRequested(const QString& path);
    void keepRequested(const QString& path, bool keep);

  protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void startDrag(Qt::DropActions actions) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyboardSearch(const QString& search) override;

  private:
    void arrange();
    void wantSeen();
    std::pair<int, int> seenRows() const;  // first and behind the last
    QString pathAt(const QModelIndex& index) const;

    ThumbnailStore m_store;
    StripModel m_model;
    QString m_open;
    QTimer m_wanting;
    QString m_pressed;  // the file under the press
};

}  // namespace warpscope::gui
