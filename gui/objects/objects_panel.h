// The objects that the step "Connected components" numbers, as a table: found in what that step is
// given and measured in the source, anew with every result of the chain, and only while somebody
// can see it. Rows that are selected stand out in the picture.
#pragma once

#include <QPolygonF>
#include <QWidget>
#include <memory>
#include <vector>

#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"
#include "gui/objects/object_counter.h"
#include "gui/objects/objects_model.h"

class QLabel;
class QStackedLayout;
class QTableView;

namespace warpscope::gui {

class Settings;

class ObjectsPanel : public QWidget {
    Q_OBJECT
  public:
    ObjectsPanel(Document& document, EngineBridge& bridge, RenderWorker::BackendFactory factory,
                 QWidget* parent = nullptr);
    ~ObjectsPanel() override;

    // Files are asked for in the folder that was used last; must outlive the panel.
    void setSettings(Settings& settings) { m_settings = &settings; }
    const ObjectsModel& model() const { return m_model; }
    QTableView& table() { return *m_table; }
    // The rows are those of the present steps.
    bool isCurrent() const;
    QString caption() const;

  public slots:
    // Behind another tab Qt says that a panel is visible; its dock knows better.
    void setInSight(bool inSight);
    // The row of the object at that pixel of the source; nothing changes where there is none.
    void selectAt(const QPoint& pixel);
    // What `warpscope-cli analyze` writes of the steps before.
    void saveTo(const QString& path);

  signals:
    // Of the objects whose rows are selected, in coordinates of the source.
    void outlinesChanged(const std::vector<QPolygonF>& outlines);
    void zoomRequested(const QRectF& inSource);
    void saved(const QString& path);
    void saveFailed(const QString& why);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    void build();
    void applyTheme();
    bool seen() const { return m_inSight && isVisible(); }
    int step() const;  // whose objects are listed; -1: none
    std::optional<ObjectCounter::Request> wanted() const;
    void sync();
    void take();
    void showState();
    std::vector<int> selectedRows() const;
    void publishOutlines();
    void zoomToCurrent();
    void copy() const;
    void askForFile();

    Document& m_document;
    Settings* m_settings = nullptr;
    EngineBridge& m_bridge;
    ObjectsModel m_model;
    QTableView* m_table = nullptr;
    QLabel* m_caption = nullptr;
    QLabel* m_empty = nullptr;
    QWidget* m_content = nullptr;
    QStackedLayout* m_pages = nullptr;
    QAction* m_copy = nullptr;
    QAction* m_save = nullptr;
    bool m_inSight = true;
    ObjectCounter m_counter;
    std::unique_ptr<TaskRunner> m_saves;  // made when it is needed; finishes what it has begun
};

}  // namespace warpscope::gui
