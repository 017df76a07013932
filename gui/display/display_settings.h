// Which sample values are black and white on the screen: one choice for the window, so that source,
// result, loupes and what is copied look alike. Values themselves never change.
//
// Images of one sample type (8 bits, 16 bits, float, sums) share a range, that of the source where
// it is of that type, so that source and result can be compared.
#pragma once

#include <QObject>
#include <QString>
#include <array>
#include <memory>
#include <optional>

#include "engine/image/convert.h"
#include "gui/display/display_convert.h"

namespace warpscope::gui {

class TaskRunner;

enum class RangeChoice {
    // naturalRange(): 0 to the white level, 0 to the largest sum; float 0 to 1, or its smallest to
    // its largest sample where they reach beyond that.
    Natural,
    MinMax,       // smallest and largest finite sample of all colours
    Percentiles,  // 0.1 and 99.9 per cent of at most a million pixels, evenly spread
    Manual
};

// Of the finite samples of all colours, alpha left out. Equal ends where all samples are alike;
// nothing where no sample is finite.
std::optional<DisplayRange> extremesOf(const Image& image);
std::optional<DisplayRange> percentilesOf(const Image& image);
// The extremes of a float image that reaches beyond 0 to 1; nothing for all others.
std::optional<DisplayRange> beyondNatural(const Image& image);

// 8 bits, 16 bits, float, sums of 32 and of 64 bits: each has its black and white by hand.
inline constexpr std::size_t kRangeKinds = 5;

// All that a person chooses here.
struct DisplayState {
    RangeChoice choice = RangeChoice::Natural;
    bool logarithmic = false;
    std::array<std::optional<DisplayRange>, kRangeKinds> manual;
    ViewLook view;
    bool profileShown = true;
};

// The look of a picture that stands where nothing of it can be chosen.
struct StillLook {
    DisplayLook look;
    QString words;  // as DisplaySettings::describe
};

class DisplaySettings : public QObject {
    Q_OBJECT
  public:
    explicit DisplaySettings(QObject* parent = nullptr);
    ~DisplaySettings() override;

    RangeChoice choice() const { return m_choice; }
    void setChoice(RangeChoice choice);
    bool logarithmic() const { return m_logarithmic; }
    void setLogarithmic(bool on);
    // For images of the sample type of `like`; the choice becomes Manual. `range.low` must be below
    // `range.high`, else nothing happens.
    void setManual(const Image& like, DisplayRange range);

    // A source of 16 bits, float or sums of which nearly all samples lie in the darkest or the
    // brightest eighth of the full range is shown by percentiles at once; off: poorlyShown() alone
    // says so. The next source comes over the full range again.
    void setByItself(bool on) { m_byItself = on; }
    // The choice is the program's, for the present source.
    bool choseItself() const { return m_choseItself; }

    // The images at hand. Ranges that must be looked for are, on a thread; changed() follows. Until
    // then the natural range holds.
    void setImages(const Image& source, const Image& result);

    // The result is shown by itself: minimum to maximum and percentiles are those of its samples.
    // Else they are the source's, for both, where these are of one type: what is compared must have
    // one black and white.
    void setResultAlone(bool alone);
    // Of a result that is outdated; its ranges stay. What of it was not looked for is not known,
    // and the natural range holds, until the next one is there.
    void letGoOfResult() { m_result = m_result.withoutSamples(); }
    // The result numbers objects: it has the colours of labels until a map is chosen, because as
    // levels the first of many would be black.
    void setResultLabels(bool labels);
    // Source or result has channels to show by themselves.
    bool hasChannels() const;

    // Nothing: the natural one.
    std::optional<DisplayRange> rangeFor(const Image& image) const;
    DisplayLook lookFor(const Image& image) const;
    // That of the window, without the marks of clipping; but of more than 8 bits, where nobody
    // chose black and white or another tone, over the percentiles: little may show over the full
    // range. What is not known yet is looked for at once.
    StillLook stillLookFor(const Image& image) const;
    bool isNatural() const {
        return m_choice == RangeChoice::Natural && !m_logarithmic && m_view.isNatural();
    }
    // Exposure and gamma are kept within their limits.
    const ViewLook& view() const { return m_view; }
    void setView(const ViewLook& view);
    // The full range, linear, natural colours.
    void resetLook();
    // Colours as the image's ICC profile means them; off: as they are stored. Kept by resetLook().
    bool profileShown() const { return m_profileShown; }
    void setProfileShown(bool shown);
    DisplayState state() const;
    // What is out of its limits is left as it is by default.
    void setState(const DisplayState& state);
    // "black -0.5, white 3.2 (minimum to maximum), logarithmic, colours of Adobe RGB (1998)"; empty
    // if it is as it would be without a choice and without a profile.
    QString describe(const Image& image) const;

  signals:
    void changed();
    // The source shows little over the full range, nearly all of it being bright or dark; `chosen`:
    // it is shown by percentiles now.
    void poorlyShown(bool chosen, bool bright);

  private:
    struct Measured {
        std::uint64_t image = 0;
        RangeChoice choice = RangeChoice::Natural;
        std::optional<DisplayRange> range;
    };
    static std::size_t kindOf(const Image& image);
    void measure(const Image& image);
    void measureAll();
    // Whose range both have.
    const Image& leading() const;
    void judgeSource();
    void setFor(RangeChoice choice, bool byItself);
    QString words(const Image& image, RangeChoice choice, const DisplayLook& look) const;

    RangeChoice m_choice = RangeChoice::Natural;
    bool m_logarithmic = false;
    ViewLook m_view;
    bool m_profileShown = true;
    bool m_byItself = false;
    bool m_choseItself = false;
    Image m_source;
    Image m_result;
    bool m_resultAlone = false;
    bool m_resultLabels = false;
    std::array<std::optional<DisplayRange>, kRangeKinds> m_manual;
    std::array<Measured, kRangeKinds> m_measured;
    // Going to and fro between two views looks for nothing again.
    std::array<Measured, 4> m_known;
    std::size_t m_nextKnown = 0;
    std::unique_ptr<TaskRunner> m_tasks;  // made when it is needed
};

}  // namespace warpscope::gui
