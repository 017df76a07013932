// Operations that make a pixel of the output from the same pixel of one input or two and nothing
// else.
//
// A body says what is made of a piece, which a thread loads and stores at once. It derives from
// PointwiseBody and has
//   kPixels, kBytesIn, kBytesOut   of a piece: 4, 8 or a multiple of 16 bytes
//   operator()(in, out, place)     on the words of a piece; (in, second, out, place) with kInputs 2
//   begin()                        if a block needs something first (tables in shared memory):
//   gives
//                                  the body to go on with
// mapSamples() makes one of a function of a sample, TableMap such a function of tables.
#pragma once

#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

#include "cuda_kernels/runtime/early_launch.cuh"
#include "cuda_kernels/runtime/launch_grid.h"
#include "cuda_kernels/runtime/sample_loads.cuh"
#include "cuda_kernels/runtime/second_reading.cuh"

namespace warpscope::cuda {

// What a body may have otherwise.
struct PointwiseBody {
    static constexpr int kInputs = 1;
    static constexpr unsigned kThreads = 256;  // of a block; fewer for small images if kBlocks is 0
    static constexpr int kInFlight = 4;        // pieces that a thread loads before it looks at one
    // Blocks a multiprocessor, which go on as long as there are pieces; 0: as many as it takes.
    static constexpr unsigned kBlocks = 0;
    // Blocks that registers of a multiprocessor are to suffice for; 0: the assembler decides.
    static constexpr int kResident = 0;
    static constexpr bool kByRow = false;  // needs the place of a piece
    static constexpr int kWork = 8;        // multiplications a pixel, or what takes as long
    static constexpr int kTableBytes = 0;  // that a pixel may fetch beside its own
};

struct PiecePlace {
    std::uint32_t row;    // of the image
    std::uint32_t piece;  // of the row
};

// All of one size; pieces of both have as many bytes.
template <int N>
struct PointwiseInputs {
    DeviceImage image[N];
};

// kInFlight: pieces that a thread loads before it looks at one. kAgain: the last pieces first
// (second_reading.cuh).
template <class Body, int kInFlight, bool kAgain = false>
__global__ void __launch_bounds__(Body::kThreads, Body::kResident)
    pointwiseKernel(PointwiseInputs<Body::kInputs> in, DeviceImage out, int firstRow, Pieces pieces,
                    unsigned each, Body given) {
    letNextLaunchBegin();
    waitForLaunchBefore();
    constexpr bool kBegins = requires {
        given.begin();
    };
    const auto body = [&] {
        if constexpr (kBegins)
            return given.begin();
        else
            return given;
    }();
    if constexpr (kBegins) __syncthreads();
    // Few blocks take pieces a grid apart, so that all have some; many take neighbours.
    const std::uint32_t step = Body::kBlocks ? gridDim.x * Body::kThreads : blockDim.x;
    const std::uint32_t start = blockIdx.x * (Body::kBlocks ? Body::kThreads : blockDim.x * each);
    const std::uint32_t end =
        Body::kBlocks ? pieces.count : min(pieces.count, start + blockDim.x * each);
    const ReadOnce once;
    for (std::uint32_t first = start + threadIdx.x; first < end; first += step * kInFlight) {
        std::uint32_t loaded[kInFlight][Body::kInputs][Body::kBytesIn / 4];
        PiecePlace place[kInFlight];
        std::byte* target[kInFlight];
#pragma unroll
        for (int k = 0; k < kInFlight; ++k) {
            const std::uint32_t i = first + unsigned(k) * step;
            target[k] = nullptr;
            if (i >= end) continue;
            const std::uint32_t at = kAgain ? pieces.count - 1 - i : i;
            const std::uint32_t row = pieces.perRow(at);
            const std::uint32_t piece = at - row * pieces.perRow.divisor;
#pragma unroll
            for (int n = 0; n < Body::kInputs; ++n) {
                const std::byte* const from = in.image[n].data + row * in.image[n].pitch +
                                              std::int64_t(piece) * Body::kBytesIn;
                if constexpr (kAgain)
                    once.load<Body::kBytesIn>(from, loaded[k][n]);
                else
                    loadWords<Body::kBytesIn>(from, loaded[k][n]);
            }
            target[k] = out.data + row * out.pitch + std::int64_t(piece) * Body::kBytesOut;
            place[k] = {unsigned(firstRow) + row, piece};
        }
#pragma unroll
        for (int k = 0; k < kInFlight; ++k) {
            if (!target[k]) continue;
            // Whatever stands in the padding of a row is worked on too; nobody looks at it.
            std::uint32_t made[Body::kBytesOut / 4] = {};
            if constexpr (Body::kInputs == 1)
                body(loaded[k][0], made, place[k]);
            else
                body(loaded[k][0], loaded[k][1], made, place[k]);
            if constexpr (kAgain)
                once.store<Body::kBytesOut>(target[k], made);
            else
                storeWords<Body::kBytesOut>(target[k], made);
        }
        if constexpr (Body::kBlocks == 0) return;
    }
}

// Loads what large images take, which no tiny one reaches that a device is warmed up with.
template <class Body, bool kAgain = false>
void loadForLargeImages(KernelContext& context) {
    static DeviceAnswers loaded;
    loaded.of(context.traits().index, [] {
        loadKernel(pointwiseKernel<Body, Body::kInFlight, kAgain>);
        return true;
    });
}

// The kernel for `each` pieces a thread. Where that is one, as of small images, which take little
// longer than a launch does, nothing is there to be decided about the others.
template <class Body, bool kAgain>
auto pointwiseKernelFor(KernelContext& context, unsigned each) {
    auto* const several = pointwiseKernel<Body, Body::kInFlight, kAgain>;
    if constexpr (Body::kBlocks == 0 && Body::kInFlight > 1 && !kAgain) {
        if (each == 1) {
            loadForLargeImages<Body>(context);
            return pointwiseKernel<Body, 1>;
        }
    }
    return several;
}

template <class Body, bool kAgain = false>
void runPointwise(KernelContext& context, const char* name,
                  const PointwiseInputs<Body::kInputs>& in, const DeviceImage& out,
                  const Body& body) {
    const Size size = out.size;
    const std::int64_t columns =
        std::int64_t(divideUp(unsigned(size.width), Body::kPixels)) * Body::kPixels;
    std::int64_t rowBytes = out.pitch + columns * Body::kTableBytes;
    bool packed = !Body::kByRow && isPacked(out);
    for (const DeviceImage& image : in.image) {
        rowBytes += image.pitch;
        packed = packed && isPacked(image);
    }
    const int bandRows = context.rowsPerLaunch(rowBytes, columns * Body::kWork);
    const unsigned most = unsigned(context.traits().multiprocessors) * Body::kBlocks;
    context.forEachBand(size.height, bandRows, [&](int first, int last) {
        const Pieces pieces = Pieces::of(size.width, last - first, Body::kPixels, packed);
        LaunchGrid grid{1, Body::kThreads, min(most, divideUp(pieces.count, Body::kThreads))};
        if constexpr (Body::kBlocks == 0)
            grid = launchGrid(pieces.count, context.traits().multiprocessors, Body::kThreads,
                              Body::kInFlight);
        PointwiseInputs<Body::kInputs> rows = in;
        for (DeviceImage& image : rows.image) image = rowsOf(image, first, last);
        launchEarly(context, name, grid.blocks, grid.threads, 0,
                    pointwiseKernelFor<Body, kAgain>(context, grid.each), rows,
                    rowsOf(out, first, last), first, pieces, grid.each, body);
    });
}

template <class Body>
void runPointwise(KernelContext& context, const char* name, const DeviceImage& in,
                  const DeviceImage& out, const Body& body) {
    runPointwise(context, name, PointwiseInputs<1>{{in}}, out, body);
}

// The same of an input that the launch before has read as well, from its beginning to its end.
template <class Body>
void runPointwiseAgain(KernelContext& context, const char* name, const DeviceImage& in,
                       const DeviceImage& out, const Body& body) {
    if (isWorthReadingBackwards(context.traits(), in))
        return runPointwise<Body, true>(context, name, PointwiseInputs<1>{{in}}, out, body);
    loadForLargeImages<Body, true>(context);
    runPointwise(context, name, in, out, body);
}

// ---- functions of a sample ----

template <class Map>
struct TuningOf : PointwiseBody {};
template <class Map>
requires requires {
    typename Map::Tuning;
}
struct TuningOf<Map> : Map::Tuning {};

template <class T, int Channels, class Map>
struct SampleBody : TuningOf<Map> {
    static constexpr int kBytesIn = 16, kBytesOut = 16;
    static constexpr int kPixels = 16 / (Channels * int(sizeof(T)));
    Map map;

