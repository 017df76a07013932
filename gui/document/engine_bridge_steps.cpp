// What the bridge knows of every step: small histograms, the levels of thresholds, a pixel after
// each, and the peek at what one of them gives.
#include "gui/document/engine_bridge.h"

namespace warpscope::gui {

void EngineBridge::setStepHistogramsWanted(bool on) {
    if (on == m_stepHistogramsWanted) return;
    m_stepHistogramsWanted = on;
    if (on && !m_stopped) submitWhatIsMissing();
}

void EngineBridge::setStepInputWanted(bool on) {
    if (on == m_stepInputWanted) return;
    m_stepInputWanted = on;
    if (on && !m_stopped) submitWhatIsMissing();
}

// What is there stays until the new counts come, unless it may be of other steps by now.
void EngineBridge::outdateStepHistograms(bool structural) {
    m_probeFloor = m_probeNumber + 1;
    if (structural && m_thresholds) {
        m_thresholds.reset();
        emit thresholdsChanged();
    }
    if (!m_stepHistograms) return;
    if (structural) m_stepHistograms.reset();
    emit stepHistogramsChanged();
}

void EngineBridge::handle(StepHistogramsReady& event) {
    if (event.revision < m_analysisFloor) return;
    m_stepHistograms = std::move(event);
    emit stepHistogramsChanged();
}

void EngineBridge::handle(ThresholdsReady& event) {
    if (event.revision < m_contentFloor) return;
    m_thresholds = std::move(event);
    emit thresholdsChanged();
}

void EngineBridge::probe(double x, double y) {
    if (!m_document.source() || !m_worker || !m_held.isEmpty()) return;
    m_worker->probe({++m_probeNumber, m_document.source(), m_document.second(), renderedPipeline(),
                     m_backend, x, y});
}

void EngineBridge::handle(ProbeReady& event) {
    if (event.number >= m_probeFloor && event.number == m_probeNumber) emit probeReady(event);
}

Pipeline EngineBridge::renderedPipeline() const {
    Pipeline pipeline = m_trial.value_or(m_document.pipeline());
    // Switched off, not cut off: every step keeps its number.
    if (m_peek)
        for (std::size_t i = std::size_t(*m_peek) + 1; i < pipeline.steps.size(); ++i)
            pipeline.steps[i].enabled = false;
    return pipeline;
}

void EngineBridge::setTrial(std::optional<Pipeline> trial) {
    if (trial && *trial == m_document.pipeline()) trial.reset();
    if (trial == m_trial) return;
    m_trial = std::move(trial);
    renderAnew(false);
}

void EngineBridge::setPeek(std::optional<int> step) {
    const auto& steps = m_document.pipeline().steps;
    if (step && (*step < 0 || *step >= int(steps.size()))) step.reset();
    if (step == m_peek) return;
    m_peek = step;
    m_peeked.clear();
    for (int i = 0; step && i <= *step; ++i) m_peeked.push_back(steps[std::size_t(i)].operation);
    emit peekChanged();
    onPipelineChanged(true);
}

// Steps came, went or moved before it: nobody knows whether it is still the one that was meant.
void EngineBridge::endPeekOfOtherSteps() {
    if (!m_peek) return;
    const auto& steps = m_document.pipeline().steps;
    bool same = steps.size() >= m_peeked.size();
    for (std::size_t i = 0; same && i < m_peeked.size(); ++i)
        same = steps[i].operation == m_peeked[i];
    if (same) return;
    m_peek.reset();
    m_peeked.clear();
    emit peekChanged();
}

}  // namespace warpscope::gui
