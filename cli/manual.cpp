// warpscope-cli manual: manual pages, made from the options and from the descriptions of the
// operations, so that they never say anything else than --help and ops.
#include <fmt/format.h>

#include <filesystem>

#include "cli/common.h"
#include "engine/io/image_writer.h"
#include "engine/operations/registry.h"
#include "engine/report/manual_page.h"
#include "engine/report/operation_pictures.h"

namespace warpscope::cli {
namespace {

constexpr const char* kOperations = "operations";

std::vector<CLI::App*> commandsOf(CLI::App& app) {
    return app.get_subcommands([](CLI::App*) { return true; });
}

std::string pageName(std::string_view what) {
    return what == kOperations ? "warpscope-operations"
           : what.empty()      ? "warpscope-cli"
                               : fmt::format("warpscope-cli-{}", what);
}

// "Usage: " and blank lines around it are for the terminal.
std::string synopsisOf(const CLI::App& app, const std::string& name) {
    std::string usage = CLI::Formatter().make_usage(&app, name);
    if (const std::size_t colon = usage.find(": "); colon != usage.npos) usage.erase(0, colon + 2);
    while (!usage.empty() && usage.back() == '\n') usage.pop_back();
    return usage;
}

void addOptions(ManualPage& page, const CLI::App& app) {
    const CLI::Formatter formatter;
    const auto add = [&](const CLI::Option& option, bool positional) {
        std::string argument = formatter.make_option_opts(&option);
        if (argument.starts_with(' ')) argument.erase(0, 1);
        page.entry(positional ? option.get_name(true) : option.get_name(false, true), argument,
                   option.get_description());
    };
    const auto options = app.get_options([](const CLI::Option*) { return true; });
    bool first = true;
    for (const CLI::Option* option : options) {
        if (!option->get_positional() || option->get_group().empty()) continue;
        if (std::exchange(first, false)) page.heading("Arguments");
        add(*option, true);
    }
    for (const std::string& group : app.get_groups()) {
        first = true;
        for (const CLI::Option* option : options) {
            if (!option->nonpositional() || group.empty() || option->get_group() != group) continue;
            if (std::exchange(first, false)) page.heading(group);
            add(*option, false);
        }
    }
}

std::string programPage(CLI::App& app) {
    ManualPage page(pageName(""), 1, app.get_description());
    page.heading("Synopsis");
    page.command(synopsisOf(app, "warpscope-cli"));
    addOptions(page, app);
    page.heading("Commands");
    for (const CLI::App* command : commandsOf(app))
        page.entry(command->get_name(), {},
                   fmt::format("{}. See {}(1).", command->get_description(),
                               pageName(command->get_name())));
    page.heading("Notes");
    page.paragraph(app.get_footer());
    for (const CLI::App* command : commandsOf(app)) page.alsoSee(pageName(command->get_name()), 1);
    page.alsoSee(pageName(kOperations), 7);
    page.alsoSee("warpscope", 1);
    return page.text();
}

std::string commandPage(const CLI::App& app, const CLI::App& command) {
    ManualPage page(pageName(command.get_name()), 1, command.get_description());
    page.heading("Synopsis");
    page.command(synopsisOf(command, "warpscope-cli " + command.get_name()));
    addOptions(page, command);
    page.heading("Notes");
    if (!command.get_footer().empty()) page.paragraph(command.get_footer());
    page.paragraph(app.get_footer());
    page.alsoSee(pageName(""), 1);
    page.alsoSee(pageName(kOperations), 7);
    return page.text();
}

void addOperation(ManualPage& page, const OperationDescription& d) {
    page.subheading(fmt::format("{} ({})", d.label, d.id));
    page.paragraph(d.help.empty() ? d.summary : d.summary + ". " + d.help);
    for (const ParamSpec& spec : d.parameters)
        page.entry(spec.id + "=", allowedText(spec),
                   fmt::format("{} (default {})", spec.help, toText(spec.defaultValue)));
    if (d.variants.size() > 1)
        for (const VariantSpec& variant : d.variants)
            page.entry("variant=" + variant.id, {}, variant.help);
    for (const VariantSpec& variant : d.wrongVariants)
        page.entry("variant=" + variant.id, {}, "Wrong on purpose, for teaching: " + variant.help);
    page.paragraph("Computes:\n" + d.formula);
}

std::string operationsPage() {
    ManualPage page(pageName(kOperations), 7, "what Warpscope can do to an image");
    page.heading("Description");
    page.paragraph(
        "As a step of a chain an operation is written as its name, and its parameters behind a "
        "colon with commas between them:");
    page.command("warpscope-cli apply in.png -o out.png --step gaussian_blur:sigma=2,size=9");
    for (const OperationKind kind : {OperationKind::Filter, OperationKind::Analysis}) {
        page.heading(kind == OperationKind::Filter ? "Filters" : "Analyses");
        for (const Operation* operation : allOperations())
            if (operation->description().kind == kind) addOperation(page, operation->description());
    }
    page.alsoSee(pageName("apply"), 1);
    page.alsoSee(pageName("analyze"), 1);
    page.alsoSee("warpscope", 1);
    return page.text();
}

// Errors: InvalidArgument.
Result<std::string> pageOf(CLI::App& app, const std::string& what) {
    if (what.empty()) return programPage(app);
    if (what == kOperations) return operationsPage();
    for (const CLI::App* command : commandsOf(app))
        if (command->get_name() == what) return commandPage(app, *command);
    return fail(ErrorCode::InvalidArgument,
                "there is no command '" + what + "' and so no page of it (see --help)");
}

// Errors: Io.
Result<void> writeAll(CLI::App& app, const std::string& folder) {
    std::vector<std::string> pages{"", kOperations};
    for (const CLI::App* command : commandsOf(app)) pages.push_back(command->get_name());
    for (const std::string& what : pages) {
        const std::filesystem::path file =
            std::filesystem::path(folder) / (pageName(what) + (what == kOperations ? ".7" : ".1"));
        if (auto written = writeOutput(*pageOf(app, what), file.string()); !written) return written;
    }
    return {};
}

// Errors: Io, OutOfMemory, Cancelled.
Result<void> writePictures(const std::string& folder) {
    OperationPictureMaker maker;
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    for (const std::string& name : operationPictureNames()) {
        const std::filesystem::path file = std::filesystem::path(folder) / (name + ".png");
        const auto picture = maker.make(name, RunContext{interruptToken(), {}});
        if (!picture) return fail(picture.error());
        const auto encoded = encodeImage(*picture, file, interruptToken());
        if (!encoded) return fail(encoded.error());
        if (auto written = writeFileAtomically(file, encoded->bytes, {.stop = interruptToken()});
            !written)
            return written;
    }
    return {};
}

}  // namespace

void addManual(CLI::App& app, int& exitCode) {
    struct Options {
        std::string page;
        std::string folder;
        std::string pictures;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("manual", "Print a manual page, for man -l -");
    command->add_option("PAGE", options->page, "A command, or operations; else this program's own");
    command->add_option("--all", options->folder, "Write all pages into this folder instead")
        ->type_name("FOLDER");
    command
        ->add_option("--pictures", options->pictures,
                     "Write what each operation makes of a part of the sample scene into this "
                     "folder instead, as PNG")
        ->type_name("FOLDER");
    command->callback([&app, options, &exitCode] {
        if (!options->pictures.empty()) {
            if (auto written = writePictures(options->pictures); !written)
                exitCode = failWith(written.error());
            return;
        }
        if (!options->folder.empty()) {
            if (auto written = writeAll(app, options->folder); !written)
                exitCode = failWith(written.error());
            return;
        }
        const auto page = pageOf(app, options->page);
        if (!page) {
            exitCode = usageError(page.error().message);
        } else if (auto written = writeOutput(*page, ""); !written) {
            exitCode = failWith(written.error());
        }
    });
}

}  // namespace warpscope::cli
