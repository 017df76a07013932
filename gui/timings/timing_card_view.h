// The card of the selected step: its figures in large type, speedups and agreement under them.
#pragma once

#include <QScrollArea>

#include "gui/timings/timing_card.h"
#include "gui/widgets/picture.h"

class QMenu;
class QVBoxLayout;

namespace warpscope::gui {

class TimingCardView : public QScrollArea {
    Q_OBJECT
  public:
    explicit TimingCardView(QWidget* parent = nullptr);

    void setCard(const TimingCard& card);
    void setNotice(const QString& text);  // in place of a card: why there is none
    const TimingCard& card() const { return m_card; }
    QStringList texts() const;  // as shown, top to bottom
    // The whole card, painted anew; null size where there is none.
    Picture picture() const;

  signals:
    // Before it is shown, for the card's own rows.
    void menuWanted(QMenu* menu);
    // "Show difference" of a result outside the rule.
    void differenceRequested(std::size_t stepIndex, warpscope::BackendKind backend);

  protected:
    void contextMenuEvent(QContextMenuEvent* event) override;

  private:
    void rebuild();
    void applyTheme();

    TimingCard m_card;
    QString m_notice;
    QStringList m_shown;
    QWidget* m_page = nullptr;
};

}  // namespace warpscope::gui
