// From an edit to the paint that first shows it (or something newer).
#pragma once

#include <QObject>
#include <cstdint>
#include <deque>

#include "engine/base/clock.h"

namespace warpscope::gui {

class LatencyMeter : public QObject {
    Q_OBJECT
  public:
    explicit LatencyMeter(QObject* parent = nullptr, const Clock& clock = steadyClock());

    // The edit that led to this revision. A revision that is there already keeps its first stamp.
    void edited(std::uint64_t revision);
    // A paint that showed a picture of this revision.
    void painted(std::uint64_t revision);
    // This picture came while nobody could see it: when it is painted later, says nothing about how
    // long an edit takes.
    void missed(std::uint64_t revision);
    double lastMs() const { return m_lastMs; }  // negative before the first

  signals:
    void measured(double ms);

  private:
    struct Stamp {
        std::uint64_t revision = 0;
        std::int64_t ns = 0;
    };
    const Clock& m_clock;
    std::deque<Stamp> m_stamps;  // growing revisions
    double m_lastMs = -1;
};

}  // namespace warpscope::gui
