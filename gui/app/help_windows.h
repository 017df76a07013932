// Help that is made from what the program knows of itself: keys from the actions, operations from
// their descriptions. Windows of their own that do not block.
#pragma once

#include <QString>
#include <optional>

#include "engine/backend/backend_set.h"
#include "gui/app/actions.h"

class QWidget;

namespace warpscope::gui {

QString shortcutsHtml(const Actions& actions);
// The page of an operation; `pictures` is put below its summary, as it is.
QString operationHtml(const OperationDescription& description, const QString& pictures = {});
QString aboutHtml(const std::optional<BackendSet>& backends);

// One window a title; a second call brings it to the front with fresh text.
void showHelpWindow(QWidget* parent, const QString& title, const QString& html);

}  // namespace warpscope::gui
