// What to time: operations and their variants, sizes, pixels, backends, sampling; and presets.
#pragma once

#include <QWidget>
#include <vector>

#include "engine/backend/backend_set.h"
#include "engine/measure/benchmark.h"
#include "gui/benchmark/plan_summary.h"

class QCheckBox;
class QComboBox;
class QLineEdit;
class QSpinBox;
class QTreeWidget;

namespace warpscope::gui {

class SweepChoice;

class BenchmarkChoices : public QWidget {
    Q_OBJECT
  public:
    explicit BenchmarkChoices(QWidget* parent = nullptr);

    BenchmarkPlan plan() const;
    void setPlan(const BenchmarkPlan& plan);  // what the controls cannot say is left out

    enum class Preset { Quick, EverythingTo4K, SourceTexts };
    static BenchmarkPlan presetPlan(Preset preset);
    void choosePreset(Preset preset);

    // Seen so far from the top: the list of operations gives up as much as keeps the controls below
    // it from being cut through.
    void fitTo(int height);

    // The image at hand; null where there is none. `file`: its path; empty: it is no file.
    void setImage(const Image& image, const QString& name, const QString& file);
    const Image& image() const { return m_image; }  // at hand; null: none
    // A GPU that is not there, or peers that this build does not have, cannot be chosen and say
    // why. Not known before the program has looked: can be chosen.
    void setGpu(bool available, const QString& label, const QString& why);
    void setPeers(bool available, const QString& label, const QString& why);

    // Of the present plan: what it will give, or why it cannot run.
    bool sweeps() const;  // one parameter of one operation
    const PlanSummary& summary() const { return m_summary; }

  signals:
    void changed();

  private:
    QWidget* buildPresets();
    QWidget* buildOperations();
    QWidget* buildSizes();
    QWidget* buildBackends();
    QWidget* buildSampling();
    QCheckBox* box(const char* name, const QString& text, bool on, const QString& toolTip = {});
    void update();

    QTreeWidget* m_operations = nullptr;
    std::vector<std::pair<Size, QCheckBox*>> m_sizes;
    QLineEdit* m_otherSizes = nullptr;
    QCheckBox* m_imageBox = nullptr;
    QCheckBox* m_published = nullptr;
    QComboBox* m_pixels = nullptr;
    QCheckBox *m_single = nullptr, *m_cores = nullptr, *m_gpu = nullptr, *m_peers = nullptr;
    QCheckBox *m_warm = nullptr, *m_cold = nullptr;
    QSpinBox* m_repetitions = nullptr;
    QSpinBox* m_budget = nullptr;
    QSpinBox* m_longest = nullptr;
    QSpinBox *m_leastRounds = nullptr, *m_mostRounds = nullptr;
    QCheckBox *m_pin = nullptr, *m_energy = nullptr;
    SweepChoice* m_sweep = nullptr;
    Image m_image;
    QString m_imageName, m_imageFile;
    PlanSummary m_summary;
    bool m_filling = false;
};

}  // namespace warpscope::gui
