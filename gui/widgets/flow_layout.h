// Items beside each other, in as many rows as the width asks for.
#pragma once

#include <QLayout>
#include <QList>

namespace warpscope::gui {

class FlowLayout : public QLayout {
  public:
    // All as wide as the widest, or each as wide as it wants to be; of the latter those that expand
    // share what is left of their row.
    enum class Widths { Alike, Own };
    explicit FlowLayout(int spacing, QWidget* parent = nullptr, Widths widths = Widths::Alike);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override { m_items.append(item); }
    int count() const override { return int(m_items.size()); }
    QLayoutItem* itemAt(int index) const override { return m_items.value(index); }
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return place(QRect(0, 0, width, 0), false); }
    QSize sizeHint() const override;
    QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

  private:
    QSize cell() const;  // what the largest item needs
    int place(const QRect& rect, bool move) const;
    int placeAlike(const QRect& rect, bool move) const;
    int placeOwn(const QRect& rect, bool move) const;
    void placeRow(const QList<QLayoutItem*>& row, const QRect& rect) const;

    QList<QLayoutItem*> m_items;
    int m_spacing;
    Widths m_widths;
};

}  // namespace warpscope::gui
