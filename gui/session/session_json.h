// A session as text, and back from what may be anybody's text.
#pragma once

#include <QStringList>
#include <string>
#include <string_view>

#include "engine/base/result.h"
#include "gui/session/session.h"

namespace warpscope::gui {

inline constexpr std::size_t kMaxSessionBytes = kMaxPipelineBytes + (4u << 20);
inline constexpr int kMaxSessionImages = 1000;  // of a list, and kept open

// warpscope-session/1, keys in order, indented, ends with a line feed.
std::string toJson(const Session& session);

struct ReadSession {
    Session session;
    // What is damaged or unknown and was left at its default, in words.
    QStringList problems;
    // There is a chain, but it cannot be used: the session's is empty.
    bool chainDamaged = false;
    // Images that are at none of their places, as the session names them. Each is a problem, too.
    QStringList missing;
};
// Nothing of it is trusted: numbers are finite and within their limits, lists are bounded, paths
// absolute. Whether the files are there is not asked. Errors (InvalidArgument): no JSON, or not of
// this kind.
Result<ReadSession> sessionFromJson(std::string_view text);

}  // namespace warpscope::gui
