// The only class that crosses threads: document changes go down to the render worker, its events
// come up as signals on the window's thread.
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>
#include <optional>
#include <vector>

#include "engine/base/mailbox.h"
#include "engine/worker/render_worker.h"
#include "gui/document/document.h"
#include "gui/document/image_cache.h"

namespace warpscope::gui {

class ImageLoader;
class Prefetcher;

class EngineBridge : public QObject {
    Q_OBJECT
  public:
    EngineBridge(Document& document, RenderWorker::BackendFactory factory,
                 QObject* parent = nullptr);
    ~EngineBridge() override;  // joins worker and loader

    // Decodes on a thread of its own; ends in Document::setSource and imageOpened, or openFailed. A
    // newer call replaces an older one. A file that is kept or was prefetched, and has not changed
    // since, is there at once.
    void openFile(const QString& path, int page = 0);
    // These stay in memory once they are read, the first ones first, as far as half of the budget
    // reaches; the last `fetched` of them are read now, when nothing else is.
    void keepImages(const std::vector<ImageFile>& files, int fetched);
    ImageCache& images() { return *m_images; }
    void openImage(const Image& image, const QString& title);  // clipboard
    static constexpr Size kSampleSize{1920, 1280};
    void openSampleScene();
    void openScene(Size size, bool color, const QString& title);  // makeScene of that size
    struct Scene {
        Size size;
        bool color = true;
        friend bool operator==(const Scene&, const Scene&) = default;
    };
    // Where the image is one; nothing for files and pasted pictures.
    const std::optional<Scene>& scene() const { return m_scene; }
    bool opening() const;
    // The same for the second image, beside that: ends in Document::setSecond, or openSecondFailed.
    void openSecondFile(const QString& path);
    void openSecondImage(const Image& image, const QString& title);
    bool openingSecond() const;
    QString openingTitle() const { return m_openingTitle; }  // of the image that is on its way
    void cancelOpening();                                    // of both

    void setViewport(
        const Viewport& viewport);  // asks for nothing by itself while the exact result is there
    void setBackend(BackendChoice choice);
    BackendChoice backend() const { return m_backend; }
    // The factory gives others now: what there is, is computed and timed once more on them, ending
    // in backendsReady and the signals of results.
    void remakeBackends();
    void setPaused(bool paused);  // live update off: results go stale until it is on again
    bool paused() const { return m_paused; }
    // Something outside measures and nothing may disturb it: work under way ends, changes wait
    // until `why` is empty again, and what is asked for by name (opening, timings, a difference) is
    // refused with `why`.
    void setHeld(const QString& why);
    const QString& held() const { return m_held; }
    void cancel();          // what the worker does now
    void resume();          // what was cancelled or failed, once more
    void requestTimings();  // again, though nothing changed
    // The step's results on one thread and on that backend, computed once more;
    // ends in differenceReady, or failed.
    void requestDifference(std::size_t stepIndex, BackendKind backend);
    // From the next request on the histogram of the result is timed as well; its rows have
    // kAnalysisStep as their step.
    void setHistogramTimed(bool on) { m_histogramTimed = on; }
    bool histogramTimed() const { return m_histogramTimed; }
    // Done on source and result from now on, of the region if there is one; ends in analysisReady.
    void setAnalysis(const std::optional<Step>& analysis);
    // Small histograms of what every step gives; end in stepHistogramsChanged.
    void setStepHistogramsWanted(bool on);
    void setStepInputWanted(bool on);  // the same counts, for whoever edits a step
    // Nothing after the list of steps changed, until they are counted.
    const std::optional<StepHistogramsReady>& stepHistograms() const { return m_stepHistograms; }
    bool stepHistogramsAreCurrent() const {
        return m_stepHistograms && m_stepHistograms->revision >= m_analysisFloor;
    }
    // Latest of the present list of steps; see thresholdLevel().
    const std::optional<ThresholdsReady>& thresholds() const { return m_thresholds; }
    // The samples there after every step, in pixels of the source; ends in probeReady unless the
    // pipeline changes before, or a newer one is asked for.
    void probe(double x, double y);
    // The result is what this step gives, until it is told otherwise or the list changes; for
    // everything, saving included. Nothing: that of all steps.
    void setPeek(std::optional<int> step);
    std::optional<int> peek() const { return m_peek; }
    // These steps are computed in place of the document's, until it changes; timings wait. Nothing:
    // the document's again.
    void setTrial(std::optional<Pipeline> trial);
    const std::optional<Pipeline>& trial() const { return m_trial; }
    Pipeline renderedPipeline()
        const;  // the trial's, without the steps behind the one that is peeked at
    void setMemoryBudget(std::uint64_t bytes);
    std::uint64_t memoryBudget() const { return m_memoryBudget; }

