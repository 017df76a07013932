// What can be said on the command line of the window.
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>
#include <optional>

#include "gui/widgets/theme.h"

namespace warpscope::gui {

struct CommandLine {
    QStringList files;
    QString second;  // the second image
    bool resetSettings = false;
    bool sample = false;
    std::optional<ThemeChoice> theme;
    std::optional<QString> language;    // an id of languages(), or "system"
    std::optional<QString> gpu;         // as gpuNameFrom() gives it
    std::optional<QString> sideBySide;  // begin with that demo, see showcaseStart
    bool benchmark = false;             // begin with the benchmark window; files are results
    // For taking pictures of the window by script; not in --help, like --manual, which prints the
    // page that is installed.
    QString screenshot;
    QString pipeline;
    QString demo;           // id of an experiment to run
    QString benchmarkPage;  // "speedup", see benchmarkPageFrom
    QString opponent;       // results to race against, of the demo side by side
    bool wipe = false;      // source and result in one picture
    QSize size;

    // Answers that need no window: text for standard output or error, and the exit code.
    QString message;
    std::optional<int> exitCode;
};

// `arguments` begins with the program's name. Wrong usage: exit code 2 and one line.
CommandLine parseCommandLine(const QStringList& arguments);

}  // namespace warpscope::gui
