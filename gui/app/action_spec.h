// What a command of the window is made from. For the files of Actions only.
#pragma once

#include <QKeySequence>

#include "gui/app/actions.h"

namespace warpscope::gui {

struct Actions::Spec {
    const char* name;  // object name, for tests and saved state
    QString text;
    const char* icon = nullptr;
    QList<QKeySequence> keys = {};
    bool canvasOnly = false;
    QString help = {};
};

}  // namespace warpscope::gui