    // Latest of each kind; empty until there is one, and after another image was opened.
    const std::optional<BackendSet>& backends() const { return m_backends; }
    // Exact, full size. Of an older chain, it may have let go its samples: see draftReady.
    PyramidPtr result() const { return m_result; }
    const PixelMap& sourceFromResult() const { return m_sourceFromResult; }  // of that result
    bool resultIsCurrent() const;  // false while a newer one is being made
    const std::vector<StepReport>& stepReports() const { return m_stepReports; }
    const std::optional<HistogramsReady>& histograms() const { return m_histograms; }
    // Of the analysis that was asked for; nothing until it is there.
    const std::optional<AnalysisReady>& analysis() const { return m_found; }
    bool analysisIsCurrent() const { return m_found && m_found->revision >= m_analysisFloor; }
    // Of the present result and region; false while newer ones are being counted.
    bool histogramsAreCurrent() const {
        return m_histograms && m_histograms->revision >= m_analysisFloor;
    }
    // Of the current pipeline.
    const std::vector<TimingReady>& timings() const { return m_timings; }
    // The step at which the present pipeline failed; nothing when it did not, or at no step.
    struct StepFailure {
        std::size_t stepIndex = 0;  // in Pipeline::steps
        QString message;
    };
    const std::optional<StepFailure>& stepFailure() const { return m_stepFailure; }
    // Why the histogram or the timings that are there, or their absence, do not belong to the
    // present pipeline and will not do so by themselves: the work failed. Empty if all is well.
    const QString& histogramProblem() const { return m_histogramProblem; }
    const QString& timingsProblem() const { return m_timingsProblem; }

    // The last full run of a chain; nothing before the first and after another image was opened.
    struct LastRun {
        std::uint64_t revision = 0;
        double ms = 0;                 // source on the host to result on the host
        std::vector<RunEvent> events;  // where it went
        std::int64_t begunNs = 0;      // steadyClock() at its start
        std::int64_t arrivedNs = 0;    // and when its result reached this thread
    };
    const std::optional<LastRun>& lastRun() const { return m_lastRun; }
    // How fast the machine copies; nothing until it was measured, which setCopyBandwidthWanted asks
    // for: once, when the timings that come next are complete.
    const std::optional<CopyBandwidthReady>& copyBandwidth() const { return m_copyBandwidth; }
    void setCopyBandwidthWanted(bool on) { m_copyWanted = on; }
    std::uint64_t revision() const { return m_revision; }
    std::uint64_t shownRevision() const { return m_shownRevision; }  // of the newest picture
    // The first whose pictures contain everything that was edited; requests for more figures of the
    // same picture grow revision() beyond it.
    std::uint64_t editRevision() const { return m_contentFloor; }
    bool busy() const { return m_busy; }
    bool timingsComplete() const { return !m_timingsWanted; }
    bool stale() const { return m_stale; }

    // Joins worker and loader; nothing is computed or reported afterwards. For closing.
    void shutDown();

  signals:
    void backendsReady();
    void backendsOutdated();  // others of the factory's backends ought to be made anew, too
    void openingChanged(bool opening);
    void openingTitleChanged();  // also when another image takes the place of one on its way
    void imageOpened();
    void openFailed(const QString& path, const QString& message);
    void openingSecondChanged(bool opening);
    void openSecondFailed(const QString& path, const QString& message);
    // A large image has no room for two full results. Where this is a draft of what the next one
    // will show, result() keeps its reduced copies alone from now on, and its image 0 is one
    // withoutSamples(): whoever holds the old one takes this instead.
    void draftReady(const warpscope::DraftReady& draft);
    void fullReady();
    void stepReportsChanged();
    void histogramsReady();
    void analysisReady();  // also when it is taken away
    void thresholdsChanged();
    void stepHistogramsChanged();  // also when they are out of date
    void probeReady(const warpscope::ProbeReady& probe);
    void peekChanged();
    void timingsChanged();  // cleared, a row more, or complete
    void progressChanged(double fraction, const QString& what);
    void failed(const QString& message);
    void stepFailureChanged();
    void analysisProblemChanged();  // histogramProblem or timingsProblem
    void copyBandwidthReady();
    void differenceReady(const warpscope::DifferenceReady& difference);
    void busyChanged(bool busy);  // the worker has work
    void staleChanged(bool stale);

