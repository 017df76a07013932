#include "gui/canvas/empty_state.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace warpscope::gui {

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent),
      m_hint(new QLabel(this)),
      m_open(new QPushButton(this)),
      m_sample(new QPushButton(this)) {
    m_hint->setAlignment(Qt::AlignCenter);
    m_hint->setWordWrap(true);
    m_open->setObjectName(QStringLiteral("openImage"));
    m_sample->setObjectName(QStringLiteral("openSample"));
    for (QPushButton* button : {m_open, m_sample}) {
        button->setFocusPolicy(Qt::StrongFocus);
        button->setAutoDefault(true);  // Return presses the focused one
        button->setCursor(Qt::ArrowCursor);
    }
    connect(m_open, &QPushButton::clicked, this, &EmptyState::openRequested);
    connect(m_sample, &QPushButton::clicked, this, &EmptyState::sampleRequested);

    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addStretch();
    buttons->addWidget(m_open);
    buttons->addWidget(m_sample);
    buttons->addStretch();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(16);
    column->addStretch();
    column->addWidget(m_hint);
    column->addLayout(buttons);
    column->addStretch();
    retranslate();
}

QWidget* EmptyState::firstButton() const {
    return m_open;
}

void EmptyState::setOpening(const QString& name) {
    if (name == m_opening) return;
    m_opening = name;
    retranslate();
}

void EmptyState::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

void EmptyState::retranslate() {
    m_hint->setText(m_opening.isEmpty() ? tr("Drop an image here, or open the sample scene")
                                        : tr("Opening %1 …").arg(m_opening));
    m_open->setText(tr("Open image…"));
    m_open->setAccessibleDescription(tr("Chooses an image file"));
    m_sample->setText(tr("Open sample scene"));
    m_sample->setAccessibleDescription(tr("Shows a scene that comes with the program"));
}

}  // namespace warpscope::gui
