#include "gui/benchmark/sweep_choice.h"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QSignalBlocker>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "engine/operations/registry.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/quiet_combo_box.h"

namespace warpscope::gui {
namespace {

constexpr int kMostValues = 200;
constexpr int kFirstCount = 8;

bool isNumber(const ParamSpec& spec) {
    return spec.kind == ParamKind::Integer || spec.kind == ParamKind::Real;
}

// The wheel scrolls the panel; it does not change figures on its way.
template <class Box>
class Quiet : public Box {
  public:
    using Box::Box;

  protected:
    void wheelEvent(QWheelEvent* event) override { event->ignore(); }
};

template <class Box>
Box* quiet(const char* name, const QString& spoken) {
    auto* box = new Quiet<Box>;
    box->setObjectName(QLatin1String(name));
    box->setAccessibleName(spoken);
    box->setFocusPolicy(Qt::StrongFocus);
    return box;
}

}  // namespace

std::vector<double> sweptValues(const ParamSpec& spec, double from, double to, int count,
                                bool logarithmic) {
    std::vector<double> values;
    for (int i = 0; i < count; ++i) {
        const double t = count > 1 ? double(i) / (count - 1) : 0;
        double value =
            logarithmic && from > 0 ? from * std::pow(to / from, t) : std::lerp(from, to, t);
        if (spec.kind == ParamKind::Integer) {
            value = std::round(value);
            // Windows and the like are odd.
            if (spec.rule && *spec.rule(value)) value += value < to ? 1 : -1;
        } else {
            // Three digits are what a reader types again.
            value = QString::number(value, 'g', 3).toDouble();
        }
        if (value < spec.hardMin || value > spec.hardMax) continue;
        if (spec.rule && *spec.rule(value)) continue;
        if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
    }
    return values;
}

SweepChoice::SweepChoice(QWidget* parent) : QWidget(parent) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    m_on = new QCheckBox(tr("Sweep a parameter"));
    m_on->setObjectName(QStringLiteral("sweepOn"));
    m_on->setToolTip(
        tr("Times one operation alone with many values of one number, at the chosen sizes"));
    QFont bold = m_on->font();
    bold.setBold(true);
    m_on->setFont(bold);
    column->addWidget(m_on);
    m_form = new QWidget;
    auto* form = new QFormLayout(m_form);
    form->setContentsMargins(0, 0, 0, 0);
    form->setRowWrapPolicy(QFormLayout::WrapLongRows);
    const auto combo = [](const char* name, const QString& spoken) {
        auto* box = new QuietComboBox;
        box->setObjectName(QLatin1String(name));
        box->setAccessibleName(spoken);
        return box;
    };
    m_operation = combo("sweepOperation", tr("Operation to sweep"));
    m_parameter = combo("sweepParameter", tr("Parameter to sweep"));
    for (const Operation* operation : allOperations()) {
        const OperationDescription& d = operation->description();
        if (std::any_of(d.parameters.begin(), d.parameters.end(), isNumber))
            m_operation->addItem(engineText(d.label), QString::fromStdString(d.id));
    }
    m_from = quiet<QDoubleSpinBox>("sweepFrom", tr("First value"));
    m_to = quiet<QDoubleSpinBox>("sweepTo", tr("Last value"));
    m_count = quiet<QSpinBox>("sweepCount", tr("Number of values"));
    m_count->setRange(2, kMostValues);
    m_count->setValue(kFirstCount);
    m_log = new QCheckBox(tr("Logarithmic"));
    m_log->setObjectName(QStringLiteral("sweepLog"));
    m_log->setToolTip(tr("Equal ratios between the values, not equal steps; from above 0"));
    form->addRow(tr("Operation"), m_operation);
    form->addRow(tr("Parameter"), m_parameter);
    form->addRow(tr("From"), m_from);
    form->addRow(tr("To"), m_to);
    form->addRow(tr("Values"), m_count);
    form->addRow(QString(), m_log);
    m_form->hide();
    column->addWidget(m_form);
    fillParameters();
    connect(m_on, &QCheckBox::toggled, this, [this](bool on) {
        m_form->setVisible(on);
        emit changed();
    });
    connect(m_operation, &QComboBox::currentIndexChanged, this, [this] {
        fillParameters();
        emit changed();
    });
    connect(m_parameter, &QComboBox::currentIndexChanged, this, [this] {
        fillRange();
        emit changed();
    });
    for (QDoubleSpinBox* box : {m_from, m_to})
        connect(box, &QDoubleSpinBox::valueChanged, this, &SweepChoice::changed);
    connect(m_count, &QSpinBox::valueChanged, this, &SweepChoice::changed);
    connect(m_log, &QCheckBox::toggled, this, &SweepChoice::changed);
}

