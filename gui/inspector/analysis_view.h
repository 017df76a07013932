// An analysis of the list, other than the histogram, of source and result: chosen here, done by the
// worker, shown as a table.
#pragma once

#include <QWidget>

#include "engine/operations/analysis_table.h"
#include "gui/document/engine_bridge.h"

class QComboBox;
class QLabel;
class QPushButton;
class QTableWidget;

namespace warpscope::gui {

class AnalysisView : public QWidget {
    Q_OBJECT
  public:
    explicit AnalysisView(EngineBridge& bridge, QWidget* parent = nullptr);

    void setOutdated(bool outdated);  // of something older than what is shown: weaker text

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void retranslate();
    void choose(int index);
    void showFound();
    void fillTable();

    EngineBridge& m_bridge;
    QLabel* m_title = nullptr;
    QComboBox* m_choice = nullptr;
    QLabel* m_problem = nullptr;
    QTableWidget* m_table = nullptr;
    QPushButton* m_copy = nullptr;
    // Both sides; the first column says which.
    AnalysisTable m_found;
    bool m_outdated = false;
};

}  // namespace warpscope::gui
