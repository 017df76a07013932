// warpscope-cli: the engine without a window. Needs no display.
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <iostream>

#include "cli/common.h"
#include "cli/completion.h"
#include "engine/base/log.h"
#include "engine/base/near_words.h"
#include "engine/io/isolated_reader.h"

namespace {

// For the first word that is no option of the command but looks like one.
std::string nearOption(const CLI::App& command, const std::vector<std::string>& words) {
    std::vector<std::string> known;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    for (const std::string& word : words) {
        const std::string name = word.substr(0, word.find('='));
        if (name.starts_with("--") && std::ranges::find(known, name) == known.end())
            return warpscope::didYouMean(name, known);
    }
    return {};
}

// What stands there is most often a variable of a script that was never set.
void refuseEmptyValues(CLI::App& command) {
    const CLI::Validator given(
        [](std::string& text) {
            return text.empty() ? std::string("takes a value, not an empty text") : std::string();
        },
        "");
    for (CLI::Option* option : command.get_options())
        if (!option->get_positional() && option->get_type_size_max() > 0) option->check(given);
}

}  // namespace

int main(int argc, char** argv) {
    using namespace warpscope;
    using namespace warpscope::cli;
    // Without the folder, which is nobody's business in a file of results.
    commandLine().assign(argv, argv + argc);
    if (!commandLine().empty()) commandLine().front() = "warpscope-cli";
    interruptToken();
    // A reader that went away ends what is written to it, and not the program.
    signal(SIGPIPE, SIG_IGN);
    setLogSink([](LogLevel level, std::string_view message) {
        if (level == LogLevel::Error) complain(message);
        if (level == LogLevel::Warning) notice(message);
    });
    setDecodeSeconds({}, kHowToRaiseDecodeTime);

    CLI::App app{"Looks closely at images and at what filters do to them, on CPU and GPU",
                 "warpscope-cli"};
    app.set_version_flag("--version", std::string("warpscope-cli ") + WARPSCOPE_VERSION);
    app.require_subcommand(1);
    app.footer(
        "Exit codes: 0 done, 1 failed (one line on standard error says why), 2 wrong usage, 130 "
        "stopped by Ctrl-C, 143 by SIGTERM. As a file, - is standard input or output.");
    int exitCode = kDone;
    addApply(app, exitCode);
    addHistogram(app, exitCode);
    addAnalyze(app, exitCode);
    addCompare(app, exitCode);
    addIntegral(app, exitCode);
    addInfo(app, exitCode);
    addOps(app, exitCode);
    addDevices(app, exitCode);
    addBench(app, exitCode);
    addScene(app, exitCode);
    addCompletion(app, exitCode);
    addManual(app, exitCode);
    for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) {
        refuseEmptyValues(*command);
        addQuietTo(*command);
    }
    if (argc > 1 && std::string_view(argv[1]) == "complete") {
        const auto completion = completionOf(app, std::vector<std::string>(argv + 2, argv + argc));
        return writeOutput(completionText(completion), "") ? kDone : kFailed;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& help) {
        // --help and --version
        app.exit(help);
        errno = 0;
        if (std::cout.flush() || errno == EPIPE) return kDone;
        return failWith({ErrorCode::Io, "standard output: cannot be written"});
    } catch (const CLI::ParseError& error) {
        const std::string first = argc > 1 ? argv[1] : "";
        const auto named = [&](const CLI::App* command) { return command->get_name() == first; };
        const auto found = app.get_subcommands(named);
        if (!first.empty() && first[0] != '-' && found.empty()) {
            std::vector<std::string> known;
            for (const CLI::App* command : app.get_subcommands([](CLI::App*) { return true; }))
                known.push_back(command->get_name());
            return usageError("there is no command '" + first + "'" + didYouMean(first, known) +
                              " (see --help)");
        }
        const bool extra = dynamic_cast<const CLI::ExtrasError*>(&error) && !found.empty();
        const std::string hint =
            extra ? nearOption(*found.front(), {argv + 2, argv + argc}) : std::string();
        return usageError(std::string(error.what()) + hint + " (see --help)");
    } catch (const std::exception& error) {
        return failWith({ErrorCode::Internal, error.what()});
    }
    return exitCode;
}