bool SweepChoice::isOn() const {
    return m_on->isChecked();
}

void SweepChoice::setOff() {
    m_on->setChecked(false);
}

const ParamSpec* SweepChoice::spec() const {
    const Operation* operation = findOperation(m_operation->currentData().toString().toStdString());
    if (!operation) return nullptr;
    return operation->description().findParameter(
        m_parameter->currentData().toString().toStdString());
}

void SweepChoice::fillParameters() {
    const QSignalBlocker silent(m_parameter);
    m_parameter->clear();
    const Operation* operation = findOperation(m_operation->currentData().toString().toStdString());
    if (!operation) return;
    for (const ParamSpec& spec : operation->description().parameters)
        if (isNumber(spec))
            m_parameter->addItem(engineText(spec.label), QString::fromStdString(spec.id));
    fillRange();
}

// What its slider spans; what 0 leaves to the operation is no value to time.
void SweepChoice::fillRange() {
    const ParamSpec* chosen = spec();
    if (!chosen) return;
    const bool whole = chosen->kind == ParamKind::Integer;
    const double least =
        chosen->zeroIsAutomatic || (chosen->logarithmic && !(chosen->sliderMin > 0))
            ? chosen->step
            : chosen->sliderMin;
    const QSignalBlocker from(m_from), to(m_to), log(m_log);
    for (QDoubleSpinBox* box : {m_from, m_to}) {
        box->setDecimals(whole ? 0 : 3);
        box->setRange(chosen->hardMin, chosen->hardMax);
        box->setSingleStep(chosen->step);
        box->setSuffix(chosen->unit.empty() ? QString()
                                            : QLatin1Char(' ') + engineText(chosen->unit));
        box->setToolTip(engineText(chosen->help));
    }
    m_from->setValue(least);
    m_to->setValue(chosen->sliderMax);
    m_log->setChecked(chosen->logarithmic);
}

QString SweepChoice::problem() const {
    const ParamSpec* chosen = spec();
    if (!isOn() || !chosen) return {};
    if (!(m_from->value() < m_to->value()))
        return tr("A sweep goes from a smaller to a larger value.");
    if (m_log->isChecked() && !(m_from->value() > 0))
        return tr("A logarithmic sweep begins above 0.");
    const auto values =
        sweptValues(*chosen, m_from->value(), m_to->value(), m_count->value(), m_log->isChecked());
    return values.size() < 2 ? tr("Fewer than two values between these are allowed.") : QString();
}

void SweepChoice::applyTo(BenchmarkPlan& plan) const {
    const ParamSpec* chosen = spec();
    if (!isOn() || !chosen) return;
    const std::string id = m_operation->currentData().toString().toStdString();
    const auto listed = plan.variants.find(id);
    std::vector<std::string> variants{std::string(kAutomaticVariant)};
    if (listed != plan.variants.end()) variants = listed->second;
    plan.operations = {id};
    plan.variants.clear();
    plan.published = false;
    for (const double value : sweptValues(*chosen, m_from->value(), m_to->value(), m_count->value(),
                                          m_log->isChecked())) {
        BenchmarkStep step{id, {}, variants};
        // What the operation shows by default, with this number of its own.
        step.parameters = findOperation(id)->description().exampleParameters();
        if (chosen->kind == ParamKind::Integer)
            step.parameters.set(chosen->id, std::int64_t(value));
        else
            step.parameters.set(chosen->id, value);
        plan.steps.push_back(std::move(step));
    }
}

}  // namespace warpscope::gui
