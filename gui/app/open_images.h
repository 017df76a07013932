// The images that stay open: each keeps its place in memory (as far as the budget reaches), its
// view and its region; the steps are one chain for all. Also says which images are read ahead.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "gui/canvas/pane_view.h"
#include "gui/document/document.h"

namespace warpscope::gui {

class Canvas;
class EngineBridge;
class FileController;

class OpenImages : public QObject {
    Q_OBJECT
  public:
    // Before the canvas hears of another image: its view is taken from it then.
    OpenImages(Document& document, EngineBridge& bridge, Canvas& canvas, FileController& files);

    void keepCurrent(bool keep);
    void keep(const QString& path, bool keep);  // also one that was never shown
    bool currentIsKept() const { return findCurrent() >= 0; }
    QStringList keptPaths() const;  // without what is no file
    // For another start: what of it is a file.
    struct Kept {
        QString path;
        std::optional<ViewSpot> view;
        std::optional<RegionShape> region;
        friend bool operator==(const Kept&, const Kept&) = default;
    };
    std::vector<Kept> kept() const;
    void setKept(const std::vector<Kept>& kept);  // in place of all
    int count() const { return int(m_entries.size()); }
    void openNext(int by);  // round and round
    // The file that was shown before the present one; empty if there was none.
    QString lastPath() const { return m_lastPath; }
    // The canvas shows the new image: what was kept of it is given back.
    void sourceShown();

  signals:
    void changed();  // what is kept, or which of them is shown

  private:
    struct Entry {
        QString path;  // empty: no file, and `image` holds it
        QString title;
        PyramidPtr image;  // null for a file: the bridge keeps those
        Size size;
        std::optional<PaneView> view;
        std::optional<ViewSpot> spot;  // of another start, until there is a view
        std::optional<RegionShape> region;
    };
    Entry entryOfCurrent() const;
    int findCurrent() const;
    int find(const Entry& like) const;
    void onSourceChanged();
    void readAhead();

    Document& m_document;
    EngineBridge& m_bridge;
    Canvas& m_canvas;
    FileController& m_files;
    std::vector<Entry> m_entries;
    Entry m_shown;  // that is, or was until now
    QString m_lastPath;
    std::optional<RegionShape> m_region;  // of m_shown
};

}  // namespace warpscope::gui
