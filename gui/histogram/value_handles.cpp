#include "gui/histogram/value_handles.h"

#include <QCoreApplication>
#include <QLocale>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

#include "engine/operations/registry.h"
#include "gui/document/step_levels.h"
#include "gui/histogram/histogram_view.h"
#include "gui/widgets/engine_text.h"
#include "gui/widgets/point_list.h"

namespace warpscope::gui {
namespace {

constexpr double kFullLevel = 255;
constexpr int kHandleBurstMs = 500;
constexpr double kAboveAxis = 8;      // of handles of levels, pixels
constexpr double kInputHeight = 0.9;  // of the highest bar of the input, of the plot
constexpr double kGammaLowest = 0.1, kGammaHighest = 10, kGammaStep = 0.05;

using Look = ValueHandle::Look;

QString shortNumber(double number) {
    return QLocale().toString(number, 'g', 6);
}

QString labelOfStep(const Step& step) {
    return engineText(findOperation(step.operation)->description().label);
}

ParamSpec pointSpec(const Step& step) {
    return pointEditing(*findOperation(step.operation)->description().findParameter("points"));
}

// Where the curve passes half of its height.
double middleOf(double black, double white, double gamma) {
    return black + (white - black) * std::pow(0.5, gamma);
}

}  // namespace

ValueHandles::ValueHandles(Document& document, EngineBridge& bridge, const HistogramModel& model,
                           HistogramView& view)
    : QObject(&view), m_document(document), m_bridge(bridge), m_model(model), m_view(view) {
    m_burstEnd.setSingleShot(true);
    m_burstEnd.setInterval(kHandleBurstMs);
    connect(&m_burstEnd, &QTimer::timeout, this, &ValueHandles::end);
    connect(&document, &Document::pipelineChanged, this, &ValueHandles::sync);
    connect(&document, &Document::currentStepChanged, this, &ValueHandles::sync);
    connect(&document, &Document::sourceChanged, this, &ValueHandles::sync);
    connect(&bridge, &EngineBridge::thresholdsChanged, this, &ValueHandles::sync);
    connect(&bridge, &EngineBridge::stepFailureChanged, this, &ValueHandles::sync);
    connect(&bridge, &EngineBridge::peekChanged, this, &ValueHandles::sync);
    connect(&bridge, &EngineBridge::stepHistogramsChanged, this, &ValueHandles::sync);
    connect(&view, &HistogramView::placesChanged, this, &ValueHandles::sync);
    connect(&view, &HistogramView::pointAsked, this,
            [this](double at) { addOnCurve(snapped(levelOf(at))); });
    connect(&view, &HistogramView::clicked, this, [this](const QPointF& position) {
        if (!step() || !m_view.stepMarks().points) return;
        const QRectF plot = m_view.plotArea();
        add({snapped(levelOf(m_view.axisValueAt(position.x()))),
             std::round((plot.bottom() - position.y()) / plot.height() * kFullLevel)});
    });
    view.viewport()->installEventFilter(this);
    sync();
}

bool ValueHandles::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::MouseButtonPress: {
            auto& press = *static_cast<QMouseEvent*>(event);
            const auto line = press.button() == Qt::LeftButton && press.modifiers() == 0
                                  ? m_view.markAt(press.position())
                                  : std::nullopt;
            // Lines stand for the handles of levels, in their order.
            if (!line || *line >= m_places.size() || !m_handles[*line]->isVisible()) break;
            m_byLine = m_handles[*line];
            m_byLine->setFocus(Qt::MouseFocusReason);
            passOn(press);
            return true;
        }
        case QEvent::MouseMove:
        case QEvent::MouseButtonRelease: {
            if (!m_byLine) break;
            auto& mouse = *static_cast<QMouseEvent*>(event);
            passOn(mouse);
            if (event->type() == QEvent::MouseButtonRelease && mouse.button() == Qt::LeftButton)
                m_byLine = nullptr;
            return true;
        }
        default:
            break;
    }
    return QObject::eventFilter(watched, event);
}

void ValueHandles::passOn(const QMouseEvent& event) {
    QMouseEvent there(event.type(), m_byLine->mapFromGlobal(event.globalPosition()),
                      event.globalPosition(), event.button(), event.buttons(), event.modifiers());
    QCoreApplication::sendEvent(m_byLine, &there);
}

