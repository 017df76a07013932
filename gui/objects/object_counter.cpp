#include "gui/objects/object_counter.h"

#include <algorithm>
#include <new>

#include "engine/pipeline/chain_shape.h"
#include "engine/pipeline/source_beneath.h"
#include "gui/base/task_runner.h"

namespace warpscope::gui {

ObjectCounter::ObjectCounter(RenderWorker::BackendFactory factory, QObject* parent)
    : QObject(parent), m_factory(std::move(factory)) {}

ObjectCounter::~ObjectCounter() {
    m_stop.request_stop();
}

void ObjectCounter::interrupt() {
    m_stop.request_stop();
    ++m_number;
    m_asked.reset();
    m_objects.reset();
}

void ObjectCounter::giveMemoryBack() {
    if (m_tasks)
        m_tasks->run([this]() -> TaskRunner::Finish {
            m_executor.reset();
            return {};
        });
}

void ObjectCounter::count(const Request& request) {
    if (m_asked == request) return;
    interrupt();
    m_asked = request;
    m_stop = std::stop_source();
    if (!m_tasks) m_tasks = std::make_unique<TaskRunner>();
    m_tasks->run(
        [this, request, number = m_number, stop = m_stop.get_token()]() -> TaskRunner::Finish {
            if (stop.stop_requested()) return {};
            auto objects = std::make_shared<Objects>();
            objects->sourceFromInput = request.sourceFromInput;
            if (auto found = measured(request, stop))
                objects->found = std::move(*found);
            else
                objects->problem = found.error().message;
            if (stop.stop_requested()) return {};
            return [this, number, objects] {
                if (number != m_number) return;
                m_objects = objects;
                emit counted();
            };
        });
}

// Steps that cannot run are passed over, as in the picture.
Result<FoundComponents> ObjectCounter::measured(const Request& request,
                                                const std::stop_token& stop) try {
    const RunContext context{stop, {}};
    ExecuteRequest execute;
    execute.source = request.source->levels.front();
    execute.pipeline = computablePart(request.before, execute.source.format(),
                                      Placement::all(execute.source.size()))
                           .pipeline;
    execute.backend = request.backend;
    if (request.second) execute.second = request.second->levels.front();
    execute.skipBrokenSteps = true;
    Image input = execute.source;
    Image source = execute.source;
    if (std::ranges::any_of(execute.pipeline.steps, &Step::enabled)) {
        Executor& executor = executorFor(request);
        auto done = executor.run(execute, context);
        if (!done) return fail(done.error());
        input = std::move(done->image);
        auto beneath = sourceBeneath(executor, std::move(execute), input.size(), context);
        if (!beneath) return fail(beneath.error());
        source = std::move(*beneath);
    }
    PlanRequest wanted;
    wanted.parameters = request.step.parameters;
    wanted.format = input.format();
    wanted.size = input.size();
    // What the step itself does not take has no objects.
    if (const auto step = connected_components_operation().plan(wanted); !step)
        return fail(step.error());
    const auto plan = planComponents(wanted, source);
    if (!plan) return fail(plan.error());
    return componentsCpu(**plan, input, CpuContext{Threading::AllCores, stop, {}});
} catch (const std::bad_alloc&) {
    return fail(ErrorCode::OutOfMemory, "not enough memory for this table");
}

Executor& ObjectCounter::executorFor(const Request& request) {
    const std::uint64_t source = request.source->levels.front().id();
    if (!m_executor)
        m_executor = std::make_unique<Executor>(m_factory(), request.memoryBudget);
    else if (m_sourceId != source)
        m_executor->clearCache();
    m_sourceId = source;
    m_executor->setMemoryBudget(request.memoryBudget);
    return *m_executor;
}

}  // namespace warpscope::gui
