// CPU one thread, CPU all cores and GPU for every step, filled when the worker is idle: the card of
// the selected step, a table and a bar chart of all, and the last run as a waterfall.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <optional>

#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"
#include "gui/timings/timing_table.h"
#include "gui/timings/waterfall.h"
#include "gui/widgets/picture.h"

class QButtonGroup;
class QLabel;
class QHBoxLayout;
class QLayout;
class QPushButton;
class QSplitter;
class QStackedLayout;
class QStackedWidget;
class QToolButton;

namespace warpscope::gui {

class ColorToggle;
class TimingCardView;
class TimingChart;
class TimingTree;
class WaterfallView;
class WrapLabel;

class TimingsPanel : public QWidget {
    Q_OBJECT
  public:
    TimingsPanel(Document& document, EngineBridge& bridge, QWidget* parent = nullptr);

    // Of the narrow arrangement: that of the wide one would keep the window wide.
    QSize minimumSizeHint() const override;

  public slots:
    void resultPainted();  // the canvas has painted: of a new result, the waterfall shows how long

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    // In the order of their chips; the card is one of them only where it has no place of its own.
    enum View { kCard, kTable, kBars, kWaterfall, kViews };

    void connectAll();
    QLayout* buildBar();
    void applyTheme();
    void onTimings();
    void showRows();
    void showCard();
    void showWaterfall();
    void chooseView(int view);
    void fitToWidth();
    void splitWidth();
    void updateState();
    MachineInfo machine() const;
    TimingState state() const;
    std::optional<Picture> shownPicture()
        const;  // of the view that is chosen; the card for a table
    void addCommands(QMenu* menu);
    void copyText(std::string (*format)(const TimingReport&));

    Document& m_document;
    EngineBridge& m_bridge;
    QStackedLayout* m_pages = nullptr;
    QLabel* m_emptyLabel = nullptr;
    WrapLabel* m_stateLabel = nullptr;
    TimingTree* m_tree = nullptr;
    TimingChart* m_chart = nullptr;
    TimingCardView* m_card = nullptr;
    WaterfallView* m_waterfall = nullptr;
    QSplitter* m_splitter = nullptr;
    QStackedWidget* m_stack = nullptr;
    QWidget* m_views[kViews] = {};
    ColorToggle* m_chips[kViews] = {};
    QButtonGroup* m_chosen = nullptr;
    ColorToggle* m_logarithmic = nullptr;
    QHBoxLayout* m_bar = nullptr;
    QPushButton* m_again = nullptr;
    QToolButton* m_copy = nullptr;
    QMenu* m_commands = nullptr;  // a command line a figure of the card
    QTimer m_ageTimer;
    QElapsedTimer m_sinceLast;
    bool m_measuring = false;
    bool m_measuredBefore = false;
    bool m_wide = false;
    bool m_userSplit = false;
    // Of bridge.lastRun(), by the revision of the run that it belongs to.
    std::optional<DrawTime> m_draw;
    std::uint64_t m_drawnRevision = 0;
};

}  // namespace warpscope::gui
