#include "gui/inspector/step_values.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QVBoxLayout>

#include "gui/display/pixel_values.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/theme.h"

namespace warpscope::gui {
namespace {

constexpr int kWaitMs = 40;

QString valuesOf(const Image& pixel) {
    QStringList samples;
    for (const SampleText& text : sampleTexts(pixel, {0, 0}))
        samples << QStringLiteral("%1\u00a0%2").arg(text.channel, text.decimal);
    return samples.isEmpty() ? QStringLiteral("–") : samples.join(QLatin1String("  "));
}

}  // namespace

StepValues::StepValues(Document& document, EngineBridge& bridge, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_bridge(bridge),
      m_title(new QLabel(this)),
      m_grid(new QGridLayout) {
    setObjectName(QStringLiteral("stepValues"));
    m_title->setForegroundRole(QPalette::PlaceholderText);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(2);
    m_grid->setColumnStretch(1, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_title);
    column->addLayout(m_grid);
    m_timer.setSingleShot(true);
    m_timer.setInterval(kWaitMs);
    connect(&m_timer, &QTimer::timeout, this, &StepValues::ask);
    connect(&bridge, &EngineBridge::probeReady, this, &StepValues::show);
    connect(&bridge, &EngineBridge::fullReady, this, [this] { m_timer.start(); });
    connect(&bridge, &EngineBridge::peekChanged, this, &StepValues::rebuild);
    connect(&document, &Document::pipelineChanged, this, &StepValues::rebuild);
    connect(&Theme::instance(), &Theme::changed, this, &StepValues::rebuild);
    setVisible(false);
    retranslate();
}

void StepValues::setOn(bool on) {
    m_on = on;
    setVisible(on);
    rebuild();
    if (on) m_timer.start();
}

void StepValues::setPoint(const std::optional<QPointF>& point) {
    if (point == m_point) return;
    m_point = point;
    // While the mouse moves, too.
    if (point && !m_timer.isActive()) m_timer.start();
    if (!point)
        for (const Row& row : m_rows) row.values->setText(QStringLiteral("–"));
}

void StepValues::ask() {
    if (m_on && m_point) m_bridge.probe(m_point->x(), m_point->y());
}

void StepValues::show(const ProbeReady& probe) {
    if (!m_on || !m_point) return;
    const auto& steps = m_document.pipeline().steps;
    for (std::size_t i = 0; i < m_rows.size() && i < steps.size(); ++i) {
        QLabel* values = m_rows[i].values;
        values->setText(QStringLiteral("–"));
        values->setForegroundRole(QPalette::WindowText);
        for (const ProbeReady::Value& value : probe.values)
            if (value.stepIndex == i) values->setText(valuesOf(value.pixel));
    }
}

// What is there is of the steps as they were, until the next answer.
void StepValues::rebuild() {
    const auto& steps = m_document.pipeline().steps;
    while (m_rows.size() > steps.size()) {
        delete m_rows.back().step;
        delete m_rows.back().values;
        m_rows.pop_back();
    }
    while (m_on && m_rows.size() < steps.size()) {
        const Row row{new QLabel(this), new QLabel(QStringLiteral("–"), this)};
        row.step->setWordWrap(true);
        row.values->setWordWrap(true);
        row.values->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_grid->addWidget(row.step, int(m_rows.size()), 0, Qt::AlignTop);
        m_grid->addWidget(row.values, int(m_rows.size()), 1, Qt::AlignTop);
        m_rows.push_back(row);
    }
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Operation* operation = findOperation(steps[i].operation);
        m_rows[i].step->setText(
            QStringLiteral("%1 %2").arg(i + 1).arg(engineText(operation->description().label)));
        m_rows[i].step->setForegroundRole(QPalette::PlaceholderText);
        m_rows[i].values->setFont(Theme::instance().figureFont());
        m_rows[i].values->setForegroundRole(QPalette::PlaceholderText);
    }
    m_title->setVisible(m_on && !steps.empty());
}

void StepValues::retranslate() {
    m_title->setText(tr("After each step"));
    setAccessibleName(tr("Values of the pixel after each step"));
    rebuild();
}

void StepValues::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

QStringList StepValues::texts() const {
    QStringList texts;
    for (const Row& row : m_rows)
        texts << QStringLiteral("%1: %2").arg(row.step->text(), row.values->text());
    return texts;
}

}  // namespace warpscope::gui
