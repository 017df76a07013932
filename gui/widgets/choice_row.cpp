#include "gui/widgets/choice_row.h"

#include <QVBoxLayout>

#include "gui/widgets/quiet_combo_box.h"
#include "gui/widgets/segmented_control.h"
#include "gui/widgets/wrap_label.h"

namespace warpscope::gui {

namespace {
constexpr int kMostSegments = 3;
}

ChoiceRow::ChoiceRow(const std::string& id, const QString& label, const QString& help,
                     const QVector<ChoiceItem>& items, QWidget* parent)
    : QWidget(parent), m_items(items) {
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(4);
    auto* title = new WrapLabel(this);
    title->setText(label);
    title->setToolTip(help);
    all->addWidget(title);

    const QString name = QString::fromStdString(id) + QStringLiteral(".choice");
    if (items.size() <= kMostSegments) {
        QStringList labels, tips;
        for (const ChoiceItem& item : items) {
            labels << item.label;
            tips << (item.help.isEmpty() ? help : item.help);
        }
        m_segments = new SegmentedControl(labels, tips, this);
        m_segments->setObjectName(name);
        m_segments->setAccessibleName(label);
        connect(m_segments, &SegmentedControl::chosen, this,
                [this](int index) { emit chosen(m_items[index].id); });
        all->addWidget(m_segments);
        return;
    }
    m_combo = new QuietComboBox(this);
    m_combo->setObjectName(name);
    m_combo->setAccessibleName(label);
    m_combo->setAccessibleDescription(help);
    for (const ChoiceItem& item : items) {
        m_combo->addItem(item.label);
        m_combo->setItemData(m_combo->count() - 1, item.help, Qt::ToolTipRole);
    }
    const auto explain = [this, help](int index) {
        const QString own = m_items.value(index).help;
        m_combo->setToolTip(own.isEmpty() ? help : own);
    };
    connect(m_combo, &QComboBox::currentIndexChanged, this, explain);
    connect(m_combo, &QComboBox::activated, this,
            [this](int index) { emit chosen(m_items[index].id); });
    explain(m_combo->currentIndex());
    all->addWidget(m_combo);
}

void ChoiceRow::setChoice(const std::string& id) {
    for (int i = 0; i < m_items.size(); ++i) {
        if (m_items[i].id != id) continue;
        if (m_segments) m_segments->setCurrent(i);
        if (m_combo) m_combo->setCurrentIndex(i);
    }
}

}  // namespace warpscope::gui