    explicit __host__ __device__ SampleBody(const Map& made) : map(made) {}
    __device__ auto begin() const requires requires(const Map& m) { m.template begin<Channels>(); }
    {
        const auto begun = map.template begin<Channels>();
        return SampleBody<T, Channels, std::remove_const_t<decltype(begun)>>(begun);
    }
    __device__ void operator()(const std::uint32_t (&in)[4], std::uint32_t (&out)[4],
                               const PiecePlace&) const {
        constexpr int kBits = 8 * int(sizeof(T));
#pragma unroll
        for (int i = 0; i < 128 / kBits; ++i) {
            const int channel = i % Channels;
            const std::uint32_t sample = sampleOf<T>(in, i);
            out[i * kBits / 32] |= (channel == 3 ? sample : mapped(sample, channel))
                                   << (i * kBits % 32);
        }
    }

  private:
    __device__ std::uint32_t mapped(std::uint32_t sample, int channel) const {
        if constexpr (std::is_floating_point_v<T>)
            return __float_as_uint(map(__uint_as_float(sample), channel));
        else
            return map(sample, channel);
    }
};

// out = map(in, channel) for each sample of T; alpha stays. A map is a number or two and a
// __device__ std::uint32_t operator()(std::uint32_t sample, int channel) const; with float for both
// where T is float.
template <class T, class Map>
void mapSamples(KernelContext& context, const char* name, const DeviceImage& in,
                const DeviceImage& out, const Map& map) {
    if (isColor(in.format))
        runPointwise(context, name, in, out, SampleBody<T, 4, Map>(map));
    else
        runPointwise(context, name, in, out, SampleBody<T, 1, Map>(map));
}

// The same with runPointwiseAgain().
template <class T, class Map>
void mapSamplesAgain(KernelContext& context, const char* name, const DeviceImage& in,
                     const DeviceImage& out, const Map& map) {
    if (isColor(in.format))
        runPointwiseAgain(context, name, in, out, SampleBody<T, 4, Map>(map));
    else
        runPointwiseAgain(context, name, in, out, SampleBody<T, 1, Map>(map));
}

// ---- tables ----

// Tables of one value a level, in device memory; that of a colour begins `stride` values after that
// of the colour before it (0: all have the same).
template <class T>
struct TableMap;

template <>
struct TableMap<std::uint16_t> {
    struct Tuning : PointwiseBody {
        static constexpr int kInFlight = 2;
        static constexpr unsigned kBlocks = 8;
        static constexpr int kWork = 32;
        static constexpr int kTableBytes = 3 * 32;  // a sector for each colour
    };
    const std::uint16_t* tables;
    int stride;

