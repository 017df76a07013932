#include "gui/steps/image_row.h"

#include <QDragEnterEvent>
#include <QPainter>
#include <QVBoxLayout>

#include "gui/base/dragged_file.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/quiet_combo_box.h"
#include "gui/widgets/theme.h"
#include "gui/widgets/wrap_label.h"

namespace warpscope::gui {

QString stepTitle(const Step& step) {
    const Operation* operation = findOperation(step.operation);
    const QString label = operation ? engineText(operation->description().label)
                                    : QString::fromStdString(step.operation);
    return step.name.empty() ? label
                             : label + QStringLiteral(" · ") + QString::fromStdString(step.name);
}

ImageRow::ImageRow(Document& document, const ParamSpec& spec, QWidget* parent)
    : QWidget(parent), m_document(document), m_id(spec.id), m_combo(new QuietComboBox(this)) {
    const QString label = engineText(spec.label), help = engineText(spec.help);
    auto* title = new WrapLabel(this);
    title->setText(label);
    title->setToolTip(help);
    m_combo->setObjectName(QString::fromStdString(spec.id) + QStringLiteral(".image"));
    m_combo->setAccessibleName(label);
    m_combo->setAccessibleDescription(help);
    m_combo->setToolTip(help);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(4);
    all->addWidget(title);
    all->addWidget(m_combo);
    setAcceptDrops(true);
    // Entries carry the value, earlier steps their place: those without a name get one.
    connect(m_combo, &QComboBox::activated, this, [this](int index) {
        const QVariant chosen = m_combo->itemData(index);
        if (chosen.typeId() == QMetaType::Int)
            m_document.referToStep(m_step, m_id, chosen.toInt());
        else
            m_document.setParameter(m_step, m_id, chosen.toString().toStdString(),
                                    EditPhase::Single);
    });
}

void ImageRow::takeDrag(QEvent& event) {
    switch (event.type()) {
        case QEvent::DragEnter:
            return dragEnterEvent(static_cast<QDragEnterEvent*>(&event));
        case QEvent::DragLeave:
            return dragLeaveEvent(static_cast<QDragLeaveEvent*>(&event));
        case QEvent::Drop:
            return dropEvent(static_cast<QDropEvent*>(&event));
        default:
            break;
    }
}

void ImageRow::dragEnterEvent(QDragEnterEvent* event) {
    if (draggedFile(event->mimeData()).isEmpty()) return event->ignore();
    event->setDropAction(Qt::CopyAction);
    event->accept();
    setUnderDrag(true);
}

void ImageRow::dragLeaveEvent(QDragLeaveEvent*) {
    setUnderDrag(false);
}

void ImageRow::dropEvent(QDropEvent* event) {
    setUnderDrag(false);
    const QString path = draggedFile(event->mimeData());
    if (path.isEmpty() || m_step < 0) return event->ignore();
    event->setDropAction(Qt::CopyAction);
    event->accept();
    m_document.setParameter(m_step, m_id, std::string("second"), EditPhase::Single);
    emit secondDropped(path);
}

void ImageRow::setUnderDrag(bool under) {
    m_underDrag = under;
    update();
}

void ImageRow::paintEvent(QPaintEvent*) {
    if (!m_underDrag) return;
    QPainter painter(this);
    painter.setPen(QPen(Theme::instance().colors().accent, 2));
    painter.drawRect(rect().adjusted(1, 1, -1, -1));
}

void ImageRow::show(int step) {
    m_step = step;
    const auto& steps = m_document.pipeline().steps;
    const auto chosen = secondInputOf(steps[std::size_t(step)]);
    if (!chosen) return;
    using Kind = ImageReference::Kind;
    m_combo->clear();
    m_combo->addItem(tr("Source"), QStringLiteral("source"));
    int current = chosen->kind == Kind::Source ? 0 : -1;
    for (int i = 0; i < int(steps.size()); ++i) {
        const Step& other = steps[std::size_t(i)];
        const bool isChosen = chosen->kind == Kind::Step && other.name == chosen->step;
        if (i >= step && !isChosen) continue;
        const QString text = tr("%1: %2").arg(i + 1).arg(stepTitle(other));
        if (isChosen) current = m_combo->count();
        if (i < step)
            m_combo->addItem(text, i);
        else
            m_combo->addItem(tr("%1 (not before this step)").arg(text),
                             QString::fromStdString("step:" + chosen->step));
    }
    if (chosen->kind == Kind::Second) current = m_combo->count();
    m_combo->addItem(m_document.second() ? tr("Second image: %1").arg(m_document.secondTitle())
                                         : tr("Second image (none open)"),
                     QStringLiteral("second"));
    if (current < 0) {
        current = m_combo->count();
        m_combo->addItem(tr("%1 (missing)").arg(QString::fromStdString(chosen->step)),
                         QString::fromStdString("step:" + chosen->step));
    }
    m_combo->setCurrentIndex(current);
}

}  // namespace warpscope::gui
