// What is said, and offered, when a step that takes two images was added.
#pragma once

namespace warpscope::gui {

class Document;
class FileController;
class MessageBar;

// All must live as long as the document is used.
void connectSecondOffer(Document& document, FileController& files, MessageBar& messages);

}  // namespace warpscope::gui