const Step* ValueHandles::editedStep() const {
    return m_model.hasFullScale() ? knownStep() : nullptr;
}

const Step* ValueHandles::knownStep() const {
    const auto& steps = m_document.pipeline().steps;
    const int index = m_document.currentStep();
    if (index < 0 || index >= int(steps.size())) return nullptr;
    const Step& step = steps[std::size_t(index)];
    const bool known =
        step.operation == "threshold" || step.operation == "levels" || step.operation == "curves";
    return known && step.enabled && m_document.formatAt(index) ? &step : nullptr;
}

int ValueHandles::stepBefore(int index) const {
    while (--index >= 0)
        if (m_document.pipeline().steps[std::size_t(index)].enabled) break;
    return index;
}

const HistogramSet* ValueHandles::countsAfter(int index) const {
    if (!m_bridge.stepHistograms()) return nullptr;
    for (const StepHistogram& step : m_bridge.stepHistograms()->steps) {
        const PixelFormat format = step.counts.format;
        const bool picture = isFloat(format) || binsAreValues(format);  // no sums
        if (int(step.stepIndex) == index && picture && step.counts.find(HistogramChannel::Luma))
            return &step.counts;
    }
    return nullptr;
}

// The outline is that of the source; with steps before, what they give is drawn besides.
bool ValueHandles::showsInputOf(int index) const {
    if (m_bridge.peek() && *m_bridge.peek() < index) return false;
    const int before = stepBefore(index);
    return before < 0 ? m_view.options().source : countsAfter(before) != nullptr;
}

void ValueHandles::showInput(HistogramStepMarks& marks, const HistogramSet& counts) const {
    const auto& bins = counts.find(HistogramChannel::Luma)->bins;
    const bool logarithmic = m_view.options().scale == CountScale::Logarithmic;
    const auto height = [&](std::uint64_t count) {
        return logarithmic ? std::log1p(double(count)) : double(count);
    };
    // As in the chart, the ends do not flatten the rest.
    const bool ends = bins.size() < 3 || std::all_of(bins.begin() + 1, bins.end() - 1,
                                                     [](std::uint64_t n) { return n == 0; });
    const auto highest = ends ? std::max_element(bins.begin(), bins.end())
                              : std::max_element(bins.begin() + 1, bins.end() - 1);
    if (*highest == 0) return;
    for (const std::uint64_t count : bins)
        marks.input.push_back(std::min(1.0, kInputHeight * height(count) / height(*highest)));
    const double around = binsAreValues(counts.format) ? 0.5 : 0;
    const double scale = m_model.fullValue() / fullScale(counts.format);
    marks.inputRange = {(counts.low - around) * scale, (counts.high + around) * scale};
}

const Step* ValueHandles::step() const {
    const Step* edited = editedStep();
    return edited && showsInputOf(m_document.currentStep()) ? edited : nullptr;
}

double ValueHandles::axisOf(double level) const {
    return level / kFullLevel * m_model.fullValue();
}

double ValueHandles::levelOf(double axisValue) const {
    return axisValue / m_model.fullValue() * kFullLevel;
}

// Whole levels of 8 bits, as the step's controls have them, unless the axis is zoomed beyond them.
double ValueHandles::finest() const {
    const PixelFormat format = *m_document.formatAt(m_document.currentStep());
    const HistogramAxis& axis = m_model.axis();
    const double pixel = levelOf(axis.right - axis.left) / std::max(1.0, m_view.plotArea().width());
    if (pixel >= 0.5 || (!isFloat(format) && bytesPerSample(format) == 1)) return 1;
    return isFloat(format) ? std::pow(10.0, std::floor(std::log10(pixel))) : 1.0 / 257;
}

double ValueHandles::snapped(double level) const {
    const double step = m_gesture == Gesture::Drag ? m_finest : finest();
    // 1/257 is no number of binary digits: whole levels stay whole.
    return step == 1.0 / 257 ? std::round(level * 257) / 257 : std::round(level / step) * step;
}

