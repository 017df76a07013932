// Presets that are shipped, chains for jobs that people know, as a menu. What is chosen replaces
// the steps, or is appended to them; either is one undo entry.
#pragma once

#include <QMenu>

#include "engine/pipeline/shipped_presets.h"

namespace warpscope::gui {

class Document;

enum class PresetPlace { Replace, Append };

// Takes the place of all steps, fitted to the source (fittedTo()). While no image is open it stands
// as it is shipped, and is fitted to the one that comes unless somebody edits the steps before.
void replaceFitted(Document& document, const Pipeline& preset, const QString& undoText);

void applyPreset(Document& document, const ShippedPreset& preset, PresetPlace place);

class ShippedMenu : public QMenu {
    Q_OBJECT
  public:
    // The document is borrowed and must outlive this.
    ShippedMenu(Document& document, QWidget* parent);
};

}  // namespace warpscope::gui
