// One number of one operation at many values: what a sweep times.
#pragma once

#include <QWidget>
#include <vector>

#include "engine/measure/benchmark.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QSpinBox;

namespace warpscope::gui {

// From the first to the last value, whole where the parameter is, those that its rule refuses moved
// to the next that it takes; without doubles.
std::vector<double> sweptValues(const ParamSpec& spec, double from, double to, int count,
                                bool logarithmic);

class SweepChoice : public QWidget {
    Q_OBJECT
  public:
    explicit SweepChoice(QWidget* parent = nullptr);

    bool isOn() const;
    void setOff();
    // The operation alone, a step a value, with its chosen variants or the automatic one.
    void applyTo(BenchmarkPlan& plan) const;
    QString problem() const;  // empty: none

  signals:
    void changed();

  private:
    const ParamSpec* spec() const;
    void fillParameters();
    void fillRange();

    QCheckBox *m_on = nullptr, *m_log = nullptr;
    QWidget* m_form = nullptr;
    QComboBox *m_operation = nullptr, *m_parameter = nullptr;
    QDoubleSpinBox *m_from = nullptr, *m_to = nullptr;
    QSpinBox* m_count = nullptr;
};

}  // namespace warpscope::gui