  private:
    Q_INVOKABLE void drain();  // takes what worker and loader have posted
    void takeLoaded();
    void takeSecond();
    using Make = std::function<Result<PyramidPtr>(std::stop_token)>;
    Make reading(const ImageFile& file) const;
    void startLoading(Make make, const QString& filePath, const QString& title);
    void startLoadingSecond(Make make, const QString& path, const QString& title);
    void onSourceChanged();
    void onSecondChanged();
    void onPipelineChanged(bool structural);
    void renderAnew(bool structural);
    void onInteractionChanged(bool interacting);
    void onRegionChanged();
    void handle(BackendsReady& event);
    void handle(DraftReady& event);
    void handle(FullReady& event);
    void handle(HistogramsReady& event);
    void handle(AnalysisReady& event);
    void handle(TimingReady& event);
    void handle(DifferenceReady& event);
    void handle(CopyBandwidthReady& event);
    void handle(ProgressChanged& event);
    void handle(StepHistogramsReady& event);
    void handle(ProbeReady& event);
    void handle(ThresholdsReady& event);
    void handle(RenderFailed& event);
    void handle(Idle& event);
    // While a slider is held: the exact result and its figures, without timings.
    void submitHeld();
    bool keepsUpWithDrag() const;
    void letGoOfResult();
    void submit();
    void submit(bool draftOnly);
    void submitWhatIsMissing();
    void outdateStepHistograms(bool structural);
    void endPeekOfOtherSteps();
    void clearTimings();
    void setStepFailure(std::optional<StepFailure> failure);
    void setAnalysisProblems(const QString& histogram, const QString& timings);
    void setBusy(bool busy);
    void updateStale();

    Document& m_document;
    BackendChoice m_backend = BackendChoice::Auto;
    QString m_openingTitle, m_openingPath;  // the path is empty for what is no file
    std::optional<Scene> m_openingScene, m_scene;
    QString m_secondTitle, m_secondPath;  // of the one that is being opened
    bool m_paused = false;
    QString m_held;  // why nothing is computed; empty: it is
    bool m_stale = false;
    bool m_busy = false;
    bool m_stopped = false;       // cancelled or failed: nothing newer is on its way
    bool m_timingsWanted = true;  // not complete for the current pipeline
    bool m_histogramTimed = false;
    bool m_copyWanted = false;
    std::optional<RenderRequest::StepOn> m_differenceWanted;  // by the next request
    // A slider is held: its value has been still for a moment.
    QTimer m_stillTimer;
    bool m_heldResult = false;        // the last one was asked for while a slider was held
    QElapsedTimer m_sinceHeldResult;  // last asked for
    // From the last request for a result to its histograms, of chains like the present one.
    std::optional<qint64> m_figuresMs;
    QElapsedTimer m_sinceExact;
    std::uint64_t m_exactRevision = 0;
    std::optional<Step> m_analysis;
    bool m_stepHistogramsWanted = false, m_stepInputWanted = false;
    std::optional<StepHistogramsReady> m_stepHistograms;
    std::optional<ThresholdsReady> m_thresholds;
    std::uint64_t m_probeNumber = 0;
    std::uint64_t m_probeFloor = 0;  // older ones are of other steps
    std::optional<Pipeline> m_trial;
    std::optional<int> m_peek;
    std::vector<std::string> m_peeked;  // the operations up to that step
    Viewport m_viewport;
    std::uint64_t m_memoryBudget = 0;
    std::uint64_t m_revision = 0;
    std::uint64_t m_resultRevision = 0;
    // What an event's revision must have reached to be taken. A request for another viewport grows
    // the revision without making older results wrong, hence one floor for each kind.
    std::uint64_t m_contentFloor = 0;   // image, pipeline and backend are the present ones
    std::uint64_t m_analysisFloor = 0;  // and so is the region
    std::uint64_t m_draftFloor = 0;     // image and list of steps are the present ones
    std::uint64_t m_shownRevision = 0;  // newest picture handed on; older ones are never painted

    std::optional<BackendSet> m_backends;
    PyramidPtr m_result;
    PixelMap m_sourceFromResult;
    std::vector<StepReport> m_stepReports;
    std::optional<HistogramsReady> m_histograms;
    std::optional<AnalysisReady> m_found;
    std::vector<TimingReady> m_timings;
    std::optional<StepFailure> m_stepFailure;
    QString m_histogramProblem;
    QString m_timingsProblem;
    std::optional<LastRun> m_lastRun;
    std::optional<CopyBandwidthReady> m_copyBandwidth;

    std::unique_ptr<ImageCache> m_images;
    Mailbox<RenderEvent> m_events;
    std::unique_ptr<Prefetcher> m_prefetcher;
    std::unique_ptr<ImageLoader> m_loader;  // null once shut down, as is m_worker
    std::unique_ptr<ImageLoader> m_secondLoader;
    std::unique_ptr<RenderWorker> m_worker;  // last, so that it is joined before the mailbox goes
};

}  // namespace warpscope::gui
