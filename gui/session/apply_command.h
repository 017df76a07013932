// The window's chain as a command of warpscope-cli.
#pragma once

#include <string>
#include <vector>

#include "engine/base/result.h"
#include "gui/document/document.h"

namespace warpscope::gui {

// Words of a command that gives the result that the window shows, into a file of the folder it is
// run in: no spaces around or between them, see shellQuoted(). `page` is that of the image, from 0.
// Errors (Unsupported, in words for people): an image that is no file, a step that cannot run.
Result<std::vector<std::string>> applyCommand(const Document& document, int page,
                                              BackendChoice backend);

}  // namespace warpscope::gui
