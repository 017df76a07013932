#include "gui/steps/param_row.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "gui/widgets/engine_text.h"
#include "gui/widgets/value_edit.h"
#include "gui/widgets/value_slider.h"
#include "gui/widgets/wrap_label.h"

namespace warpscope::gui {

ParamRow::ParamRow(const ParamSpec& spec, QWidget* parent)
    : QWidget(parent), m_spec(spec), m_value(spec.defaultValue) {
    const QString label = engineText(spec.label);
    const QString help =
        tr("%1\nDefault: %2. Allowed: %3 to %4.")
            .arg(engineText(spec.help),
                 spec.zeroIsAutomatic && ParamScale::number(spec.defaultValue) == 0
                     ? tr("automatic")
                     : QString::fromStdString(toText(spec.defaultValue)),
                 QString::number(spec.hardMin, 'g', 12), QString::number(spec.hardMax, 'g', 12));
    m_label = new WrapLabel(this);
    m_label->setText(label);
    m_label->setToolTip(help);
    m_slider = new ValueSlider(spec, this);
    m_slider->setObjectName(QString::fromStdString(spec.id) + QStringLiteral(".slider"));
    m_slider->setAccessibleName(label);
    m_slider->setAccessibleDescription(help);
    m_slider->setToolTip(help);
    m_edit = new ValueEdit(engineText(spec.unit), this);
    m_edit->setObjectName(QString::fromStdString(spec.id) + QStringLiteral(".value"));
    m_edit->setAccessibleName(spec.unit.empty() ? label
                                                : tr("%1 in %2").arg(label, engineText(spec.unit)));
    m_edit->setAccessibleDescription(help);
    m_edit->setToolTip(help);
    m_error = new WrapLabel(this);
    m_error->setObjectName(QString::fromStdString(spec.id) + QStringLiteral(".error"));
    m_error->hide();

    auto* top = new QHBoxLayout;
    top->setSpacing(8);
    top->addWidget(m_label, 1);
    top->addWidget(m_edit);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(2);
    all->addLayout(top);
    all->addWidget(m_error);
    all->addWidget(m_slider);
    setTabOrder(m_slider, m_edit);

    connect(m_slider, &ValueSlider::gestureStarted, this, &ParamRow::gestureStarted);
    connect(m_slider, &ValueSlider::gestureEnded, this, &ParamRow::gestureEnded);
    connect(m_slider, &ValueSlider::moved, this, [this](double value) {
        showError(QString());
        emit edited(m_slider->scale().param(value), EditPhase::Drag);
    });
    connect(m_slider, &ValueSlider::editRequested, this, [this](const QString& typed) {
        m_edit->setFocus(Qt::OtherFocusReason);
        if (typed.isEmpty()) return;
        m_edit->selectAll();
        m_edit->insert(typed);
        m_typedOnSlider = true;
    });
    connect(m_edit, &QLineEdit::returnPressed, this, [this] {
        commit(true);
        if (m_typedOnSlider && !m_edit->isFaulty()) m_slider->setFocus(Qt::OtherFocusReason);
    });
    connect(m_edit, &ValueEdit::left, this, [this] {
        m_typedOnSlider = false;
        commit(false);
    });
    connect(m_edit, &QLineEdit::textEdited, this, [this] { m_edit->setFaulty(false); });
    connect(m_edit, &ValueEdit::escaped, this, [this] {
        discardTyped();
        m_slider->setFocus(Qt::OtherFocusReason);
    });
    connect(m_edit, &ValueEdit::stepRequested, this, [this](double steps) {
        if (m_edit->isModified()) commit(true);
        if (!m_edit->isFaulty()) m_slider->changeBy(steps);
    });
    if (spec.zeroIsAutomatic) setAutomaticName(tr("automatic"));
    showValue();
}

void ParamRow::setValue(const ParamValue& value) {
    m_slider->setValue(ParamScale::number(value));
    if (value == m_value) return;
    m_value = value;
    showError(QString());
    showValue();
}

bool ParamRow::isAutomatic() const {
    return m_spec.zeroIsAutomatic && ParamScale::number(m_value) == 0;
}

void ParamRow::setAutomaticName(const QString& name) {
    m_automaticName = name;
    setAutomaticSize(0);
}

void ParamRow::setAutomaticSize(int pixels) {
    const QString text = pixels > 0 ? tr("%1 (%2 %3)", "automatic (7 px)")
                                          .arg(m_automaticName)
                                          .arg(pixels)
                                          .arg(engineText(m_spec.unit))
                                    : m_automaticName;
    m_edit->setAutomatic(text);
    m_slider->setAutomaticText(text);
}

void ParamRow::setFound(bool found) {
    const QString label = engineText(m_spec.label);
    m_label->setText(found ? tr("%1, found by the method").arg(label) : label);
}

void ParamRow::discardTyped() {
    showError(QString());
    showValue();
}

void ParamRow::showValue() {
    m_edit->setText(isAutomatic() ? QString() : QString::fromStdString(toText(m_value)));
    m_edit->setFaulty(false);
    if (m_edit->hasFocus()) m_edit->selectAll();
}

void ParamRow::showError(const QString& message) {
    m_error->setText(message, Tone::Error);
    m_error->setVisible(!message.isEmpty());
}

void ParamRow::commit(bool keepWrongText) {
    if (!m_edit->isModified()) return;
    QString text = m_edit->text().trimmed();
    if (text.isEmpty() && m_spec.zeroIsAutomatic) text = QStringLiteral("0");
    // A comma is the decimal sign of half the world.
    if (text.count(QLatin1Char(',')) == 1 && !text.contains(QLatin1Char('.')))
        text.replace(QLatin1Char(','), QLatin1Char('.'));
    const auto parsed = parseParameter(m_spec, text.toStdString());
    if (!parsed) {
        showError(engineText(parsed.error().message));
        if (keepWrongText) {
            m_edit->setFaulty(true);
            m_edit->selectAll();
        } else {
            showValue();
        }
        return;
    }
    showError(QString());
    if (*parsed == m_value)
        showValue();
    else
        emit edited(*parsed, EditPhase::Single);
}

}  // namespace warpscope::gui
