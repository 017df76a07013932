#include "gui/widgets/param_scale.h"

#include <QString>
#include <algorithm>
#include <cmath>

namespace warpscope::gui {

namespace {

// Sums of steps such as 0.1 gather dust in the last bits; twelve digits keep what was meant.
double withoutDust(double value) {
    return QString::number(value, 'g', 12).toDouble();
}

}  // namespace

ParamScale::ParamScale(const ParamSpec& spec) : m_spec(spec) {
    m_low = std::max(spec.sliderMin, spec.hardMin);
    m_high = std::min(spec.sliderMax, spec.hardMax);
    if (m_high < m_low) m_high = m_low;
    m_logarithmic = spec.logarithmic && m_low > 0;
}

void ParamScale::setRange(double low, double high) {
    m_low = std::max(low, m_spec.hardMin);
    m_high = std::max(m_low, std::min(high, m_spec.hardMax));
}

double ParamScale::number(const ParamValue& value) {
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return double(*whole);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    return 0;
}

ParamValue ParamScale::param(double value) const {
    if (m_spec.kind == ParamKind::Integer) return std::int64_t(std::llround(value));
    return value;
}

bool ParamScale::allowed(double value) const {
    if (value < m_spec.hardMin || value > m_spec.hardMax) return false;
    const char* complaint = m_spec.rule ? m_spec.rule(value) : nullptr;
    return !complaint || !*complaint;
}

double ParamScale::position(double value) const {
    if (isMost(value)) return 1;
    if (m_high <= m_low) return 0;
    const double clamped = std::clamp(value, m_low, m_high);
    if (m_logarithmic) return std::log(clamped / m_low) / std::log(m_high / m_low);
    return (clamped - m_low) / (m_high - m_low);
}

double ParamScale::nearestAllowed(double value) const {
    const double rounded = std::round(value);
    for (int distance = 0; distance <= 4096; ++distance) {
        // The side that the exact value leans to comes first.
        const double first = value < rounded ? rounded - distance : rounded + distance;
        const double second = 2 * rounded - first;
        for (const double candidate : {first, second})
            if (onSlider(candidate) && allowed(candidate)) return candidate;
    }
    return rounded;
}

double ParamScale::valueAt(double position) const {
    const double at = std::clamp(position, 0.0, 1.0);
    double value =
        m_logarithmic ? m_low * std::pow(m_high / m_low, at) : m_low + (m_high - m_low) * at;
    if (m_zeroIsMost && std::round(value) >= m_high) return 0;
    if (m_spec.kind == ParamKind::Integer) return nearestAllowed(value);
    if (at <= 0) return m_low;
    if (at >= 1) return m_high;
    double quantum = m_spec.step / 10;
    if (m_logarithmic)
        quantum = std::max(quantum, std::pow(10.0, std::floor(std::log10(value)) - 2));
    if (quantum > 0) value = withoutDust(std::round(value / quantum) * quantum);
    return std::clamp(value, m_low, m_high);
}

double ParamScale::stepped(double value, double steps) const {
    if (steps == 0) return value;
    if (m_zeroIsMost) {
        const double moved = steppedNumber(isMost(value) ? m_high : value, steps);
        return moved >= m_high && steps > 0 ? 0 : std::max(moved, 1.0);
    }
    return steppedNumber(value, steps);
}

double ParamScale::steppedNumber(double value, double steps) const {
    const double low = std::max(std::min(m_low, value), m_spec.hardMin);
    const double high = std::min(std::max(m_high, value), m_spec.hardMax);
    double delta = steps * m_spec.step;
    if (m_spec.kind != ParamKind::Integer) return std::clamp(withoutDust(value + delta), low, high);

    const double direction = delta < 0 ? -1 : 1;
    delta = direction * std::max(1.0, std::round(std::abs(delta)));
    const double target = std::clamp(std::round(value + delta), low, high);
    // First back towards the value, so that no allowed one is jumped over; then beyond.
    for (double candidate = target; (candidate - value) * direction > 0; candidate -= direction)
        if (allowed(candidate)) return candidate;
    for (double candidate = target; candidate >= low && candidate <= high; candidate += direction)
        if (candidate != value && allowed(candidate)) return candidate;
    return value;
}

}  // namespace warpscope::gui
