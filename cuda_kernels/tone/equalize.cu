// Equalization of 8-bit images without the host: counting makes the tables with its last block
// (counting.cu), the kernel that applies them follows on the same stream. 16 bits:
// equalize_wide.cu.
#include "cuda_kernels/analysis/counting.h"
#include "cuda_kernels/runtime/kernel_support.cuh"
#include "cuda_kernels/tone/equalize_paths.h"

namespace warpscope::cuda {
namespace {

constexpr unsigned kThreads = 512;
constexpr int kInFlight = 4;  // 16-byte loads a thread
constexpr int kLevels = 256;

// A table of 256 bytes once for each of the 32 banks: word k / 4 of lane l lies at k / 4 * 32 + l,
// so that lookups of a warp never meet in a bank.
struct BankedTable {
    static constexpr unsigned kWords = kLevels / 4 * 32;
    const std::uint8_t* lane;

    __device__ BankedTable(std::uint32_t* words)
        : lane(reinterpret_cast<const std::uint8_t*>(words + threadIdx.x % 32)) {}
    __device__ static void fill(std::uint32_t* words, const std::uint8_t* table) {
        for (unsigned i = threadIdx.x; i < kWords; i += kThreads)
            words[i] = reinterpret_cast<const std::uint32_t*>(table)[i / 32];
    }
    __device__ std::uint32_t operator[](std::uint32_t k) const {
        return lane[(k >> 2) * 128 + (k & 3)];
    }
};

struct GrayMapping {
    static constexpr unsigned kSharedWords = BankedTable::kWords;
    BankedTable table;
    __device__ GrayMapping(std::uint32_t* shared, const std::uint8_t* tables) : table(shared) {
        BankedTable::fill(shared, tables);
    }
    __device__ std::uint32_t word(std::uint32_t word) const {  // four gray pixels
        return table[byteOf(word, 0)] | table[byteOf(word, 1)] << 8 | table[byteOf(word, 2)] << 16 |
               table[byteOf(word, 3)] << 24;
    }
};

struct EachMapping {
    static constexpr unsigned kSharedWords = 3 * BankedTable::kWords;
    BankedTable red, green, blue;
    __device__ EachMapping(std::uint32_t* shared, const std::uint8_t* tables)
        : red(shared), green(shared + BankedTable::kWords), blue(shared + 2 * BankedTable::kWords) {
        for (int channel = 0; channel < 3; ++channel)
            BankedTable::fill(shared + channel * BankedTable::kWords, tables + channel * kLevels);
    }
    __device__ std::uint32_t word(std::uint32_t word) const {  // one colour pixel
        return red[byteOf(word, 0)] | green[byteOf(word, 1)] << 8 | blue[byteOf(word, 2)] << 16 |
               (word & 0xff000000u);
    }
};

// R' = min(255, (2 R t + Y) / (2 Y)). The quotient is a product: the dividend is below 2^17 and
// f = ceil(2^32 / 2Y) is too large by less than 2Y / 2^32 of itself, so that the error stays below
// 2^17 2^9 / 2^32 of a step and the floor is exact.
struct LumaMapping {
    static constexpr unsigned kCopies = 8;
    static constexpr unsigned kSharedWords = kLevels * kCopies * 2;
    const uint2* lane;  // {2 t, f} of level k at k * kCopies
    __device__ LumaMapping(std::uint32_t* shared, const std::uint8_t* tables)
        : lane(reinterpret_cast<const uint2*>(shared) + threadIdx.x % kCopies) {
        for (unsigned i = threadIdx.x; i < kLevels * kCopies; i += kThreads) {
            const std::uint32_t y = i / kCopies;
            const std::uint32_t factor = y ? 0xffffffffu / (2 * y) + 1 : 0;
            reinterpret_cast<uint2*>(shared)[i] = {2u * tables[y], factor};
        }
    }
    __device__ std::uint32_t word(std::uint32_t word) const {
        const std::uint32_t r = byteOf(word, 0), g = byteOf(word, 1), b = byteOf(word, 2);
        const std::uint32_t y = luma(r, g, b);
        const uint2 entry = lane[y * kCopies];
        const auto scaled = [&](std::uint32_t v) {
            return min(255u, __umulhi(v * entry.x + y, entry.y));
        };
        const std::uint32_t mapped =
            scaled(r) | scaled(g) << 8 | scaled(b) << 16 | (word & 0xff000000u);
        return y ? mapped : word;
    }
};

template <class Mapping>
__global__ void __launch_bounds__(kThreads)
    applyKernel(DeviceImage in, DeviceImage out, Pieces pieces, const std::uint8_t* tables) {
    __shared__ alignas(16) std::uint32_t shared[Mapping::kSharedWords];
    const Mapping mapping(shared, tables);
    __syncthreads();
    const std::uint32_t step = gridDim.x * kThreads;
    for (std::uint32_t first = blockIdx.x * kThreads + threadIdx.x; first < pieces.count;
         first += step * kInFlight) {
        uint4 loaded[kInFlight];
        std::byte* target[kInFlight];
#pragma unroll
        for (int k = 0; k < kInFlight; ++k) {
            const std::uint32_t i = first + unsigned(k) * step;
            target[k] = nullptr;
            if (i >= pieces.count) continue;
            const std::uint32_t row = pieces.perRow(i);
            const std::int64_t offset = std::int64_t(i - row * pieces.perRow.divisor) * 16;
            loaded[k] = *reinterpret_cast<const uint4*>(in.data + row * in.pitch + offset);
            target[k] = out.data + row * out.pitch + offset;
        }
#pragma unroll
        for (int k = 0; k < kInFlight; ++k) {
            if (!target[k]) continue;
            // Whatever stands in the padding of a row is mapped too; nobody looks at it.
            *reinterpret_cast<uint4*>(target[k]) = {
                mapping.word(loaded[k].x), mapping.word(loaded[k].y), mapping.word(loaded[k].z),
                mapping.word(loaded[k].w)};
        }
    }
}

template <class Mapping>
void apply(KernelContext& context, const DeviceImage& in, const DeviceImage& out) {
    const unsigned most = unsigned(context.traits().multiprocessors) * 4;
    const int bandRows = context.rowsPerLaunch(2 * in.pitch, std::int64_t(in.size.width) * 8);
    context.forEachBand(in.size.height, bandRows, [&](int first, int last) {
        const Pieces pieces = Pieces::of(in.size.width, last - first, 16 / bytesPerPixel(in.format),
                                         isPacked(in) && isPacked(out));
        launch(context, "equalize", min(most, divideUp(pieces.count, kThreads)), kThreads, 0,
               applyKernel<Mapping>, rowsOf(in, first, last), rowsOf(out, first, last), pieces,
               static_cast<const std::uint8_t*>(context.device().counting()->tables));
    });
}

struct TableBytes {
    std::uint32_t words[3 * kLevels / 4];
};

__global__ void storeTablesKernel(const __grid_constant__ TableBytes from, std::uint8_t* tables) {
    reinterpret_cast<std::uint32_t*>(tables)[threadIdx.x] = from.words[threadIdx.x];
}

void storeTables(KernelContext& context, const EqualizeTables& frozen) {
    TableBytes bytes{};
    auto* to = reinterpret_cast<std::uint8_t*>(bytes.words);
    const std::vector<std::uint8_t>* tables[] = {&frozen.red, &frozen.green, &frozen.blue};
    for (const auto* table : tables) {
        for (std::size_t k = 0; k < table->size() && k < kLevels; ++k) to[k] = (*table)[k];
        to += kLevels;
    }
    launch(context, "store tables", 1, 3 * kLevels / 4, 0, storeTablesKernel, bytes,
           static_cast<std::uint8_t*>(context.device().counting()->tables));
}

Result<void> supports(const Plan& plan) {
    if (bytesPerSample(plan.input) <= 2) return {};
    return fail(ErrorCode::Unsupported, "the GPU equalizes 8 and 16-bit images, not " +
                                            std::string(formatName(plan.input)));
}

void run(KernelContext& context, const Plan& plan, const DeviceImage& in, const DeviceImage& out) {
    const auto& equalize = static_cast<const EqualizePlan&>(plan);
    if (bytesPerSample(in.format) == 2) return runEqualizeWide(context, equalize, in, out);
    const bool color = isColor(in.format);
    const bool each = color && equalize.channels == EqualizeChannels::Each;
    if (equalize.frozen) {
        storeTables(context, *equalize.frozen);
    } else {
        const ChannelSet channels = each ? ChannelSet{false, true, true, true} : ChannelSet{};
        countEightBit(context, in, channels,
                      equalize.mapping == EqualizeMapping::Full ? CountingResult::FullTable
                                                                : CountingResult::ClassicTable,
                      nullptr);
    }
    if (!color)
        apply<GrayMapping>(context, in, out);
    else if (each)
        apply<EachMapping>(context, in, out);
    else
        apply<LumaMapping>(context, in, out);
}

std::vector<ParamSet> warmUps() {
    std::vector<ParamSet> sets;
    for (const char* channels : {"luma", "each"})
        sets.emplace_back().set("channels", std::string(channels));
    return sets;
}

}  // namespace

extern const CudaRunner cudaRunner_equalize;
const CudaRunner cudaRunner_equalize{"equalize", supports, run, nullptr, warmUps};

}  // namespace warpscope::cuda
