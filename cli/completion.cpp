// warpscope-cli completion: scripts for shells that ask the program itself, `warpscope-cli complete
// WORD...`, so that they never know less than it does.
#include "cli/completion.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/common.h"
#include "engine/io/decode_support.h"
#include "engine/operations/registry.h"

namespace warpscope::cli {
namespace {

using Words = std::vector<std::string>;

// Candidates for one word, of which a part is typed already.
class Choices {
  public:
    Choices(Completion& completion, std::string_view typed)
        : m_completion(completion), m_typed(typed) {}
    void add(std::string text, std::string_view help = {}) {
        if (text.starts_with(m_typed))
            m_completion.candidates.push_back({std::move(text), std::string(help)});
    }

  private:
    Completion& m_completion;
    std::string m_typed;
};

// "TEXT:{table,json}" in the words of the library.
Words valuesIn(const std::string& typeName) {
    Words values;
    const std::size_t open = typeName.find('{'), close = typeName.find('}');
    if (open == typeName.npos || close == typeName.npos) return values;
    for (std::size_t at = open + 1; at <= close;) {
        const std::size_t end = std::min(typeName.find(',', at), close);
        values.push_back(typeName.substr(at, end - at));
        at = end + 1;
    }
    return values;
}

// The text before the last `separator` with it, which stays as it was typed.
std::string_view upTo(std::string_view typed, std::string_view separators) {
    const std::size_t at = typed.find_last_of(separators);
    return at == typed.npos ? std::string_view() : typed.substr(0, at + 1);
}

// Names that earlier steps on the command line were given.
Words stepNamesIn(const Words& words) {
    Words names;
    for (const std::string& word : words)
        for (std::size_t at = 0; (at = word.find("name=", at)) != word.npos;) {
            const bool whole = at > 0 && (word[at - 1] == ':' || word[at - 1] == ',');
            at += 5;
            if (whole) names.push_back(word.substr(at, word.find(',', at) - at));
        }
    return names;
}

enum class Kinds { Filters, Analyses, All };

// gaussian_blur:sigma=2,size=
void addStepWords(Choices& choices, std::string_view prefix, std::string_view typed, Kinds kinds,
                  const Words& names) {
    const std::size_t colon = typed.find(':');
    if (colon == typed.npos) {
        for (const Operation* operation : allOperations()) {
            const OperationDescription& d = operation->description();
            const Kinds own = d.kind == OperationKind::Filter ? Kinds::Filters : Kinds::Analyses;
            if (kinds != Kinds::All && kinds != own) continue;
            choices.add(fmt::format("{}{}", prefix, d.id), d.summary);
            if (!d.parameters.empty() || d.variants.size() > 1)
                choices.add(fmt::format("{}{}:", prefix, d.id), "with parameters");
        }
        return;
    }
    const Operation* operation = findOperation(typed.substr(0, colon));
    if (!operation) return;
    const OperationDescription& d = operation->description();
    // A colon is also in step:NAME.
    const std::size_t comma = typed.rfind(',');
    const std::string_view before = typed.substr(0, (comma == typed.npos ? colon : comma) + 1);
    const std::string_view piece = typed.substr(before.size());
    const std::size_t equals = piece.find('=');
    if (equals == piece.npos) {
        const auto addName = [&](std::string_view id, std::string_view help) {
            const bool there = typed.find(fmt::format(":{}=", id)) != typed.npos ||
                               typed.find(fmt::format(",{}=", id)) != typed.npos;
            if (!there) choices.add(fmt::format("{}{}{}=", prefix, before, id), help);
        };
        for (const ParamSpec& spec : d.parameters) addName(spec.id, spec.help);
        if (d.variants.size() > 1) addName("variant", "the algorithm");
        return;
    }
    const std::string_view id = piece.substr(0, equals);
    const auto addValue = [&](std::string_view value, std::string_view help) {
        choices.add(fmt::format("{}{}{}={}", prefix, before, id, value), help);
    };
    for (const ParamSpec& spec : d.parameters) {
        if (spec.id != id) continue;
        for (const ChoiceSpec& choice : spec.choices) addValue(choice.id, choice.help);
        for (const PresetSpec& preset : spec.presets) addValue(preset.id, {});
        if (spec.kind != ParamKind::Image) continue;
        addValue("source", "the image that comes in");
        addValue("second", "the image of --second");
        if (names.empty()) addValue("step:", "an earlier step that has a name");
        for (const std::string& name : names) addValue("step:" + name, "an earlier step");
    }
    if (id == "variant")
        for (const VariantSpec& variant : d.variants) addValue(variant.id, variant.help);
}

void addValues(Completion& completion, const CLI::App& command, const CLI::Option& option,
               const std::string& prefix, const std::string& typed, const Words& earlier) {
    Choices choices(completion, prefix + typed);
    const std::string type = option.get_type_name();
    const auto addListed = [&](const Words& known) {
        for (const std::string& one : known)
            choices.add(fmt::format("{}{}{}", prefix, upTo(typed, ","), one));
    };
    if (type.starts_with("STEP")) {
        addStepWords(choices, prefix, typed,
                     command.get_name() == "bench" ? Kinds::All : Kinds::Filters,
                     stepNamesIn(earlier));
    } else if (type.starts_with("ANALYSIS")) {
        addStepWords(choices, prefix, typed, Kinds::Analyses, {});
    } else if (type.starts_with("OPS")) {
        Words ids{"all"};
        for (const Operation* operation : allOperations())
            ids.push_back(operation->description().id);
        addListed(ids);
    } else if (type.starts_with("BACKENDS")) {
        addListed({"cpu-single", "cpu", "cuda"});
    } else if (const Words values = valuesIn(type); !values.empty()) {
        for (const std::string& value : values) choices.add(prefix + value);
    } else {
        completion.files = type.starts_with("TEXT") || type.starts_with("FILE");
    }
}

bool takesValue(const CLI::Option& option) {
    return option.get_expected_max() > 0 && option.get_type_size_max() > 0;
}

const CLI::Option* findOption(const CLI::App& command, const std::string& word) {
    for (const CLI::Option* option : command.get_options())
        if (option->check_name(word)) return option;
    return nullptr;
}

void addOptions(Completion& completion, const CLI::App& command, const std::string& typed) {
    Choices choices(completion, typed);
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames())
            choices.add("--" + name, option->get_description());
}

constexpr const char* kBash =
    R"(# bash completion of warpscope-cli; the program says what may follow.
_warpscope_cli() {
    local line=${COMP_LINE:0:COMP_POINT} word help files= typed prefix
    local -a words
    # Not COMP_WORDS, which bash cuts at = and :.
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    typed=${words[${#words[@]}-1]}
    # What bash takes for words before this one is not inserted again.
    prefix=${typed%"${typed##*[=:]}"}
    [[ $COMP_WORDBREAKS == *[=:]* ]] || prefix=
    COMPREPLY=()
    while IFS=$'\t' read -r word help; do
        if [[ $word == :files ]]; then files=yes; else COMPREPLY+=("${word#"$prefix"}"); fi
    done < <("${words[0]}" complete "${words[@]:1}" 2>/dev/null)
    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[=:] ]]; then compopt -o nospace 2>/dev/null; fi
    if [[ $files ]]; then compopt -o default 2>/dev/null; fi
    return 0
}
complete -F _warpscope_cli warpscope-cli
)";

constexpr const char* kZsh = R"(#compdef warpscope-cli
# zsh completion of warpscope-cli; the program says what may follow.
_warpscope_cli() {
    local line word help files=0
    local -a lines open closed openHelp closedHelp
    lines=("${(@f)$("${(Q)words[1]}" complete "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
    for line in "${lines[@]}"; do
        word=${line%%$'\t'*}
        help=${line#*$'\t'}
        if [[ $word == :files ]]; then files=1
        elif [[ $word == *[=:] ]]; then open+=("$word"); openHelp+=("$word  $help")
        elif [[ -n $word ]]; then closed+=("$word"); closedHelp+=("$word  $help")
        fi
    done
    (( ${#open} )) && compadd -l -S '' -d openHelp -a open
    (( ${#closed} )) && compadd -l -d closedHelp -a closed
    (( files )) && _files
}
if [[ ${funcstack[1]} == _warpscope-cli ]]; then _warpscope_cli "$@"; else compdef _warpscope_cli warpscope-cli; fi
)";

constexpr const char* kFish =
    R"(# fish completion of warpscope-cli; the program says what may follow.
function __warpscope_cli_complete
    set -l words (commandline -opc)
    set -l program $words[1]
    set -e words[1]
    for line in ($program complete $words (commandline -ct) 2>/dev/null)
        if test "$line" = :files
            __fish_complete_path (commandline -ct)
        else
            printf '%s\n' $line
        end
    end
end
complete -c warpscope-cli -f -a '(__warpscope_cli_complete)'
)";

}  // namespace

Completion completionOf(const CLI::App& app, const Words& words) {
    Completion completion;
    if (words.empty()) return completion;
    const std::string& typed = words.back();
    const auto named = [&](const CLI::App* command) {
        return words.size() == 1 || command->get_name() == words.front();
    };
    const auto commands = app.get_subcommands(std::function<bool(const CLI::App*)>(named));
    if (words.size() == 1) {
        Choices choices(completion, typed);
        for (const CLI::App* command : commands)
            choices.add(command->get_name(), command->get_description());
        if (typed.starts_with('-')) addOptions(completion, app, typed);
        return completion;
    }
    if (commands.empty()) return completion;
    const CLI::App& command = *commands.front();
    const Words earlier(words.begin(), words.end() - 1);
    const CLI::Option* before =
        words.size() > 2 ? findOption(command, words[words.size() - 2]) : nullptr;
    if (before && takesValue(*before)) {
        addValues(completion, command, *before, {}, typed, earlier);
    } else if (const std::size_t equals = typed.find('=');
               typed.starts_with("--") && equals != typed.npos) {
        const CLI::Option* option = findOption(command, typed.substr(0, equals));
        if (option && takesValue(*option))
            addValues(completion, command, *option, typed.substr(0, equals + 1),
                      typed.substr(equals + 1), earlier);
    } else if (typed.starts_with('-')) {
        addOptions(completion, command, typed);
    } else {
        for (const CLI::Option* option : command.get_options())
            if (option->get_positional())
                addValues(completion, command, *option, {}, typed, earlier);
    }
    return completion;
}

std::string completionText(const Completion& completion) {
    std::string text;
    for (const Candidate& one : completion.candidates)
        text += one.help.empty() ? one.text + "\n"
                                 : fmt::format("{}\t{}\n", one.text, io::cleanText(one.help, 100));
    if (completion.files) text += ":files\n";
    return text;
}

void addCompletion(CLI::App& app, int& exitCode) {
    auto shell = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand("completion", "Print the completion script of a shell");
    command->add_option("SHELL", *shell, "Shell to complete in")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    command->callback([shell, &exitCode] {
        const char* script = *shell == "bash" ? kBash : *shell == "zsh" ? kZsh : kFish;
        if (auto written = writeOutput(script, ""); !written) exitCode = failWith(written.error());
    });
}

}  // namespace warpscope::cli
