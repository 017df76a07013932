// Session files: written in one piece, and opened also where a folder was moved. All functions ask
// the disk: for a thread.
#pragma once

#include <QString>
#include <stop_token>
#include <vector>

#include "engine/io/image_writer.h"
#include "gui/session/session_json.h"

namespace warpscope::gui {

inline constexpr char kSessionSuffix[] = "warpscope-session";
bool isSessionName(const QString& path);

// Size and time of the images are looked up; with `portable` also their paths from the file's
// folder and a hash of their bytes, so that copies of all of them are known again; images that are
// not hashed yet when a stop is requested go without. Each file is hashed once, and all together up
// to a limit. Errors: those of writeFileAtomically; LimitExceeded where it could not be opened
// again.
Result<void> writeSession(Session session, const QString& path, bool portable,
                          const WriteOptions& options = {}, std::stop_token stop = {});

// What is said of an image that is in no session.
QString leftText(const QString& title);

// As it is written; images are not looked for. Errors: those of readTextFile and sessionFromJson.
Result<ReadSession> parseSession(const QString& path);

// Where the person has found an image that was missing; others are looked for around it.
struct FoundImage {
    QString missing;
    QString path;
};
// Each image of that parsed file with the path where it is now: that from the session's folder
// first, then the absolute one; without "." and "..", as the window names them. Those that are not
// there are taken out and are problems, as are those that have changed. Worthless after a request
// to stop.
ReadSession withImages(ReadSession read, const QString& path, const std::vector<FoundImage>& found,
                       std::stop_token stop = {});
// Both. Errors: those of parseSession; Cancelled after a request to stop.
Result<ReadSession> readSession(const QString& path, std::stop_token stop = {});

// "a.png, 2 more images, 3 steps": what would come back; empty if nothing.
QString contentsText(const Session& session);

}  // namespace warpscope::gui
