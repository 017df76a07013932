// Items of one size beside each other, in as many rows as the width asks for.
#pragma once

#include <QLayout>
#include <QList>

namespace warpscope::gui {

class FlowLayout : public QLayout {
  public:
    FlowLayout(int spacing, QWidget* parent = nullptr);
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

    QList<QLayoutItem*> m_items;
    int m_spacing;
};

}  // namespace warpscope::gui
