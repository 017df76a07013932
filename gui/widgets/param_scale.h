// Where a value stands on its slider, and which values a slider may give. Numbers only; knows
// nothing of widgets.
#pragma once

#include "engine/operations/parameters.h"

namespace warpscope::gui {

class ParamScale {
  public:
    explicit ParamScale(const ParamSpec& spec);  // Integer or Real

    // 0 at the left end of the slider, 1 at the right one; values outside its range are clamped.
    double position(double value) const;
    // The allowed value nearest to a position: whole for integers, few digits for reals, rules
    // (such as "0 or odd") kept.
    double valueAt(double position) const;
    // `steps` wheel notches further, at most to the ends of the slider. A value that was typed
    // outside the slider's range is not pulled in; it can only come nearer. Always moves if there
    // is an allowed value in that direction.
    double stepped(double value, double steps) const;

    // Other ends of the slider than the parameter's own, within its hard ones.
    void setRange(double low, double high);
    // 0 means as much as there is: it stands at the right end, where the slider gives it in place
    // of the largest number.
    void setZeroIsMost(bool on) { m_zeroIsMost = on; }

    bool onSlider(double value) const {
        return (value >= m_low && value <= m_high) || isMost(value);
    }
    // Where a number stands: 0 as the most there is stands for that.
    double shown(double value) const { return isMost(value) ? m_high : value; }
    double low() const { return m_low; }
    double high() const { return m_high; }
    double step() const { return m_spec.step; }
    double defaultValue() const { return number(m_spec.defaultValue); }

    ParamValue param(double value) const;           // in the kind of the parameter
    static double number(const ParamValue& value);  // 0 for a choice

  private:
    bool isMost(double value) const { return m_zeroIsMost && value == 0; }
    bool allowed(double value) const;
    double nearestAllowed(double value) const;
    double steppedNumber(double value, double steps) const;

    ParamSpec m_spec;
    double m_low = 0;
    double m_high = 1;
    bool m_logarithmic = false;
    bool m_zeroIsMost = false;
};

}  // namespace warpscope::gui
