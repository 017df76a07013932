// Values of the pixel under the cursor, in source and result, a loupe of both, pinned pixels, and
// the statistics of both images, how like they are, and any analysis. Scrolls where the dock is
// small.
#pragma once

#include <QTimer>
#include <QWidget>
#include <vector>

#include "gui/display/result_place.h"
#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"

class QBoxLayout;
class QLabel;
class QPushButton;
class QScrollArea;

namespace warpscope::gui {

class DisplaySettings;
class AnalysisView;
class LevelsControls;
class LikenessView;
class Loupe;
class PinnedList;
class PixelReadout;
class StatisticsTable;
class StepValues;
class SteadyLabel;
struct Comparison;

class InspectorPanel : public QWidget {
    Q_OBJECT
  public:
    InspectorPanel(Document& document, EngineBridge& bridge, QWidget* parent = nullptr);

    void setDisplay(DisplaySettings& display);  // must outlive the panel
    void setShowingSource(bool source);         // the canvas shows the source alone
    std::vector<QPoint> pins() const;
    void setPins(const std::vector<QPoint>& pixels);
    void editLevels();         // focus to the value that is drawn black
    void setProbing(bool on);  // the pixel's values after every step

    QSize sizeHint() const override;

  public slots:
    // Two given images are read out and compared in place of source and result; null: no longer.
    // Statistics stay those of source and result.
    void setComparison(const warpscope::gui::Comparison* comparison);
    // A pixel of the source and that of the result over it; kNoPixel: none. A result that is not
    // the one that the canvas shows, because a newer one is being made, has its own pixel there.
    void setPixels(const QPoint& source, const QPoint& result);
    void setPixel(const QPoint& source);  // and what lies over it
    // Pins a read-out, or takes it away if it is pinned; connect Canvas::pixelClicked here.
    void togglePin(const QPoint& pixel);

  signals:
    void pinsChanged(const std::vector<QPoint>& pixels);  // in the order of their numbers
    void pinChosen(const QPoint& pixel);
    void refused(const QString& why);  // black and white that were typed

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    // One of the two sides.
    struct Side {
        PixelReadout* readout = nullptr;
        Loupe* loupe = nullptr;
        PyramidPtr pyramid;

        void setPyramid(const PyramidPtr& now);
        void showPixel(const QPoint& pixel);
    };

    void build();
    QWidget* makeSides(QWidget* parent);
    void retranslate();
    void updateImages();
    void letGoOfResult();
    void updatePixel();
    Image sourceImage() const;
    QString positionText() const;
    void updateTitles();
    void updateLooks();
    void updateLevels();
    void watchAge();   // after anything that makes what is shown old, or new
    void updateAge();  // the same, and something is another than before
    void updatePins();
    void updateStatistics();
    void arrangeSides();

    Document& m_document;
    EngineBridge& m_bridge;
    QScrollArea* m_scroll = nullptr;
    QLabel* m_position = nullptr;
    QBoxLayout* m_sides = nullptr;
    Side m_source;
    Side m_result;
    LevelsControls* m_levels = nullptr;
    DisplaySettings* m_display = nullptr;
    const Comparison* m_comparison = nullptr;
    QTimer m_outdatedTimer;
    bool m_outdated = false;  // for longer than a moment
    struct Age {
        bool current, resultCurrent, analysisCurrent, likenessCurrent, stale, outdated;
        friend bool operator==(const Age&, const Age&) = default;
    };
    std::optional<Age> m_age;  // of what is shown; nothing: to be shown anew
    QLabel* m_pinHint = nullptr;
    PinnedList* m_pins = nullptr;
    QPushButton* m_clearPins = nullptr;
    SteadyLabel* m_statisticsTitle = nullptr;
    StatisticsTable* m_statistics = nullptr;
    StepValues* m_steps = nullptr;
    ResultPlace m_place;  // of m_result
    PixelPair m_pixel;
    LikenessView* m_likeness = nullptr;
    AnalysisView* m_analysis = nullptr;
    bool m_showsSource = false;
};

}  // namespace warpscope::gui
