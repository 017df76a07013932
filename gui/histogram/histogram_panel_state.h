// What the histogram's panel consists of; for its own sources alone.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <optional>
#include <utility>

#include "gui/display/display_settings.h"
#include "gui/histogram/histogram_model.h"
#include "gui/histogram/histogram_panel.h"
#include "gui/histogram/histogram_view.h"

class QLabel;
class QMenu;
class QStackedLayout;
class QToolButton;

namespace warpscope::gui {

class ColorToggle;
class MappingWatcher;
class RangeCounter;
class SteadyLabel;
class ValueHandles;

struct HistogramPanel::State {
    State(HistogramPanel& ownPanel, Document& ownDocument, EngineBridge& ownBridge)
        : panel(ownPanel), document(ownDocument), bridge(ownBridge) {}

    HistogramPanel& panel;
    Document& document;
    EngineBridge& bridge;
    HistogramModel model;
    QStackedLayout* pages = nullptr;
    QLabel* emptyLabel = nullptr;
    HistogramView* view = nullptr;
    SteadyLabel* caption = nullptr;
    ColorToggle* channels[4] = {};
    ColorToggle* source = nullptr;
    ColorToggle* logarithmic = nullptr;
    ColorToggle* cumulative = nullptr;
    QToolButton* menuButton = nullptr;
    QPoint pixel{-1, -1};
    QString failure;
    std::optional<std::pair<double, double>> selected;  // samples of the result
    std::optional<ValueHighlight> highlight;            // as it was sent
    PixelFormat resultFormat = PixelFormat::Gray8;
    MappingWatcher* mapping = nullptr;
    ValueHandles* handles = nullptr;
    RangeCounter* ranges = nullptr;
    DisplaySettings* display = nullptr;
    Settings* settings = nullptr;
    std::optional<AxisWindow> window;  // what of the axis is wanted; nothing: as it comes
    RangeChoice choiceSeen = RangeChoice::Natural;
    bool zoomWanted = false;                   // to black and white, once they are known
    std::optional<AxisWindow> zoomedTo;        // for percentiles
    std::optional<AxisWindow> levelsZoomedTo;  // nothing: not zoomed for them
    // What is out of date for a moment only is not worth a mark that flickers.
    static constexpr int kOutdatedMs = 250;
    bool outdated = false;  // for longer than a moment
    // What the caption says about the age of the counts.
    struct Age {
        bool current, resultCurrent, outdated, stale, paused;
        QString problem;
        friend bool operator==(const Age&, const Age&) = default;
    };
    std::optional<Age> captionAge;  // as it was said; nothing: to be said anew
    QTimer outdatedTimer;
    QTimer later;
    QElapsedTimer sinceUpdate;
    bool dirty = true;  // hidden since the last histogram

    void build();
    QMenu* buildMenu();
    void enableActions(const QMenu& menu);
    void applyTheme();
    void applyOptions();
    void updateHighlight();
    void watchMapping();
    void showMapping();
    void watchAge();  // after anything that makes the histogram old, or new
    Age age() const;
    void updateSoon();
    void update();
    HistogramZoom zoomOf(const HistogramsReady& histograms);
    std::optional<AxisWindow> windowFor(const std::optional<AxisWindow>& wanted) const;
    void setWindow(const std::optional<AxisWindow>& wanted);
    // As they are shown: real samples may have been counted anew.
    const HistogramSet* shownSet(HistogramSide side) const;
    void updateCaption();
    void updateMarks();
    Image leveled() const;  // the image whose black and white are shown
    void updateLevels();
    void followChoice();  // percentiles are where the samples are: the axis shows that
    void saveAs(const QString& filter, const QString& suffix);
    QString csv() const;
    QString heading() const;  // of pictures: whose histogram it is
    void report(const Result<void>& result);
};

}  // namespace warpscope::gui
