// Where tests take chance from: fresh at every run, and the same again with WARPSCOPE_SEED.
#pragma once

#include <QRandomGenerator>
#include <cstdint>

namespace warpscope::test {

// The next of a series whose own seed is printed before its first one, to stderr.
// WARPSCOPE_SEED=NUMBER repeats a series for the same test functions in the same order.
std::uint32_t freshSeed();

// In place of QRandomGenerator::global(), for one thread: seeded with a fresh seed at its first
// use.
QRandomGenerator* freshRandom();

}  // namespace warpscope::test
