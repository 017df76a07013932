#include "gui/objects/polarity_hint.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QPushButton>
#include <algorithm>
#include <cmath>

#include "gui/widgets/wrap_label.h"

namespace warpscope::gui {
namespace {

// More than that is hardly a thing on a ground.
constexpr double kMostOfPicture = 0.5;

bool isThreshold(const Step& step) {
    return step.enabled &&
           (step.operation == "threshold" || step.operation == "adaptive_threshold");
}

// Of the largest object.
double coveredShare(const FoundComponents& found) {
    const auto area = std::ranges::find(found.table.columns, "area", &TableColumn::id);
    if (area == found.table.columns.end()) return 0;
    double largest = 0;
    for (const auto& cell : area->cells)
        if (const auto* pixels = std::get_if<std::int64_t>(&cell))
            largest = std::max(largest, double(*pixels));
    return largest / std::max(1.0, double(found.size.pixels()));
}

}  // namespace

PolarityHint::PolarityHint(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_label(new WrapLabel(this)) {
    setObjectName(QStringLiteral("polarityHint"));
    m_button = new QPushButton(this);
    m_button->setObjectName(QStringLiteral("polarityMend"));
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(8, 0, 8, 0);
    line->setSpacing(8);
    line->addWidget(m_label, 1);
    line->addWidget(m_button, 0, Qt::AlignTop);
    connect(m_button, &QPushButton::clicked, this, &PolarityHint::mend);
    hide();
}

void PolarityHint::look(const ObjectCounter::Objects* objects, int step) {
    const double share = objects && step >= 0 ? coveredShare(objects->found) : 0;
    setVisible(share >= kMostOfPicture);
    if (share < kMostOfPicture) return;
    const auto& steps = m_document.pipeline().steps;
    m_step = step;
    m_threshold = step - 1;
    while (m_threshold >= 0 && !isThreshold(steps[std::size_t(m_threshold)])) --m_threshold;
    const QString percent = QLocale().toString(std::floor(100 * share), 'f', 0);
    m_label->setText(
        m_threshold < 0
            ? tr("One object covers %1% of the picture: a threshold tells objects from the ground.")
                  .arg(percent)
            : tr("One object covers %1% of the picture: are the objects darker than the ground?")
                  .arg(percent),
        Tone::Warning);
    m_button->setText(m_threshold < 0 ? tr("Add a threshold") : tr("Invert the threshold"));
}

QString PolarityHint::text() const {
    return isHidden() ? QString() : m_label->text();
}

// What was selected stays so.
void PolarityHint::mend() {
    const auto& steps = m_document.pipeline().steps;
    const int count = int(steps.size());
    if (m_step >= count || m_threshold >= count) return;
    const int current = m_document.currentStep();
    const int at = m_threshold < 0 ? m_step : m_threshold + 1;
    if (m_threshold >= 0 && at < count && steps[std::size_t(at)].operation == "invert")
        return m_document.setStepEnabled(at, !steps[std::size_t(at)].enabled);
    const auto step = m_document.stepToAdd(m_threshold < 0 ? "threshold" : "invert");
    if (!step || !m_document.hasRoomForStep()) return;
    m_document.insertStep(at, *step);
    m_document.setCurrentStep(current < at ? current : current + 1);
}

}  // namespace warpscope::gui