    __device__ std::uint32_t operator()(std::uint32_t sample, int channel) const {
        return tables[std::uint32_t(channel * stride) + sample];
    }
};

// A table lies in shared memory once for each of the 32 banks: word k / 4 of lane l at
// k / 4 * 32 + l, so that look-ups of a warp never meet in a bank.
template <>
struct TableMap<std::uint8_t> {
    struct Tuning : PointwiseBody {
        static constexpr unsigned kThreads = 512;
        static constexpr unsigned kBlocks = 4;
    };
    const std::uint8_t* tables;
    int stride;

    struct Banked {
        using Tuning = TableMap::Tuning;
        static constexpr unsigned kWords = 256 / 4 * 32;
        const std::uint8_t* lane;

        __device__ std::uint32_t operator()(std::uint32_t sample, int channel) const {
            return lane[unsigned(channel) * (4 * kWords) + (sample >> 2) * 128 + (sample & 3)];
        }
    };
    template <int Channels>
    __device__ Banked begin() const {
        constexpr int kTables = Channels == 1 ? 1 : 3;
        __shared__ std::uint32_t words[kTables * Banked::kWords];
#pragma unroll
        for (int table = 0; table < kTables; ++table)
            for (unsigned i = threadIdx.x; i < Banked::kWords; i += Tuning::kThreads)
                words[table * Banked::kWords + i] =
                    reinterpret_cast<const std::uint32_t*>(tables + table * stride)[i / 32];
        return {reinterpret_cast<const std::uint8_t*>(words + threadIdx.x % 32)};
    }
};

// Tables of a plan one after the other in device memory, where they stay for its next runs.
// Multiples of 4 bytes. Throws CudaFailure.
template <class T>
const T* tablesOnDevice(KernelContext& context, const char* name,
                        std::initializer_list<const std::vector<T>*> tables) {
    std::string key = name;
    for (const auto* table : tables)
        key.append(reinterpret_cast<const char*>(table->data()), table->size() * sizeof(T));
    const std::size_t nameBytes = std::string_view(name).size();
    return reinterpret_cast<const T*>(context.device().constants(key, [&] {
        std::vector<std::uint32_t> words((key.size() - nameBytes) / sizeof(std::uint32_t));
        std::memcpy(words.data(), key.data() + nameBytes, words.size() * sizeof(words[0]));
        return words;
    }));
}

}  // namespace warpscope::cuda
