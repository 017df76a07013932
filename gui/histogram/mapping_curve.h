// The table by which a step maps levels, where its operation has one: that of the selected step, or
// of the last one that is on.
#pragma once

#include <QObject>
#include <QPointF>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/image/histogram.h"
#include "engine/worker/render_worker.h"

namespace warpscope::gui {

class TaskRunner;

struct MappingCurve {
    HistogramChannel channel = HistogramChannel::Luma;
    std::vector<QPointF> points;  // input and output value over full scale, both 0 to 1
    bool onFloat = false;         // also of float, whose full scale is 1
};

struct MappingCurves {
    std::vector<MappingCurve> curves;         // one for luminance or gray; three for "each"
    PixelFormat format = PixelFormat::Gray8;  // of the step's input
    bool reduced = false;  // steps come before it: counted on a copy of about half a megapixel
    friend bool operator==(const MappingCurves& a, const MappingCurves& b);
};

// Of outputs over full scale, evenly from the lowest to the highest level; a few hundred of them.
std::vector<QPointF> curvePoints(const std::vector<double>& outputs);

// Index in the pipeline of the step whose curve is shown; nothing if there is none.
std::optional<std::size_t> mappingStep(const Pipeline& pipeline, int selected);

// On the calling thread. The curve of that step is exact where no step that is on comes before it.
// Errors: those of the executor and of the step's plan (Unsupported for samples that the operation
// does not take as they are); Cancelled.
Result<MappingCurves> mappingCurves(const Pyramid& source, const Pipeline& pipeline,
                                    std::size_t step, const std::stop_token& stop);

// Keeps the curves of a changing pipeline, made on a thread of its own.
class MappingWatcher : public QObject {
    Q_OBJECT
  public:
    explicit MappingWatcher(QObject* parent = nullptr);
    ~MappingWatcher() override;

    // Asks for the curves; a newer call makes older ones void.
    void watch(PyramidPtr source, const Pipeline& pipeline, int selected);
    const MappingCurves& curves() const { return m_curves; }  // empty: none

  signals:
    void changed();

  private:
    void take(MappingCurves curves);

    MappingCurves m_curves;
    PyramidPtr m_source;  // what the curves, or those on their way, were asked for with
    Pipeline m_steps;
    int m_number = 0;
    std::stop_source m_stop;
    std::unique_ptr<TaskRunner> m_tasks;  // made when it is needed
};

}  // namespace warpscope::gui