std::vector<ValueHandles::Place> ValueHandles::placesOf(const Step& step) const {
    std::vector<Place> places;
    const ParamSet& given = step.parameters;
    const QString label = labelOfStep(step);
    if (step.operation == "threshold") {
        if (given.choice("method") == "fixed")
            places.push_back({Look::Level, given.real("value"), 0, tr("Level of %1").arg(label),
                              shortNumber(given.real("value"))});
        else if (const auto found = thresholdLevel(m_document, m_bridge, m_document.currentStep()))
            places.push_back({Look::Level, found->level / fullScale(found->input) * kFullLevel, 0,
                              tr("Level of %1").arg(label), levelText(*found)});
    } else if (step.operation == "levels") {
        const double black = given.real("black"), white = given.real("white");
        const double gamma = given.real("gamma");
        places = {{Look::Black, black, 0, tr("Black of %1").arg(label), shortNumber(black)},
                  {Look::Gamma, middleOf(black, white, gamma), 0, tr("Gamma of %1").arg(label),
                   shortNumber(gamma)},
                  {Look::White, white, 0, tr("White of %1").arg(label), shortNumber(white)}};
    } else {
        const PointList& points = given.points("points");
        for (std::size_t i = 0; i < points.size(); ++i)
            places.push_back(
                {Look::Point, points[i].x, points[i].y,
                 tr("Point %1 of %2 of %3").arg(i + 1).arg(points.size()).arg(label),
                 tr("%1 becomes %2").arg(shortNumber(points[i].x), shortNumber(points[i].y))});
    }
    return places;
}

QStringList ValueHandles::titlesOf(const Step& step) const {
    const QString label = labelOfStep(step);
    const ParamSet& given = step.parameters;
    QStringList titles{label};
    if (step.operation == "threshold") {
        const auto level = thresholdLevel(m_document, m_bridge, m_document.currentStep());
        if (level) titles.prepend(tr("%1 %2", "step, level").arg(label, levelText(*level)));
    } else if (step.operation == "levels") {
        titles.prepend(tr("%1 %2 to %3, gamma %4", "step, black, white")
                           .arg(label, shortNumber(given.real("black")),
                                shortNumber(given.real("white")),
                                shortNumber(given.real("gamma"))));
    } else {
        for (std::size_t i = 0; i < std::min(m_handles.size(), m_places.size()); ++i)
            if (m_handles[i]->hasFocus())
                titles.prepend(tr("%1: %2", "step, point").arg(label, m_places[i].value));
    }
    return titles;
}

void ValueHandles::sync() {
    if (m_syncing) return;
    m_syncing = true;
    const Step* edited = editedStep();
    const int before = edited ? stepBefore(m_document.currentStep()) : -1;
    m_bridge.setStepInputWanted(before >= 0 && m_view.isVisible());
    const Step* current = step();
    if (m_index != m_document.currentStep() || !current) end();
    m_index = m_document.currentStep();
    m_places = current ? placesOf(*current) : std::vector<Place>();
    HistogramStepMarks marks;
    std::optional<MappingCurves> mapping;
    if (current) {
        mapping.emplace();
        marks.titles = titlesOf(*current);
        marks.points = current->operation == "curves";
        if (before >= 0) showInput(marks, *countsAfter(before));
        for (const Place& place : m_places)
            if (place.look != Look::Point) marks.lines.push_back(axisOf(place.level));
        if (current->operation != "threshold")
            for (const ToneCurve& curve : toneCurvesOf(*current))
                mapping->curves.push_back({curve.channel, curvePoints(curve.outputs), true});
    }
    QString words;
    const bool counting = before >= 0 && m_view.isVisible() && !m_bridge.stepHistograms();
    if (edited && !counting && (!current || before >= 0))
        words = (current ? tr("thick line: input of step %1, %2 (luma)")
                         : tr("no handles for step %1, %2: its input is not shown"))
                    .arg(m_index + 1)
                    .arg(labelOfStep(*edited));
    const Step* known = knownStep();
    if (known && !m_model.isEmpty() && !m_model.hasFullScale())
        words = tr("no handles for step %1, %2: the result has sums or numbers of objects, no "
                   "levels; its menu can show what this step gives")
                    .arg(m_index + 1)
                    .arg(labelOfStep(*known));
    m_view.setStepMarks(marks);
    showHandles(current);
    m_syncing = false;
    if (mapping == m_mapping && words == m_words) return;
    m_mapping = std::move(mapping);
    m_words = words;
    emit changed();
}

