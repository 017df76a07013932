// How like result and source are, or the two images that are compared: RMSE, PSNR, SSIM, of the
// region if there is one. Counts when nothing moves and only while it is shown; the same count
// gives the percentiles and the entropy of source and result.
#pragma once

#include <QTimer>
#include <QWidget>

#include "gui/inspector/figures_counter.h"

class QLabel;
class QPushButton;
class QTableWidget;

namespace warpscope::gui {

class Document;
class EngineBridge;
struct Comparison;

class LikenessView : public QWidget {
    Q_OBJECT
  public:
    LikenessView(Document& document, EngineBridge& bridge, QWidget* parent = nullptr);

    void setComparison(const Comparison* comparison);  // null: source and result
    const FiguresCounter::Figures& figures() const { return m_counter.figures(); }
    bool isCurrent() const;  // false: of something older

  signals:
    void changed();  // the figures, or whether they are current

  protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void begin();
    void showFound();
    void fillTable();
    FiguresCounter::Request requested();
    void copy(const char* format);

    Document& m_document;
    EngineBridge& m_bridge;
    const Comparison* m_comparison = nullptr;
    FiguresCounter m_counter;
    QTimer m_timer;
    // Of what was asked for last.
    QString m_heading;
    QString m_obstacle;
    double m_peak = 255;  // full scale of its format
    QLabel* m_title = nullptr;
    QTableWidget* m_table = nullptr;
    QPushButton* m_copy = nullptr;
    QPushButton* m_copyCsv = nullptr;
};

}  // namespace warpscope::gui
