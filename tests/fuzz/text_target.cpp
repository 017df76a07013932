// One of the program's own texts, chosen by WARPSCOPE_FUZZ_TEXT: what is accepted can be written
// and is then read as the same.
#include <cstdio>
#include <cstdlib>

#include "engine/pipeline/operation_choice.h"
#include "engine/pipeline/pipeline.h"
#include "engine/report/report_file.h"

using namespace warpscope;

namespace {

void promise(bool kept, const char* what, std::string_view text) {
    if (kept) return;
    std::fprintf(stderr, "broken promise: %s\n%.*s\n", what, int(text.size()), text.data());
    std::abort();
}

void checkError(const Error& error, std::string_view text) {
    promise(error.code != ErrorCode::Internal, "no internal errors", error.message);
    promise(!error.message.empty() && error.message.size() < 2000, "the message is a sentence",
            text);
}

[[maybe_unused]] void pipeline(std::string_view text) {
    const Result<Pipeline> read = pipelineFromJson(text);
    if (!read) return checkError(read.error(), text);
    const std::string written = toJson(*read);
    const Result<Pipeline> again = pipelineFromJson(written);
    promise(again && *again == *read, "a pipeline is read as it was written", written);
}

[[maybe_unused]] void timings(std::string_view text) {
    const Result<TimingReport> read = parseTimings(text);
    if (!read) return checkError(read.error(), text);
    const std::string written = toJson(*read);
    const Result<TimingReport> again = parseTimings(written);
    promise(again && toJson(*again) == written, "timings are read as they were written", written);
    const std::string lines = toJsonLines(*read);
    promise(parseTimings(lines).has_value(), "lines are read too", lines);
}

[[maybe_unused]] void step(std::string_view text) {
    const Result<Step> read = parseStep(text);
    if (read) {
        const std::string written = toText(*read);
        const Result<Step> again = parseStep(written);
        promise(again && *again == *read, "a step is read as it was written", written);
    } else {
        checkError(read.error(), text);
    }
    const Result<Step> choice = parseChoice(text);
    promise(!read || choice, "what is a step is a choice", text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    WARPSCOPE_FUZZ_TEXT(std::string_view(reinterpret_cast<const char*>(data), size));
    return 0;
}
