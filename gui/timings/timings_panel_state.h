// Of TimingsPanel's own files only: what it holds.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <optional>

#include "gui/timings/timing_table.h"
#include "gui/timings/timings_panel.h"
#include "gui/timings/waterfall.h"

class QButtonGroup;
class QLabel;
class QLayout;
class QPushButton;
class QSplitter;
class QStackedLayout;
class QStackedWidget;
class QToolButton;
class QTreeView;

namespace warpscope::gui {

class ChipButton;
class TimingCardView;
class TimingChart;
class TimingItemModel;
class WaterfallView;
class WrapLabel;

inline constexpr int kTimingSwatch = 10;

// In the order of their chips; the card is one of them only where it has no place of its own.
enum View { kCard, kTable, kBars, kWaterfall, kViews };

struct TimingsPanel::State {
    State(TimingsPanel& ownPanel, Document& ownDocument, EngineBridge& ownBridge)
        : panel(ownPanel), document(ownDocument), bridge(ownBridge) {}

    TimingsPanel& panel;
    Document& document;
    EngineBridge& bridge;
    QStackedLayout* pages = nullptr;
    QLabel* emptyLabel = nullptr;
    WrapLabel* stateLabel = nullptr;
    QTreeView* tree = nullptr;
    TimingItemModel* items = nullptr;
    TimingChart* chart = nullptr;
    TimingCardView* card = nullptr;
    WaterfallView* waterfall = nullptr;
    QSplitter* splitter = nullptr;
    QStackedWidget* stack = nullptr;
    QWidget* views[kViews] = {};
    ChipButton* chips[kViews] = {};
    QButtonGroup* chosen = nullptr;
    ChipButton* logarithmic = nullptr;
    QPushButton* again = nullptr;
    QToolButton* copy = nullptr;
    QTimer ageTimer;
    QElapsedTimer sinceLast;
    bool measuring = false;
    bool measuredBefore = false;
    bool wide = false;
    // Of bridge.lastRun(), by the revision of the run that it belongs to.
    std::optional<DrawTime> draw;
    std::uint64_t drawnRevision = 0;

    void build();
    void buildTree();
    void connectAll();
    QLayout* buildBar();
    void applyTheme();
    void onTimings();
    void showRows();
    void fitColumns();
    void showCard();
    void showWaterfall();
    void chooseView(int view);
    void fitToWidth();
    void updateState();
    MachineInfo machine() const;
    TimingState state() const;
    void copyText(std::string (*format)(const TimingReport&));
};

}  // namespace warpscope::gui
