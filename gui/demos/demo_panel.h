// The experiment that runs: what it is, the published figures beside ours, and what to run next.
#pragma once

#include <QWidget>

#include "gui/demos/demo_runner.h"
#include "gui/demos/demo_table.h"

class QGridLayout;
class QLabel;
class QPushButton;
class QScrollArea;
class QStackedLayout;
class QVBoxLayout;

namespace warpscope::gui {

class WrapLabel;

class DemoPanel : public QWidget {
    Q_OBJECT
  public:
    DemoPanel(DemoRunner& runner, EngineBridge& bridge, QWidget* parent = nullptr);

    // In the room that there is, until figures or state change.
    void showTable(const DemoTable& table);
    // That shows published figures and ours without scrolling.
    int heightForFigures() const;

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    QWidget* buildHeader();
    void refresh();
    void fillWide(const DemoTable& table);
    void fillNarrow(const DemoTable& table);
    int roomForTable() const;
    // Side by side; one above the other, a column a size; the same with whatever is long in lines.
    enum class Shape { Wide, Narrow, Wrapped };
    Shape shapeFor(int room) const;
    QLabel* addLabel(int row, int column, const QString& text, Qt::Alignment alignment,
                     int columns = 1);
    void addTitle(int row, int column, const QString& text, Qt::Alignment alignment, int columns);
    void addHead(int row, int column, const DemoColumn& head, Qt::Alignment alignment);
    void addRule(int row, int column, int columns);
    void addCell(int row, int column, const DemoCell& cell, const QString& spoken);
    QLabel* addName(int row, int column, const DemoLine& line, Qt::Alignment alignment);

    DemoRunner& m_runner;
    EngineBridge& m_bridge;
    QStackedLayout* m_pages = nullptr;
    QWidget* m_header = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_state = nullptr;
    QPushButton* m_all = nullptr;
    QPushButton* m_again = nullptr;
    WrapLabel* m_about = nullptr;
    QVBoxLayout* m_column = nullptr;
    QWidget* m_table = nullptr;  // made anew with its layout whenever figures change
    QGridLayout* m_grid = nullptr;
    int m_wideTable = 0;    // width that it needs; 0: no table
    int m_narrowTable = 0;  // 0: not known, because it is wide
    Shape m_shape = Shape::Wide;
    WrapLabel* m_notes = nullptr;
    QScrollArea* m_scroll = nullptr;
    const PublishedExperiment* m_shown = nullptr;  // another one begins at its top
};

}  // namespace warpscope::gui
