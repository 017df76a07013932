// Runs operations in tests as programs do: parameters from text, plan, body.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/operations/operation.h"

namespace warpscope::test {

using TextParameters = std::vector<std::pair<std::string, std::string>>;

// These throw std::runtime_error with the message of the error.
PlanRequest requestFor(const Operation& operation, const TextParameters& parameters,
                       PixelFormat format, Size size,
                       const std::string& variant = std::string(kAutomaticVariant));
PlanPtr planFor(const Operation& operation, const TextParameters& parameters, PixelFormat format,
                Size size, const std::string& variant = std::string(kAutomaticVariant));
// For a part of an image of `whole` pixels.
PlanPtr planForPart(const Operation& operation, const TextParameters& parameters,
                    PixelFormat format, const Rect& part, Size whole);
// Compares `window` of the output with what the input that it needs makes of it.
void comparePart(const Operation& operation, const TextParameters& parameters, const Image& image,
                 const Rect& window);
Image runOn(const Operation& operation, const TextParameters& parameters, const Image& image,
            Threading threading = Threading::Single);
Image runVariant(const Operation& operation, const std::string& variant,
                 const TextParameters& parameters, const Image& image,
                 Threading threading = Threading::Single);
// The image, and where the plan takes a second one, noise of the same shape.
StepImages imagesFor(const Plan& plan, const Image& image);
// `second`: instead of what imagesFor() takes.
Image runPlan(const Plan& plan, const Image& image, Threading threading = Threading::Single,
              const Image& second = {});

// Calls `body` with each instruction set forced in turn, and with its name; the best one is back
// afterwards, also if `body` throws.
void forEachVectorTarget(const std::function<void(const std::string&)>& body);

}  // namespace warpscope::test
