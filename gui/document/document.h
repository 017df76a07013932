// What the window shows and edits: one image, a second one that steps may take, and one pipeline.
// The only state that panels share.
// Every edit of the pipeline is an undo command.
#pragma once

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <optional>
#include <set>

#include "engine/image/pyramid.h"
#include "engine/pipeline/chain_shape.h"
#include "engine/worker/render_request.h"

namespace warpscope::gui {

// Where in a gesture an edit of a value comes from. Drag edits between Press and Release merge into
// one undo entry and are drafts.
enum class EditPhase { Single, Drag };

class Document : public QObject {
    Q_OBJECT
  public:
    explicit Document(QObject* parent = nullptr);

    // --- image ---
    PyramidPtr source() const { return m_source; }
    Image image() const;  // level 0, null if there is none
    // What the first `count` steps make of it; those that cannot run are passed over.
    ChainShape shapeBefore(int count) const;
    // The format of that; nothing without an image.
    std::optional<PixelFormat> formatAt(int count) const;
    QString filePath() const { return m_filePath; }  // empty for the sample scene and the clipboard
    QString title() const { return m_title; }
    // Keeps pipeline, undo history and, if the size is the same, the region.
    void setSource(PyramidPtr source, const QString& filePath, const QString& title);

    // --- the other image, which steps can name as their second input ---
    PyramidPtr second() const { return m_second; }  // null: none is open
    QString secondTitle() const { return m_secondTitle; }
    QString secondPath() const { return m_secondPath; }  // empty for what is no file
    void setSecond(PyramidPtr second, const QString& filePath, const QString& title);
    void closeSecond() { setSecond(nullptr, {}, {}); }

    // --- pipeline ---
    const Pipeline& pipeline() const { return m_pipeline; }
    QUndoStack& undoStack() { return m_undoStack; }
    int currentStep() const { return m_currentStep; }  // -1: none
    void setCurrentStep(int index);
    int placeOfNewStep() const;  // behind the current one

    void insertStep(int at, const Step& step);  // becomes current
    // One of that operation as somebody wants it who has just chosen it: a threshold finds its
    // level; with a second input it begins as half of each, with the second image where one is
    // open. Nothing for what can be no step.
    std::optional<Step> stepToAdd(const std::string& operation) const;
    // That behind the current step.
    void addStep(const std::string& operation);
    void removeStep(int index);
    void duplicateStep(int index);
    void moveStep(int from, int to);  // `to` is the index the step has afterwards
    void setStepEnabled(int index, bool enabled);
    void setStepVariant(int index, const std::string& variant);
    void resetStep(int index);  // parameters as those of stepToAdd()
    // All of them and the variant at once: a preset, or what handles in the picture give. Both must
    // fit the step's operation.
    void setStepValues(int index, const ParamSet& parameters, const std::string& variant,
                       const QString& undoText, EditPhase phase = EditPhase::Single);
    // Whether one more step has room; if not, refused() says so.
    bool hasRoomForStep();
    void setParameter(int index, const std::string& id, const ParamValue& value, EditPhase phase);
    // Several in one edit, named by the last one: drags of the same last one merge.
    void setParameters(int index, const std::vector<std::pair<std::string, ParamValue>>& values,
                       EditPhase phase);
    // References of other steps follow. An empty name takes it away, if nobody refers to it.
    void setStepName(int index, const QString& name);
    // The step's Image parameter names that earlier step, which gets a name where it has none. A
    // name that was given so goes again when nobody refers to it, unless somebody typed it since.
    void referToStep(int index, const std::string& parameterId, int earlier);
    void replacePipeline(const Pipeline& pipeline,
                         const QString& undoText);  // opened from a file, preset

    // A slider is held: drafts are wanted. Panels call begin on press and end on release.
    void beginInteraction();
    void endInteraction();
    bool interacting() const { return m_interacting; }

    // --- region of interest, image pixels ---
    // The box around it.
    std::optional<Rect> region() const {
        return m_region ? std::optional(m_region->box()) : std::nullopt;
    }
    const std::optional<RegionShape>& regionShape() const { return m_region; }
    // A rectangle is clipped to the image; what has no pixel there is none.
    void setRegion(std::optional<RegionShape> region);
    // A crop step behind all others, or the one at `index`, takes the region's box.
    void cropToRegion();
    void setCropToRegion(int index);

  signals:
    void sourceChanged();
    void secondChanged();
    // structural: steps were added, removed, moved or replaced; else values of one step changed.
    void pipelineChanged(bool structural, int stepIndex);
    void currentStepChanged(int index);
    void refused(const QString& why);  // an edit that cannot be made; nothing has changed
    // A step that was added takes a second input and has begun with the second image, or, where
    // none is open, with the source.
    void secondTaken(int step);
    void stepAdded(int step);  // by addStep, or with a preset that is shipped
    void interactionChanged(bool interacting);
    void regionChanged();

  private:
    friend class PipelineCommand;
    // Makes one undo entry; nothing if nothing would change. Entries of one gesture (not 0) and one
    // parameter merge.
    void push(Pipeline after, bool structural, int stepIndex, int currentAfter, const QString& text,
              int gesture = 0, const std::string& parameterId = {});
    void dropIdleNames(Pipeline& pipeline) const;
    void apply(const Pipeline& pipeline, bool structural, int stepIndex, int currentStep);
    // A step that crops what it is given at that place to the region; nothing, and refused() says
    // why, where that cannot be.
    std::optional<Step> cropAt(int index);

    PyramidPtr m_source;
    QString m_filePath;
    QString m_title;
    PyramidPtr m_second;
    QString m_secondPath;
    QString m_secondTitle;
    Pipeline m_pipeline;
    QUndoStack m_undoStack;
    std::set<std::string> m_givenNames;  // by referToStep
    int m_currentStep = -1;
    bool m_interacting = false;
    int m_gesture = 0;  // number of the drag, so that two drags do not merge
    std::optional<RegionShape> m_region;
};

}  // namespace warpscope::gui
