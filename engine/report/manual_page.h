// A manual page: the source that `man` formats (the man macros of groff and mandoc).
#pragma once

#include <string>
#include <string_view>

namespace warpscope {

// Text is plain UTF-8 and comes out as it is, whatever signs of the macros' own stand in it. Lines
// of a paragraph stay lines.
class ManualPage {
  public:
    // "warpscope-cli", 1 for programs and 7 for what they share; `summary` is one line.
    ManualPage(std::string_view name, int section, std::string_view summary);

    void heading(std::string_view text);
    void subheading(std::string_view text);
    void paragraph(std::string_view text);
    // A command as it is typed.
    void command(std::string_view text);
    // `term` stands out, `argument` behind it is to be replaced by the reader; what it means is
    // indented below.
    void entry(std::string_view term, std::string_view argument, std::string_view meaning);
    // "warpscope(1)", one a call, joined by commas under SEE ALSO.
    void alsoSee(std::string_view name, int section);

    std::string text() const;

  private:
    std::string m_text;
    std::string m_alsoSee;
};

}  // namespace warpscope
