#include "gui/app/first_hints.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QStatusBar>
#include <QToolButton>

#include "gui/app/actions.h"
#include "gui/canvas/canvas.h"
#include "gui/document/document.h"
#include "gui/document/settings.h"
#include "gui/widgets/elided_label.h"

namespace warpscope::gui {
namespace {

const QString kHintsWanted = QStringLiteral("hints");

QString doneKey(int hint) {
    return QStringLiteral("hintDone%1").arg(hint);
}

}  // namespace

FirstHints::FirstHints(const Parts& parts) : m_parts(parts) {
    if (!parts.settings.isKept() || !parts.settings.switched(kHintsWanted).value_or(true)) return;
    m_note = new QWidget(&parts.status);
    m_note->setObjectName(QStringLiteral("hintNote"));
    m_label = new ElidedLabel(m_note);
    m_label->setObjectName(QStringLiteral("hintText"));
    auto* never = new QToolButton(m_note);
    never->setObjectName(QStringLiteral("hintsOff"));
    never->setText(tr("No hints"));
    never->setToolTip(tr("Do not show hints"));
    never->setAccessibleName(tr("Do not show hints"));
    never->setAutoRaise(true);
    never->setFocusPolicy(Qt::TabFocus);
    auto* row = new QHBoxLayout(m_note);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_label);
    row->addWidget(never);
    parts.status.insertPermanentWidget(1, m_note);
    m_note->hide();

    connect(never, &QToolButton::clicked, this, &FirstHints::stop);
    m_steps = parts.document.pipeline().steps.size();
    connect(&parts.document, &Document::pipelineChanged, this, [this](bool structural) {
        const std::size_t before = m_steps;
        m_steps = m_parts.document.pipeline().steps.size();
        if (structural && m_steps == before + 1) done(AddStep);
    });
    connect(&parts.document, &Document::sourceChanged, this, &FirstHints::showNext);
    for (QAction* zoom : {parts.actions.fit, parts.actions.zoomIn, parts.actions.zoomOut})
        connect(zoom, &QAction::triggered, this, [this] { done(Zoom); });
    parts.canvas.installEventFilter(this);
    connect(&parts.canvas, &Canvas::showingSourceChanged, this, [this](bool held) {
        if (held) done(HoldShift);
    });
    connect(parts.actions.sideBySideDemo, &QAction::triggered, this, [this] { done(Race); });
    showNext();
}

QString FirstHints::textOf(Hint hint) const {
    switch (hint) {
        case AddStep:
            return tr("A adds a step");
        case Zoom:
            return tr("The wheel zooms, F fits the picture");
        case HoldShift:
            return tr("Hold Shift to see the source");
        case Race:
            return m_parts.actions.backendCuda->isEnabled()
                       ? tr("F11 lets this machine race: CPU, GPU or a recorded run")
                       : tr("F11 lets this machine race: one thread, all cores or a recorded run");
        case kHints:
            break;
    }
    return {};
}

QString FirstHints::text() const {
    return m_note && !m_note->isHidden() ? m_label->text() : QString();
}

bool FirstHints::isDone(Hint hint) const {
    return m_parts.settings.switched(doneKey(hint)).value_or(false);
}

// Also what is done before its hint comes.
void FirstHints::done(Hint hint) {
    if (!m_note || isDone(hint)) return;
    m_parts.settings.setSwitched(doneKey(hint), true);
    showNext();
}

void FirstHints::stop() {
    m_parts.settings.setSwitched(kHintsWanted, false);
    m_parts.canvas.removeEventFilter(this);
    m_note->hide();
    m_note->deleteLater();
    m_note = nullptr;
    m_parts.canvas.setFocus();
}

void FirstHints::showNext() {
    if (!m_note) return;
    int next = 0;
    while (next < kHints && isDone(Hint(next))) ++next;
    if (next == kHints) return stop();
    // The window without an image says itself what to do.
    m_label->setText(textOf(Hint(next)));
    m_note->setVisible(m_parts.document.source() != nullptr);
}

bool FirstHints::eventFilter(QObject* watched, QEvent* event) {
    const bool handled = QObject::eventFilter(watched, event);
    if (watched == &m_parts.canvas && event->type() == QEvent::Wheel) done(Zoom);
    return handled;
}

}  // namespace warpscope::gui
