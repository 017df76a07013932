// The two images that a canvas compares, and their difference: source and result of the document,
// or two given images that stand in for them until the person goes back. Says what is on which
// side, how it is shown and what it is called; knows no widget.
#pragma once

#include <QCoreApplication>
#include <QPoint>
#include <optional>

#include "gui/canvas/side_renderer.h"
#include "gui/display/comparison.h"

namespace warpscope::gui {

class DisplaySettings;

class ComparedPair {
    Q_DECLARE_TR_FUNCTIONS(ComparedPair)
  public:
    void setSource(PyramidPtr source);  // drops result and draft
    // Drops the draft. Lies over the source by this map.
    void setResult(PyramidPtr result, const PixelMap& sourceFromResult = {});
    // The same result without its largest image; drafts stay.
    void letGoOfResult(PyramidPtr copies);
    // A draft that lies elsewhere than the result takes its place; else it is drawn over it.
    void setDraft(const DraftReady& draft);
    void begin(Comparison&& given);
    void end();

    // Ranges are taken from there by updateLooks, which is due whenever they change.
    void setDisplay(const DisplaySettings& display) { m_display = &display; }
    void updateLooks();
    // The gain is kept within 1 and mostGain() of the images at hand.
    DifferenceStyle differenceStyle() const;
    int mostGain() const;
    // True: another than before.
    bool setDifferenceStyle(const DifferenceStyle& style);
    bool setHighlight(const std::optional<ValueHighlight>& highlight);
    bool isHighlighted() const { return m_highlight.has_value(); }

    const Comparison* given() const { return m_given ? &*m_given : nullptr; }
    bool isEmpty() const { return !m_given && m_source.isNull() && m_result.isNull(); }
    const PyramidPtr& source() const { return m_source.pyramid(); }  // the document's
    SideRenderer& first() { return m_given ? m_givenFirst : m_source; }
    SideRenderer& second() { return m_given ? m_givenSecond : m_result; }
    const SideRenderer& first() const { return m_given ? m_givenFirst : m_source; }
    const SideRenderer& second() const { return m_given ? m_givenSecond : m_result; }
    // Of two given images the second one lies over the first one as it is, at the top left.
    ResultPlace firstPlace() const { return placeOfSource(first().image().size()); }
    ResultPlace secondPlace() const {
        return m_given ? placeOfSource(second().image().size()) : m_resultPlace;
    }
    // Two given images of different sizes are subtracted where both are.
    ResultPlace differencePlace() const {
        return isCut() ? placeOfSource(exactImage(m_given->commonFirst).size()) : secondPlace();
    }
    bool isAsSource() const { return secondPlace() == firstPlace(); }
    // Why the two cannot be drawn over each other, pixel on pixel; empty if they can.
    QString overlayObstacle() const;
    // Of a result that is a part of the source, that part, which must be made ready for
    // subtracting; nothing where it is, or where there is nothing to subtract.
    std::optional<Image> missingPart() const;
    void setPart(PyramidPtr part, const ResultPlace& place);
    // Second minus first; of two given images first minus second. Empty where they cannot be
    // subtracted.
    const SideRenderer& difference() const { return m_difference; }
    // Why there is no difference; empty if there is one.
    QString obstacleText() const;
    // Of two given images the next pixel that differs, round and round.
    std::optional<QPoint> nextDiffering();

    QString firstLabel() const;
    QString secondLabel() const;
    // With the range over which a side is shown, where that was chosen.
    QString firstCaption() const { return caption(first(), firstLabel()); }
    QString secondCaption() const;
    QString differenceCaption() const;

  private:
    bool isCut() const { return m_given && m_given->commonFirst; }
    bool hasPart() const { return m_part && m_partPlace == secondPlace(); }
    void updateDifference();
    QString placeText() const;  // how the result lies over the source, in words
    QString caption(const SideRenderer& side, const QString& label) const;

    SideRenderer m_source;
    SideRenderer m_result;
    ResultPlace m_resultPlace;
    PyramidPtr m_part;  // of the source, under a result that lies there
    ResultPlace m_partPlace;
    std::optional<Comparison> m_given;
    SideRenderer m_givenFirst;
    SideRenderer m_givenSecond;
    std::size_t m_nextDiffering = 0;
    SideRenderer m_difference;
    DifferenceStyle m_style;
    DifferenceObstacle m_obstacle = DifferenceObstacle::NoResult;
    const DisplaySettings* m_display = nullptr;
    std::optional<ValueHighlight> m_highlight;
};

}  // namespace warpscope::gui
