// The plan of an operation, as what it is.
#pragma once

#include "engine/operations/registry.h"
#include "support/operation_run.h"

namespace warpscope::test {

// Keeps the plan alive.
template <class P>
struct Planned {
    PlanPtr plan;
    const P& operator*() const { return static_cast<const P&>(*plan); }
    const P* operator->() const { return &**this; }
};

template <class P>
Planned<P> planned(const char* operation, const TextParameters& parameters, PixelFormat format,
                   Size size) {
    return {planFor(*findOperation(operation), parameters, format, size)};
}

}  // namespace warpscope::test
