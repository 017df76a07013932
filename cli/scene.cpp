// warpscope-cli scene: writes the sample scene.
#include <limits>

#include "cli/common.h"
#include "cli/sizes.h"
#include "engine/image/synthetic.h"
#include "engine/io/image_writer.h"

namespace warpscope::cli {

void addScene(CLI::App& app, int& exitCode) {
    struct Options {
        std::string output;
        std::string to;
        std::string size = "1920x1280";
        std::uint32_t seed = 1;
        bool gray = false;
    };
    auto options = std::make_shared<Options>();
    CLI::App* command =
        app.add_subcommand("scene", "Write the sample scene that the program makes");
    command->add_option("-o,--output", options->output, "File to write")->required();
    addFormatTo(*command, options->to);
    command->add_option("--size", options->size, "N, WxH, 4k or 8k")->capture_default_str();
    command->add_option("--seed", options->seed, "Other numbers give other scenes")
        ->check(CLI::Range(std::numeric_limits<std::uint32_t>::max()))
        ->capture_default_str();
    command->add_flag("--gray", options->gray, "One channel");
    command->callback([options, &exitCode] {
        auto size = parseSize(options->size);
        if (!size) {
            exitCode = usageError("--size " + size.error().message);
            return;
        }
        if (auto good = checkOutput(options->output); !good) {
            exitCode = failWith(good.error());
            return;
        }
        ProgressBar bar("making the scene");
        auto scene = makeScene(*size, !options->gray, options->seed,
                               CpuContext{Threading::AllCores, interruptToken(), bar.sink()});
        if (!scene) {
            exitCode = failWith(scene.error());
            return;
        }
        if (auto saved = saveOutput(*scene, options->output, options->to); !saved)
            exitCode = failWith(saved.error());
    });
}

}  // namespace warpscope::cli
