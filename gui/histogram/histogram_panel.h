// Live histogram of source (outline) and result (filled) in Qt Charts.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>

#include "gui/display/display_convert.h"
#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"
#include "gui/histogram/histogram_view.h"

namespace warpscope::gui {

class DisplaySettings;
class Settings;

class HistogramPanel : public QWidget {
    Q_OBJECT
  public:
    HistogramPanel(Document& document, EngineBridge& bridge, QWidget* parent = nullptr);
    ~HistogramPanel() override;

    // Black and white become handles on the axis; must outlive the panel.
    void setDisplay(DisplaySettings& display);
    // Files are asked for in the folder that was used last; must outlive the panel.
    void setSettings(Settings& settings);

    HistogramOptions options() const;
    void setOptions(const HistogramOptions& options);

    // As .csv (every stored bin), .png or .svg, by the ending of the name. False: the reason was
    // shown in the panel and sent by messageRaised.
    bool exportTo(const QString& path);

  public slots:
    void setPixel(const QPoint& pixel);  // marks its values on the axis; (-1, -1): none
    void clearSelection();               // the marked range

  signals:
    void optionsChanged();
    // A range of sample values of the result, both ends included, in luminance if that is shown,
    // else in the colours that are; nothing when it is gone.
    void rangeSelected(const std::optional<warpscope::gui::ValueHighlight>& range);
    void messageRaised(const QString& message);  // an export that failed
    void exporting(const QString& path);         // it is about to be written
    void exported(const QString& path);

  protected:
    void showEvent(QShowEvent* event) override;

  private:
    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace warpscope::gui
