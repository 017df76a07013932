// What hovering the histogram says, in a small window of its own beside the chart: inside it would
// cover the bars, and be cut off where the dock is low.
#pragma once

#include <QStringList>
#include <QWidget>

namespace warpscope::gui {

class ReadoutWindow : public QWidget {
    Q_OBJECT
  public:
    explicit ReadoutWindow(QWidget* parent);
    // Columns separated by tabs; the first line is the heading. Empty hides it.
    void showLines(const QStringList& lines, const QRect& besideGlobal);
    const QStringList& lines() const { return m_lines; }

    // Where a window of `size` goes beside `area` on `screen`: left, right, under or over it,
    // whichever has room first; without any, as far off as the screen allows.
    static QRect placeBeside(const QSize& size, const QRect& area, const QRect& screen);

    QSize sizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    std::vector<double> columnWidths() const;

    QStringList m_lines;
};

}  // namespace warpscope::gui
