// The pictures on an operation's page: what goes in and what comes out, of a small part of the
// sample scene; of an analysis a drawing of what it finds. In integers, so that every machine makes
// the same as far as the operation's agreement rule goes.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/backend/backend.h"
#include "engine/operations/operation.h"

namespace warpscope {

// By names: those of OperationPictureMaker, and of files without ".png".
struct OperationPictures {
    std::string before;
    // Of operations with two inputs.
    std::optional<std::string> second;
    std::string after;
    // Through what the part of the scene went before; in the syntax of a step, empty for nothing.
    std::string prepared;
    // What was done, in the same syntax: the defaults, or the example of the description.
    std::string step;
    // The samples are numbers, such as those of objects, which were given colours.
    bool falseColours = false;
    // Of an analysis: what is drawn.
    std::string legend = {};
};

// Nothing for an analysis that nobody has drawn yet.
std::optional<OperationPictures> picturesOf(const Operation& operation);

// Of all operations, each name once.
std::vector<std::string> operationPictureNames();

// Keeps the scene from one picture to the next. Used by one thread at a time.
class OperationPictureMaker {
  public:
    OperationPictureMaker();

    // 8 bits. A few milliseconds, the first one more. Errors: NotFound; those of the CPU backend.
    Result<Image> make(std::string_view name, const RunContext& context);

  private:
    // Of the scene: 0, or 1, which is what operations with two inputs take as the second.
    Result<Image> part(int number, const RunContext& context);
    Result<Image> input(const Operation& operation, const RunContext& context);
    Result<Image> output(const Operation& operation, const RunContext& context);
    Result<Image> drawing(const Operation& operation, const RunContext& context);

    std::unique_ptr<Backend> m_backend;
    // Made when it is first asked for.
    Image m_scene;
};

}  // namespace warpscope
