// The experiment that runs: what it is, the published figures beside ours, and what to run next.
#pragma once

#include <QWidget>

#include "gui/demos/demo_runner.h"
#include "gui/demos/demo_table.h"

class QGridLayout;
class QLabel;
class QPushButton;
class QStackedLayout;
class QVBoxLayout;

namespace warpscope::gui {

class WrapLabel;

class DemoPanel : public QWidget {
    Q_OBJECT
  public:
    DemoPanel(DemoRunner& runner, EngineBridge& bridge, QWidget* parent = nullptr);

  private:
    QWidget* buildHeader();
    void refresh();
    void fillGrid(const DemoTable& table);
    QLabel* addLabel(int row, int column, const QString& text, Qt::Alignment alignment,
                     int columns = 1);

    DemoRunner& m_runner;
    EngineBridge& m_bridge;
    QStackedLayout* m_pages = nullptr;
    QLabel* m_title = nullptr;
    QLabel* m_state = nullptr;
    QPushButton* m_all = nullptr;
    QPushButton* m_again = nullptr;
    WrapLabel* m_about = nullptr;
    QVBoxLayout* m_column = nullptr;
    QWidget* m_table = nullptr;  // made anew with its layout whenever figures change
    QGridLayout* m_grid = nullptr;
    WrapLabel* m_notes = nullptr;
};

}  // namespace warpscope::gui
