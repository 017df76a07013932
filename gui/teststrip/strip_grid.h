// The cells of a test strip: small pictures with their values. A click or Return takes a cell's
// values, arrow keys go from cell to cell.
#pragma once

#include <QAbstractButton>
#include <QImage>
#include <vector>

#include "engine/image/image.h"
#include "gui/display/display_settings.h"

namespace warpscope::gui {

class StripCell : public QAbstractButton {
    Q_OBJECT
  public:
    StripCell(const DisplaySettings& display, QWidget* parent);

    void setValue(const QString& label, const QString& spoken, bool present);
    bool isPresent() const { return m_present; }
    // Null with a problem: that is shown in its place. Labels: numbers of objects.
    void setPicture(const Image& picture, const QString& problem, bool labels = false);
    const Image& picture() const { return m_picture; }
    const QString& problem() const { return m_problem; }
    void drawAnew();  // black and white, or the theme, have changed
    // Device pixels, around the middle of the area above the label; enlarged by whole numbers.
    QRect pictureRect() const;
    static QSize pictureRoom(QSize cell, int lineHeight);

  signals:
    void taken(bool stay);
    void moveRequested(int across, int down);
    void pointed(bool at);  // by the mouse or the focus

  protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;

  private:
    const DisplaySettings& m_display;
    Image m_picture;
    QString m_problem;
    QImage m_drawn;
    bool m_present = false;
    bool m_labels = false;
};

class StripGrid : public QWidget {
    Q_OBJECT
  public:
    StripGrid(const DisplaySettings& display, QWidget* parent);

    struct Value {
        QString label;   // in the cell
        QString spoken;  // with the parameter's name
        bool present = false;
    };
    // Row by row. Pictures stay until others come.
    void setValues(const std::vector<Value>& values, int columns);
    const std::vector<StripCell*>& cells() const { return m_cells; }
    int columns() const { return m_columns; }
    QSize pictureRoom() const;  // of each cell, device pixels
    void focusPresent();

  signals:
    void taken(int index, bool stay);
    void pointedAt(int index);  // -1: at none
    void roomChanged();

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    StripCell* makeCell();
    void layOut();
    int indexOf(const StripCell* cell) const;
    QSize cellSize() const;

    const DisplaySettings& m_display;
    std::vector<StripCell*> m_cells;
    int m_columns = 1;
};

}  // namespace warpscope::gui