void ValueHandles::showHandles(const Step* step) {
    while (m_handles.size() < m_places.size()) m_handles.push_back(makeHandle());
    const QRectF plot = m_view.plotArea();
    for (std::size_t i = 0; i < m_handles.size(); ++i) {
        ValueHandle& handle = *m_handles[i];
        if (!step || i >= m_places.size()) {
            if (handle.hasFocus()) m_view.setFocus();
            handle.letGo();
            handle.hide();
            continue;
        }
        const Place& place = m_places[i];
        const bool point = place.look == Look::Point;
        const double x = m_view.pixelX(axisOf(place.level));
        const double y = point ? plot.bottom() - place.height / kFullLevel * plot.height()
                               : plot.bottom() - kAboveAxis;
        // Levels beside the axis wait at its end; a point there would lie about its place.
        const bool beside = x < plot.left() - 1 || x > plot.right() + 1;
        handle.setLook(place.look);
        handle.setCentre({std::clamp(x, plot.left(), plot.right()), y});
        handle.setAccessibleName(place.name);
        handle.setAccessibleDescription(place.value);
        const bool found =
            place.look == Look::Level && step->parameters.choice("method") != "fixed";
        const QString use =
            point ? tr("Drag, or arrow keys; Delete or a right click removes it, Insert or a "
                       "click beside it makes another one")
            : found
                ? tr("Found by the method. Drag, or arrow keys: the level is fixed from then on")
                : tr("Drag, or arrow keys, with Shift by ten. The handles at the top, black "
                     "and white of the view, are others");
        handle.setToolTip(tr("%1: %2", "handle, value").arg(place.name, place.value) +
                          QLatin1Char('\n') + use);
        handle.setVisible(handle.isHeld() || (!(point && beside) && plot.height() > 10));
        if (place.look == Look::Gamma) handle.lower();
    }
}

ValueHandle* ValueHandles::makeHandle() {
    auto* handle = new ValueHandle(m_view.viewport());
    QWidget::setTabOrder(m_handles.empty() ? static_cast<QWidget*>(&m_view) : m_handles.back(),
                         handle);
    connect(handle, &ValueHandle::pressed, this, [=, this] { press(indexOf(handle)); });
    connect(handle, &ValueHandle::dragged, this, &ValueHandles::drag);
    connect(handle, &ValueHandle::released, this, &ValueHandles::end);
    connect(handle, &ValueHandle::cancelled, this, [this] {
        if (m_held < 0) return;
        if (m_start.look == Look::Level)
            m_document.setParameters(
                m_index, {{"method", m_before.choice("method")}, {"value", m_before.real("value")}},
                EditPhase::Drag);
        else
            for (const auto& [id, value] : m_before.values()) set(id, value);
        end();
    });
    connect(handle, &ValueHandle::nudged, this,
            [=, this](int right, int up) { nudge(indexOf(handle), right, up); });
    connect(handle, &ValueHandle::removeAsked, this, [=, this] { remove(indexOf(handle)); });
    connect(handle, &ValueHandle::addAsked, this, [this] {
        const Step* current = step();
        if (!current) return;
        if (const auto middle = middleOfWidestGap(current->parameters.points("points")))
            add({std::round(middle->x), std::round(middle->y)});
    });
    connect(handle, &ValueHandle::focusChanged, this, [this](bool focused) {
        if (!focused && m_gesture == Gesture::Burst) end();
        sync();  // the title names the point
    });
    return handle;
}

std::vector<ValueHandle*> ValueHandles::handles() const {
    const auto count = std::ptrdiff_t(std::min(m_places.size(), m_handles.size()));
    return {m_handles.begin(), m_handles.begin() + count};
}

int ValueHandles::indexOf(const ValueHandle* handle) const {
    const auto at = std::find(m_handles.begin(), m_handles.end(), handle);
    return at == m_handles.end() ? -1 : int(at - m_handles.begin());
}

void ValueHandles::begin(Gesture gesture) {
    if (m_gesture == gesture) return;
    end();
    m_gesture = gesture;
    m_document.beginInteraction();
}

void ValueHandles::end() {
    m_burstEnd.stop();
    m_held = -1;
    if (m_gesture == Gesture::None) return;
    m_gesture = Gesture::None;
    m_document.endInteraction();
}

