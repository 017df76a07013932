// Counts what the worker does not: percentiles and entropy of two images, and how like two images
// are. Always of images in full, on a thread; a newer request takes the place of an older one.
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <stop_token>

#include "engine/measure/likeness.h"

namespace warpscope::gui {

class TaskRunner;

class FiguresCounter : public QObject {
    Q_OBJECT
  public:
    // Of an image, of which only `shape` if it is there; null: none.
    struct Part {
        Image image;
        Rect rect;
        std::optional<RegionShape> shape = std::nullopt;
        friend bool operator==(const Part& a, const Part& b) {
            return a.image.id() == b.image.id() && a.rect == b.rect && a.shape == b.shape;
        }
    };
    struct Request {
        Part source, result;
        // What is compared, over the shape of the first; nothing where one is null.
        Part first, second;
        friend bool operator==(const Request&, const Request&) = default;
    };
    struct Figures {
        // Of the analysis `statistics`.
        std::optional<AnalysisTable> source, result;
        std::vector<ChannelLikeness> likeness;
        // Why there is no likeness, where two images were there.
        std::string problem;
    };

    explicit FiguresCounter(QObject* parent = nullptr);
    ~FiguresCounter() override;

    void count(const Request& request);  // nothing where that was asked for last
    // Of what was asked for last, or of something older.
    const Figures& figures() const { return m_figures; }
    bool isCurrent() const { return m_ready; }
    void forget();
    void interrupt();  // what is there stays, as something older

  signals:
    void counted();

  private:
    std::optional<Request> m_asked;
    Figures m_figures;
    bool m_ready = false;
    int m_number = 0;
    std::stop_source m_stop;
    std::unique_ptr<TaskRunner> m_tasks;
};

}  // namespace warpscope::gui
