// What of the current step stands in the histogram, where that shows what the step is given: the
// level of a threshold; black, gamma and white of levels; the points of curves. Dragged live, a
// drag (or a burst of keys) being one entry of undo. A level that a method found becomes a fixed
// one by that.
#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>
#include <optional>
#include <vector>

#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"
#include "gui/histogram/histogram_model.h"
#include "gui/histogram/mapping_curve.h"
#include "gui/histogram/value_handle.h"

class QMouseEvent;

namespace warpscope::gui {

class HistogramView;
struct HistogramStepMarks;

class ValueHandles : public QObject {
    Q_OBJECT
  public:
    // All are borrowed; `model` is the view's.
    ValueHandles(Document& document, EngineBridge& bridge, const HistogramModel& model,
                 HistogramView& view);

    // As the step is now, also while it is dragged; nothing: the step has nothing here.
    const std::optional<MappingCurves>& mapping() const { return m_mapping; }
    // What of the step's input is shown, or why it has no handles here; or empty.
    QString words() const { return m_words; }
    void sync();  // also to be called when the view is shown
    // As they stand, from the first; those of a curve are in the order of its points.
    std::vector<ValueHandle*> handles() const;

  signals:
    void changed();

  protected:
    // A handle is taken by its line, too: the chart would mark a range there.
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    enum class Gesture { None, Drag, Burst };
    struct Place {
        ValueHandle::Look look = ValueHandle::Look::Level;
        double level = 0;   // of 0 to 255
        double height = 0;  // the same, of points
        QString name;
        QString value;
    };

    const Step* knownStep() const;    // selected, on, and of a kind that has handles
    const Step* editedStep() const;   // the current one, where its operation has handles
    int stepBefore(int index) const;  // the last one that is on; -1: the source
    const HistogramSet* countsAfter(int index) const;
    bool showsInputOf(int index) const;
    void showInput(HistogramStepMarks& marks, const HistogramSet& counts) const;
    const Step* step() const;  // the edited one, where this histogram shows what it is given
    std::vector<Place> placesOf(const Step& step) const;
    QStringList titlesOf(const Step& step) const;  // the longest first
    void showHandles(const Step* step);
    void passOn(const QMouseEvent& event);
    ValueHandle* makeHandle();
    int indexOf(const ValueHandle* handle) const;
    void begin(Gesture gesture);
    void end();
    void press(int index);
    void drag(const QPointF& by);
    void nudge(int index, int right, int up);
    void moveTo(int index, double level, double height);
    void set(const std::string& id, const ParamValue& value);
    void add(CurvePoint point);
    void addOnCurve(double level);
    void remove(int index);
    void focusHandle(int index);

    double axisOf(double level) const;
    double levelOf(double axisValue) const;
    double snapped(double level) const;
    double finest() const;  // step between levels that are worth telling apart here

    Document& m_document;
    EngineBridge& m_bridge;
    const HistogramModel& m_model;
    HistogramView& m_view;
    std::vector<ValueHandle*>
        m_handles;  // made when they are needed; the first m_places' are shown
    std::vector<Place> m_places;
    std::optional<MappingCurves> m_mapping;
    QString m_words;
    int m_index = -1;  // of the step
    bool m_syncing = false;
    Gesture m_gesture = Gesture::None;
    int m_held = -1;                 // handle
    QPointer<ValueHandle> m_byLine;  // that gets what the mouse does in the chart
    Place m_start;                   // of it
    // Fixed while a handle is held: the axis may change with the result.
    double m_levelsPerPixel = 1, m_heightPerPixel = 1, m_finest = 1;
    ParamSet m_before;
    QTimer m_burstEnd;
};

}  // namespace warpscope::gui
