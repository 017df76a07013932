// Finds the objects of a step that numbers them in what the step is given, and measures them in the
// source: computes what steps before make, on a thread of its own. A newer request takes the place
// of an older one.
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <stop_token>

#include "engine/operations/morphology/components.h"
#include "engine/worker/render_worker.h"

namespace warpscope::gui {

class TaskRunner;

class ObjectCounter : public QObject {
    Q_OBJECT
  public:
    struct Request {
        PyramidPtr source, second;
        // The steps before.
        Pipeline before;
        // connected_components
        Step step;
        // Where the steps before run: the bits are the same.
        BackendChoice backend = BackendChoice::Auto;
        std::uint64_t memoryBudget = 0;
        // From pixels of what the step is given.
        PixelMap sourceFromInput;

        friend bool operator==(const Request& a, const Request& b) {
            return a.source == b.source && a.second == b.second && a.before == b.before &&
                   a.step == b.step;
        }
    };
    struct Objects {
        // A row an object, in the order of labels; no columns where there is a problem.
        FoundComponents found;
        PixelMap sourceFromInput;
        std::string problem;
    };
    using ObjectsPtr = std::shared_ptr<const Objects>;

    explicit ObjectCounter(RenderWorker::BackendFactory factory, QObject* parent = nullptr);
    ~ObjectCounter() override;

    void count(const Request& request);  // nothing where that was asked for last
    const std::optional<Request>& asked() const { return m_asked; }
    // Of what was asked for last; null until it is there.
    const ObjectsPtr& objects() const { return m_objects; }
    // What runs ends, what is there is forgotten.
    void interrupt();
    void giveMemoryBack();  // that is kept for the next request

  signals:
    void counted();

  private:
    Result<FoundComponents> measured(const Request& request, const std::stop_token& stop);
    Executor& executorFor(const Request& request);

    const RenderWorker::BackendFactory m_factory;
    std::optional<Request> m_asked;
    ObjectsPtr m_objects;
    int m_number = 0;
    std::stop_source m_stop;
    // Used on the thread alone, made when it is needed.
    std::unique_ptr<Executor> m_executor;
    std::uint64_t m_sourceId = 0;         // of the image that it was used for
    std::unique_ptr<TaskRunner> m_tasks;  // last: joined before the rest goes
};

}  // namespace warpscope::gui
