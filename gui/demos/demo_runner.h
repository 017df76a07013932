// Runs an experiment of the source texts: makes its image, puts its chain into the document, and
// keeps what the worker measures for it.
#pragma once

#include <QObject>
#include <QString>
#include <map>
#include <vector>

#include "engine/measure/published.h"
#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"

namespace warpscope::gui {

class DemoRunner : public QObject {
    Q_OBJECT
  public:
    DemoRunner(Document& document, EngineBridge& bridge, QObject* parent = nullptr);

    // Why this experiment cannot run here; empty if it can.
    static QString unavailable(const PublishedExperiment& experiment);

    // The row that stands for the experiment, or all of them one after the other. Figures of rows
    // that are not run again are kept.
    void start(const PublishedExperiment& experiment);
    void startAll();  // of the present experiment
    void startAgain();

    enum class State { Idle, Opening, Measuring };
    State state() const { return m_state; }
    const PublishedExperiment* experiment() const {
        return m_experiment ? &*m_experiment : nullptr;
    }
    int runningRow() const;  // -1: none
    bool everyRowMeasured() const;
    // One thread, all cores, GPU as they came; empty where the row was not run.
    const std::vector<StepTiming>& ours(std::size_t row) const;
    // Why the last run ended before its figures were there; empty if it did not.
    const QString& stopReason() const { return m_stopReason; }

  signals:
    void started();  // a run begins: live update is needed, and the panel wants to be seen
    void changed();  // state or figures

  private:
    void run(std::vector<std::size_t> rows);
    void runNext();
    void stop(const QString& reason);
    bool showsOurRow() const;  // image, chain and region are those of the last row that was run
    void onOpened();
    void onTimings();
    void onDocument();
    void onSteps();
    std::size_t timedStep() const;

    Document& m_document;
    EngineBridge& m_bridge;
    State m_state = State::Idle;
    std::optional<PublishedExperiment> m_experiment;
    std::size_t m_row = 0;
    bool m_ownEdit = false;              // the steps are being replaced by the chain
    std::vector<std::size_t> m_waiting;  // rows to run after this one, in reverse order
    Pipeline m_chain;                    // of m_row
    QString m_title;                     // of its image
    QString m_stopReason;
    std::map<std::string, std::vector<std::vector<StepTiming>>> m_ours;  // by experiment id, row
};

}  // namespace warpscope::gui
