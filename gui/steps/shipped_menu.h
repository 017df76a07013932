// Presets that are shipped, chains for jobs that people know, as a menu. What is chosen takes the
// place of all steps, or is put behind them; either is one undo entry.
#pragma once

#include <QMenu>

#include "engine/pipeline/shipped_presets.h"

namespace warpscope::gui {

class Document;

enum class PresetPlace { Instead, Behind };

void applyPreset(Document& document, const ShippedPreset& preset, PresetPlace place);

class ShippedMenu : public QMenu {
    Q_OBJECT
  public:
    // The document is borrowed and must outlive this.
    ShippedMenu(Document& document, QWidget* parent);
};

}  // namespace warpscope::gui
