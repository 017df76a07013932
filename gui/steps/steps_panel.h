// The pipeline: a list of steps with on/off, name, variant, where it ran and its time; under it the
// controls of the selected step.
#pragma once

#include <QTimer>
#include <QWidget>
#include <functional>
#include <optional>

#include "gui/document/document.h"
#include "gui/document/engine_bridge.h"
#include "gui/steps/preset_store.h"

class QAction;
class QLabel;
class QPushButton;
class QSplitter;
class QToolButton;

namespace warpscope::gui {

class AddStepPopup;
class DisplaySettings;
class OperationPreviews;
class Settings;
class StepControls;
class StepList;

class StepsPanel : public QWidget {
    Q_OBJECT
  public:
    StepsPanel(Document& document, EngineBridge& bridge, QWidget* parent = nullptr);

    void setSettings(Settings& settings);  // where presets are kept; borrowed. None without
    // Shows and hides handles in the picture: a button of the steps that have some. None without.
    void setHandlesAction(QAction* action);
    // The list of operations has previews, drawn as the display shows them, of what is seen where
    // there is no region. Borrowed; none without.
    void setView(const DisplaySettings& display, std::function<Rect()> seen);

  public slots:
    void showAddStep();  // searchable list with descriptions
    void removeCurrentStep();
    void duplicateCurrentStep();
    void nameCurrentStep();  // asks for it
    void focusControls();
    void setWrongVariantsShown(bool shown);
    void setHistogramsShown(bool shown);
    // As they are written in menus and hints; empty: there is none.
    void showKeys(const QString& addStep, const QString& testStrip);

  signals:
    void helpPageRequested(const QString& operation);
    void testStripRequested();                // of the selected step
    void secondDropped(const QString& path);  // to be opened as second image
    void objectsRequested();                  // the table of what the step numbers

  protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void addStep(const std::string& operationId);
    void fitPresets();
    void arrange(bool onlyGrows = false);  // the list against the controls
    void showTotal();

    Document& m_document;
    EngineBridge& m_bridge;
    StepList* m_list;
    StepControls* m_controls;
    QPushButton* m_add = nullptr;
    QToolButton* m_presetsButton = nullptr;
    QLabel* m_total = nullptr;
    AddStepPopup* m_popup = nullptr;
    OperationPreviews* m_previews = nullptr;
    std::optional<PresetStore> m_presets;
    QString m_addKey = QStringLiteral("A");
    QSplitter* m_splitter = nullptr;
    QTimer m_chosen;             // another step
    QTimer m_cards;              // cards have other texts
    bool m_userSplit = false;    // the user has put the divider somewhere
    bool m_arrangeNext = false;  // the list has changed and has not run yet
};

}  // namespace warpscope::gui
