#include "gui/objects/object_counter.h"

#include <algorithm>
#include <new>

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

Result<FoundComponents> ObjectCounter::measured(const Request& request,
                                                const std::stop_token& stop) try {
    const auto input = inputOf(request, stop);
    if (!input) return fail(input.error());
    PlanRequest wanted;
    wanted.parameters = request.step.parameters;
    wanted.format = input->format();
    wanted.size = input->size();
    // What the step itself does not take has no objects.
    if (const auto step = connected_components_operation().plan(wanted); !step)
        return fail(step.error());
    const auto plan = components_operation().plan(wanted);
    if (!plan) return fail(plan.error());
    return componentsCpu(static_cast<const ComponentsPlan&>(**plan), *input,
                         CpuContext{Threading::AllCores, stop, {}});
} catch (const std::bad_alloc&) {
    return fail(ErrorCode::OutOfMemory, "not enough memory for this table");
}

// Steps that cannot run are passed over, as in the picture.
Result<Image> ObjectCounter::inputOf(const Request& request, const std::stop_token& stop) {
    const Image& source = request.source->levels.front();
    if (std::ranges::none_of(request.before.steps, &Step::enabled)) return source;
    if (!m_executor)
        m_executor = std::make_unique<Executor>(m_factory(), request.memoryBudget);
    else if (m_sourceId != source.id())
        m_executor->clearCache();
    m_sourceId = source.id();
    m_executor->setMemoryBudget(request.memoryBudget);
    ExecuteRequest execute;
    execute.source = source;
    execute.pipeline = request.before;
    execute.backend = request.backend;
    if (request.second) execute.second = request.second->levels.front();
    execute.skipBrokenSteps = true;
    auto done = m_executor->run(std::move(execute), RunContext{stop, {}});
    if (!done) return fail(done.error());
    return std::move(done->image);
}

}  // namespace warpscope::gui