void ValueHandles::press(int index) {
    const Step* current = step();
    if (!current || index < 0 || index >= int(m_places.size())) return;
    const HistogramAxis& axis = m_model.axis();
    const QRectF plot = m_view.plotArea();
    begin(Gesture::Drag);
    m_held = index;
    m_finest = finest();
    m_start = m_places[std::size_t(index)];
    m_start.level = std::clamp(m_start.level, levelOf(axis.left), levelOf(axis.right));
    m_levelsPerPixel = levelOf(axis.right - axis.left) / std::max(1.0, plot.width());
    m_heightPerPixel = kFullLevel / std::max(1.0, plot.height());
    m_before = current->parameters;
}

void ValueHandles::drag(const QPointF& by) {
    if (m_gesture != Gesture::Drag || m_held < 0 || by.isNull()) return;
    moveTo(m_held, m_start.level + by.x() * m_levelsPerPixel,
           m_start.height - by.y() * m_heightPerPixel);
}

void ValueHandles::nudge(int index, int right, int up) {
    if (!step() || index < 0 || index >= int(m_places.size()) || m_gesture == Gesture::Drag) return;
    begin(Gesture::Burst);
    m_burstEnd.start();
    const Place place = m_places[std::size_t(index)];
    if (place.look == Look::Gamma)
        return set("gamma", std::clamp(step()->parameters.real("gamma") - right * kGammaStep,
                                       kGammaLowest, kGammaHighest));
    moveTo(index, place.level + right * finest(), place.height + up);
}

void ValueHandles::moveTo(int index, double level, double height) {
    const Step* current = step();
    if (!current || index >= int(m_places.size())) return;
    const ParamSet& given = current->parameters;
    const double to = std::clamp(snapped(level), 0.0, kFullLevel);
    const auto blackAndWhite = [&] { return std::pair(given.real("black"), given.real("white")); };
    const double apart = m_gesture == Gesture::Drag ? m_finest : finest();
    switch (m_places[std::size_t(index)].look) {
        case Look::Level:
            return m_document.setParameters(
                m_index, {{"method", std::string("fixed")}, {"value", to}}, EditPhase::Drag);
        case Look::Black:
            return set("black", std::max(0.0, std::min(to, blackAndWhite().second - apart)));
        case Look::White:
            return set("white", std::min(kFullLevel, std::max(to, blackAndWhite().first + apart)));
        case Look::Gamma: {
            const auto [black, white] = blackAndWhite();
            if (white <= black) return;
            const double share = std::clamp((level - black) / (white - black), 1e-9, 1 - 1e-9);
            const double gamma = std::round(100 * std::log(share) / std::log(0.5)) / 100;
            return set("gamma", std::clamp(gamma, kGammaLowest, kGammaHighest));
        }
        case Look::Point: {
            PointList points = given.points("points");
            points[std::size_t(index)] =
                betweenNeighbours(points, index, {to, std::round(height)}, pointSpec(*current));
            return set("points", points);
        }
    }
}

void ValueHandles::set(const std::string& id, const ParamValue& value) {
    m_document.setParameter(m_index, id, value, EditPhase::Drag);
}

void ValueHandles::add(CurvePoint point) {
    const Step* current = step();
    if (!current) return;
    end();
    PointList points = current->parameters.points("points");
    const int index = addPoint(points, point, pointSpec(*current));
    if (index < 0) return;
    m_document.setParameter(m_index, "points", points, EditPhase::Single);
    focusHandle(index);
}

void ValueHandles::addOnCurve(double level) {
    const Step* current = step();
    if (!current || current->operation != "curves") return;
    const auto curves = toneCurvesOf(*current);
    if (curves.empty()) return;
    const std::vector<double>& outputs = curves.front().outputs;
    const double x = std::clamp(level, 0.0, kFullLevel);
    const double at = std::round(x / kFullLevel * double(outputs.size() - 1));
    add({x, std::round(outputs[std::size_t(at)] * kFullLevel)});
}

void ValueHandles::remove(int index) {
    const Step* current = step();
    if (!current) return;
    end();
    PointList points = current->parameters.points("points");
    if (!removePoint(points, index, pointSpec(*current))) return;
    m_document.setParameter(m_index, "points", points, EditPhase::Single);
    focusHandle(std::min(index, int(points.size()) - 1));
}

void ValueHandles::focusHandle(int index) {
    if (index < 0 || index >= int(m_places.size())) return;
    m_handles[std::size_t(index)]->raise();
    m_handles[std::size_t(index)]->setFocus(Qt::OtherFocusReason);
}

}  // namespace warpscope::gui
