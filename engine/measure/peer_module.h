// The seam to another library that is timed beside ours: plain C, so that its module shares no
// type, no exception and no allocator with the program. A module is a file `warpscope-peer-NAME.so`
// with one function, warpscope_peer.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

enum { WARPSCOPE_PEER_VERSION = 3 };

// Samples of an image; rows `pitch` bytes apart; 1 or 4 channels (R, G, B, A) of sample_bytes:
// unsigned integers of 1, 2 or 4 bytes, or floats of 4.
typedef struct {
    void* data;
    long long pitch;
    int width;
    int height;
    int channels;
    int sample_bytes;
    int is_float;  // 1 or 0
} WarpscopePeerImage;

typedef struct {
    const char* id;
    double number;     // of integers and reals
    const char* text;  // of choices, and of matrices and points as they are written; else null
} WarpscopePeerParameter;

typedef struct {
    const char* operation;  // as warpscope calls it
    const WarpscopePeerParameter* parameters;
    int parameter_count;
    WarpscopePeerImage input;   // data may be null where only the shape is asked about
    WarpscopePeerImage output;  // its shape alone; all 0 where the operation counts
    // As `input`, where the operation takes two; else all 0.
    WarpscopePeerImage second;
    // Where all colours of 8 bits go through one table: 256 new levels; else null.
    const unsigned char* levels;
} WarpscopePeerTask;

// What a library on a GPU has beside `run`. Images of the device are the module's own.
typedef struct {
    const char* device;     // its name
    long long cache_bytes;  // of its L2 cache
    // A copy on the device, ready when it returns; null: failed.
    void* (*upload)(const WarpscopePeerImage* image);
    void (*release)(void* image);
    // `seconds`: of operations that take two, as many as inputs; else null.
    // Does the task `runs` times on the inputs in turn, from number `first` on, results to as many
    // places in turn. ms: of one run, between one pair of events. graph: 1 if all were one graph,
    // else they were queued one by one. The last result is kept. 0: done; else failed.
    int (*time)(const WarpscopePeerTask* task, void* const* inputs, void* const* seconds, int count,
                long long first, int runs, double* ms, int* graph);
} WarpscopePeerGpu;

typedef struct {
    int version;        // WARPSCOPE_PEER_VERSION
    const char* id;     // "opencv"
    const char* label;  // "OpenCV 4.6.0"
    // 1 if it can do this task, which computes what the operation computes or as near as the
    // library comes.
    int (*supports)(const WarpscopePeerTask* task);
    // Does the task on so many threads (0: all) and keeps the result. This alone is timed. 0: done;
    // else failed. Null in a module that works on a GPU.
    int (*run)(const WarpscopePeerTask* task, int threads);
    // The kept result: samples into output, whose shape must fit; or counts of 256 bins. 0: done;
    // else failed.
    int (*fetch)(const WarpscopePeerImage* output);
    int (*fetch_counts)(unsigned long long* bins);
    // Null in a module that works on the CPU.
    const WarpscopePeerGpu* gpu;
} WarpscopePeer;

typedef const WarpscopePeer* (*WarpscopePeerEntry)(void);

#ifdef __cplusplus
}
#endif
