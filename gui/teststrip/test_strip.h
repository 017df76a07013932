// A panel with one picture for each of several values of one or two parameters of the selected
// step, of what the canvas shows or of the region. The canvas, which it never covers while it is
// docked, shows what the mouse rests on. A click or Return takes the values as one undo entry and
// closes, with Shift it stays open; Escape closes.
#pragma once

#include <QTimer>
#include <QWidget>
#include <memory>
#include <optional>

#include "engine/base/mailbox.h"
#include "gui/base/chain_renderer.h"
#include "gui/teststrip/strip_axis.h"
#include "gui/teststrip/strip_state.h"

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QLabel;

namespace warpscope::gui {

class Canvas;
class DisplaySettings;
class Document;
class EngineBridge;
class FoldingControls;
class SegmentedControl;
class StripGrid;

class TestStrip : public QWidget {
    Q_OBJECT
  public:
    // All must outlive it.
    TestStrip(Document& document, EngineBridge& bridge, DisplaySettings& display, Canvas& canvas,
              QWidget* parent = nullptr);
    ~TestStrip() override;

    void popUp();  // of the selected step, which it follows
    void leave();  // with its dock, where it is in one
    StripState state() const;
    void open(const StripState& state);
    StripGrid& grid() { return *m_grid; }
    QSize minimumSizeHint() const override;

  signals:
    void opening();   // whoever has it in a dock shows that
    void switched();  // opened, closed, or it tries something else

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    void buildControls(QLayout& controls);
    void offerParameters();
    void changed();  // cancels; computed anew in a moment
    void compute();
    void showValues();
    int columnsFor(int count) const;
    void take(int index, bool stay);
    void point(int index);  // -1: at none
    void explain(int index);
    void showOnCanvas();
    Pipeline chainOf(std::size_t cell) const;
    Rect seen() const;  // of the source: the region, or what the canvas shows
    Viewport viewport() const;
    Q_INVOKABLE void drain();

    const Step* step() const;
    std::optional<StripAxis> axisOf(const QComboBox& parameter, const QComboBox& count) const;
    ParamSet valuesOf(std::size_t cell) const;
    QString namesOf(std::size_t cell) const;
    std::size_t cellCount() const;

    Document& m_document;
    EngineBridge& m_bridge;
    Canvas& m_canvas;
    QComboBox* m_across = nullptr;
    QComboBox* m_acrossCount = nullptr;
    QComboBox* m_down = nullptr;
    QComboBox* m_downCount = nullptr;
    SegmentedControl* m_spread = nullptr;
    QCheckBox* m_later = nullptr;
    QLabel* m_value = nullptr;
    StripGrid* m_grid = nullptr;
    FoldingControls* m_controls = nullptr;
    QHBoxLayout* m_head = nullptr;
    QTimer m_wait;
    QTimer m_rest;  // the mouse rests on a cell
    int m_pointed = -1;

    std::string m_operation;  // whose parameters are offered
    std::optional<StripAxis> m_acrossAxis;
    std::optional<StripAxis> m_downAxis;
    std::uint64_t m_revision = 0;
    std::uint64_t m_shownRevision = 0;  // of the values in the cells
    bool m_heldBack = false;            // somebody measures
    Mailbox<ChainPicture> m_pictures;
    std::unique_ptr<ChainRenderer> m_renderer;  // made when it is needed
};

}  // namespace warpscope::gui
