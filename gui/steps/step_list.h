// The steps in their order. Arrow keys choose, Space turns on and off, Alt + arrow keys and the
// mouse reorder, Delete removes, Ctrl+D duplicates. Every edit goes through the document.
#pragma once

#include <QScrollArea>
#include <QTimer>
#include <vector>

#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"

class QMenu;
class QVBoxLayout;

namespace warpscope::gui {

class DropOverlay;
class PresetStore;
class StepCard;
class WrapLabel;

class StepList : public QScrollArea {
    Q_OBJECT
  public:
    StepList(Document& document, EngineBridge& bridge, QWidget* parent = nullptr);

    int count() const { return int(m_cards.size()); }
    StepCard* card(int index) const { return m_cards[std::size_t(index)]; }
    void focusCurrent();
    int contentHeight(int width) const;  // that all cards need
    const std::vector<StepReport>& reports() const { return m_reports; }
    int heightOfCurrent() const;  // that the selected one needs
    void showKeys(const QString& addStep, const QString& testStrip);
    void askStepName(int index);          // nothing where there is no such step
    void setHistogramsShown(bool shown);  // small ones, on the cards
    void setPresets(PresetStore* presets) { m_presets = presets; }  // null: none are offered

  signals:
    void addRequested();
    void aboutRequested();
    void helpPageRequested(const QString& operation);
    void testStripRequested();  // of the current step
    void runChanged();
    void emptied();  // the last card went, and the focus with it
    void presetRefused(const QString& why);

  protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void onPipelineChanged(bool structural);
    void syncCards();
    void syncRuns();
    void syncCurrent();
    void syncHistograms();
    void syncPeek();
    void revealCurrent();  // once no mouse button is held
    StepCard* makeCard();
    int indexOf(const StepCard* card) const;
    void choose(int index);
    void showMenu(int index, const QPoint& globalPosition);
    void addPresetMenu(QMenu& menu, int index);
    void askPresetName(int index);

    void dragTo(StepCard* card, const QPoint& globalPosition);
    void finishDrag(bool drop);
    int gapAt(int y) const;  // 0: before the first card, count(): after the last
    int yOfGap(int gap) const;

    Document& m_document;
    EngineBridge& m_bridge;
    PresetStore* m_presets = nullptr;
    QWidget* m_content;
    QVBoxLayout* m_layout;
    WrapLabel* m_empty;  // what to do while there is no step
    DropOverlay* m_overlay;
    std::vector<StepCard*> m_cards;
    // Of the steps as they are listed now; empty between a change of the list and the next run.
    std::vector<StepReport> m_reports;
    std::vector<TimingReady> m_timings;

    bool m_histogramsShown = false;
    QString m_testStripKey = QStringLiteral("Ctrl+T");
    int m_dragged = -1;
    int m_gap = -1;
    QPoint m_dragPosition;  // of the cursor, global
    QTimer m_autoScroll;
    QTimer m_reveal;
    bool m_follows = true;  // the selected card stays in view until somebody scrolls
};

}  // namespace warpscope::gui
