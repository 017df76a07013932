// The results that are there, each with a box that shows or hides it in charts and tables, and what
// can be done with them.
#pragma once

#include <QWidget>

#include "gui/benchmark/benchmark_reports.h"

class QListWidget;
class QListWidgetItem;
class QPushButton;

namespace warpscope::gui {

class ResultsList : public QWidget {
    Q_OBJECT
  public:
    explicit ResultsList(BenchmarkReports& reports, QWidget* parent = nullptr);

    void refresh();
    int currentId() const;  // 0: none is there
    void setCurrentId(int id);
    void setGpuHere(bool here);
    void setRunnable(bool runnable);  // nothing runs

  signals:
    void openRequested();
    void saveRequested();
    void shippedRequested();
    void detailsRequested();
    void againRequested();

  private:
    void onItemChanged(QListWidgetItem* item);
    void updateButtons();

    BenchmarkReports& m_reports;
    QListWidget* m_list = nullptr;
    QPushButton *m_save = nullptr, *m_remove = nullptr, *m_shipped = nullptr;
    QPushButton *m_details = nullptr, *m_again = nullptr;
    bool m_runnable = true;
    bool m_filling = false;
};

}  // namespace warpscope::gui
