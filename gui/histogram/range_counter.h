// Counts real samples (float, sums) anew where the bins of their whole range say too little: where
// a few far values hold all others in a few bins, where source and result reach differently far,
// and where a part of the axis is looked at. Always of the images in full, on a thread.
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <stop_token>

#include "engine/operations/analysis/histogram_range.h"
#include "gui/histogram/histogram_model.h"

namespace warpscope::gui {

class TaskRunner;

class RangeCounter : public QObject {
    Q_OBJECT
  public:
    struct Side {
        // The image and the part of it that is counted, of which only `shape` if it is there; null:
        // there is none.
        Image image;
        Rect part;
        std::optional<RegionShape> shape;
        const HistogramSet* set = nullptr;
    };
    // The part of an image that `set` was counted in: the region or all of it; no image where that
    // is another part, of which nothing can be said yet.
    static Side sideOf(const Image& image, const std::optional<RegionShape>& region,
                       const HistogramSet& set);
    struct Counted {
        AxisWindow axis;
        // By HistogramSide; nothing for integer samples.
        std::array<std::optional<RangeCounts>, 2> sides;
    };

    explicit RangeCounter(QObject* parent = nullptr);
    ~RangeCounter() override;

    // True: what the sets say is all that is needed. False: counts are there, or changed() follows.
    // `window`: what the axis is to show, in axis values; nothing: what holds most of the pixels.
    bool plain(const Side& source, const Side& result, const std::optional<AxisWindow>& window);
    // Of what plain() was asked for last; null until it is there. The last one before it may be
    // shown meanwhile.
    const Counted* counted() const { return m_ready ? &m_counted : nullptr; }
    const Counted* last() const { return m_any ? &m_counted : nullptr; }
    // What the model must know beside the sets; `result` may be null.
    HistogramZoom zoom(const HistogramSet& source, const HistogramSet* result,
                       const std::optional<AxisWindow>& window) const;
    // Another image: what was counted means nothing any more.
    void forget();

  signals:
    void changed();

  private:
    struct Key {
        std::array<std::uint64_t, 2> images{};
        std::array<Rect, 2> parts{};
        std::array<std::optional<RegionShape>, 2> shapes{};
        std::optional<AxisWindow> window;
        friend bool operator==(const Key&, const Key&) = default;
    };

    std::optional<Key> m_key;
    Counted m_counted;
    bool m_ready = false;
    bool m_any = false;
    int m_number = 0;
    std::stop_source m_stop;
    std::unique_ptr<TaskRunner> m_tasks;
};

// Real samples of which all but a few lie in a small part of their range.
bool isCrowded(const HistogramSet& set);

// The range of an image that shows most of its samples: percentiles 0.1 to 99.9 and a quarter
// around them, or `whole` where that is not much more.
AxisWindow crowdOf(const Image& image, const AxisWindow& whole);

}  // namespace warpscope::gui
