#include "gui/demos/demo_runner.h"

#include <QTimer>
#include <utility>

#include "gui/widgets/engine_text.h"

namespace warpscope::gui {

DemoRunner::DemoRunner(Document& document, EngineBridge& bridge, QObject* parent)
    : QObject(parent), m_document(document), m_bridge(bridge) {
    connect(&bridge, &EngineBridge::imageOpened, this, &DemoRunner::onOpened);
    connect(&bridge, &EngineBridge::openFailed, this,
            [this](const QString&, const QString& message) {
                if (m_state == State::Opening) stop(message);
            });
    connect(&bridge, &EngineBridge::openingChanged, this, [this](bool opening) {
        if (opening || m_state != State::Opening) return;
        // An image that was made arrives right after this; one that was cancelled never does.
        QTimer::singleShot(0, this, [this] {
            if (m_state == State::Opening && !m_bridge.opening()) stop(tr("cancelled"));
        });
    });
    connect(&bridge, &EngineBridge::timingsChanged, this, &DemoRunner::onTimings);
    connect(&bridge, &EngineBridge::failed, this, [this](const QString& message) {
        // busyChanged came first and said less.
        if (m_state == State::Measuring || showsOurRow()) stop(engineText(message.toStdString()));
    });
    connect(&bridge, &EngineBridge::busyChanged, this, [this](bool busy) {
        if (!busy && m_state == State::Measuring) stop(tr("cancelled"));
    });
    connect(&document, &Document::sourceChanged, this, &DemoRunner::onDocument);
    connect(&document, &Document::pipelineChanged, this, &DemoRunner::onSteps);
    connect(&document, &Document::regionChanged, this, &DemoRunner::onDocument);
}

QString DemoRunner::unavailable(const PublishedExperiment& experiment) {
    std::vector<std::string> operations{experiment.operation};
    for (const std::string& step : experiment.before)
        operations.push_back(step.substr(0, step.find(':')));
    for (const std::string& id : operations)
        if (!findOperation(id))
            return tr("this build has no operation %1").arg(QString::fromStdString(id));
    const auto chain = chainOf(experiment, experiment.rows[experiment.firstRow]);
    return chain ? QString() : engineText(chain.error().message);
}

void DemoRunner::start(const PublishedExperiment& experiment) {
    m_experiment = experiment;
    run({experiment.firstRow});
}

void DemoRunner::startAll() {
    if (!m_experiment) return;
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < m_experiment->rows.size(); ++row)
        if (ours(row).empty() || everyRowMeasured()) rows.push_back(row);
    run(std::move(rows));
}

void DemoRunner::startAgain() {
    if (m_experiment) run({m_row});
}

void DemoRunner::run(std::vector<std::size_t> rows) {
    m_waiting.assign(rows.rbegin(), rows.rend());
    m_stopReason.clear();
    runNext();
}

void DemoRunner::runNext() {
    if (m_waiting.empty()) {
        m_state = State::Idle;
        emit changed();
        return;
    }
    m_row = m_waiting.back();
    m_waiting.pop_back();
    const PublishedRow& row = m_experiment->rows[m_row];
    const auto chain = chainOf(*m_experiment, row);
    if (!chain) return stop(engineText(chain.error().message));
    m_chain = *chain;
    m_title = tr("%1, %2").arg(engineText(m_experiment->title), sizeText(row.size));
    auto& kept = m_ours[m_experiment->id];
    kept.resize(m_experiment->rows.size());
    kept[m_row].clear();
    m_state = State::Opening;
    m_bridge.setHistogramTimed(findOperation(m_experiment->operation)->description().kind ==
                               OperationKind::Analysis);
    emit started();
    m_bridge.openScene(row.size, m_experiment->color, m_title);
    emit changed();
}

void DemoRunner::stop(const QString& reason) {
    m_state = State::Idle;
    m_waiting.clear();
    m_stopReason = reason;
    if (!showsOurRow()) m_bridge.setHistogramTimed(false);
    emit changed();
}

bool DemoRunner::showsOurRow() const {
    return m_experiment && m_document.filePath().isEmpty() && m_document.title() == m_title &&
           m_document.pipeline() == m_chain && !m_document.region();
}

void DemoRunner::onOpened() {
    if (m_state != State::Opening) return;
    if (m_document.title() != m_title || !m_document.filePath().isEmpty())
        return stop(tr("another image was opened"));
    m_document.setRegion(std::nullopt);
    // Not before the image is there: a demo that was cancelled changes nothing.
    m_ownEdit = true;
    m_document.replacePipeline(m_chain, tr("Demo: %1").arg(engineText(m_experiment->title)));
    m_ownEdit = false;
    m_state = State::Measuring;
    emit changed();
}

void DemoRunner::onSteps() {
    if (m_state != State::Opening || m_ownEdit) return onDocument();
    // An edit of somebody's own, which is not to disappear beneath the chain.
    stop(tr("the image or its steps were changed"));
    m_bridge.cancelOpening();
}

std::size_t DemoRunner::timedStep() const {
    return m_chain.steps.empty() || m_chain.steps.back().operation != m_experiment->operation
               ? kAnalysisStep
               : m_chain.steps.size() - 1;
}

void DemoRunner::onTimings() {
    if (m_state == State::Opening || !showsOurRow()) return;
    std::vector<StepTiming> rows;
    for (const TimingReady& timing : m_bridge.timings())
        if (timing.stepIndex == timedStep()) rows.push_back(timing.timing);
    if (rows.empty()) return;  // cleared, or not that far: what was measured before stays
    m_ours[m_experiment->id][m_row] = std::move(rows);
    if (m_state == State::Measuring && m_bridge.timingsComplete()) return runNext();
    emit changed();
}

void DemoRunner::onDocument() {
    if (m_state == State::Opening || !m_experiment || showsOurRow()) return;
    if (m_state == State::Measuring) return stop(tr("the image or its steps were changed"));
    m_bridge.setHistogramTimed(false);
}

int DemoRunner::runningRow() const {
    return m_state == State::Idle ? -1 : int(m_row);
}

bool DemoRunner::everyRowMeasured() const {
    for (std::size_t row = 0; m_experiment && row < m_experiment->rows.size(); ++row)
        if (ours(row).empty()) return false;
    return m_experiment.has_value();
}

const std::vector<StepTiming>& DemoRunner::ours(std::size_t row) const {
    static const std::vector<StepTiming> kNone;
    const auto kept = m_experiment ? m_ours.find(m_experiment->id) : m_ours.end();
    return kept == m_ours.end() || row >= kept->second.size() ? kNone : kept->second[row];
}

}  // namespace warpscope::gui
