// A small C++17 face of bitmesh.h: memory is given back by itself, failures are exceptions.
//
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef BITMESH_HPP
#define BITMESH_HPP

#include <bitmesh.h>

#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace bitmesh {

// Why a question has no answer: a message for people and a stable code for programs, which may be empty.
class Failure : public std::runtime_error {
public:
    explicit Failure(const bitmesh_error &error) : std::runtime_error(error.message), code_(error.code) {}
    const std::string &code() const noexcept { return code_; }

private:
    std::string code_;
};

enum class Verdict { undecided = BITMESH_UNDECIDED, winnable = BITMESH_WINNABLE, unwinnable = BITMESH_UNWINNABLE };

struct Decision {
    Verdict verdict;
    std::uint32_t plies;                // of the line, for a winnable side
    std::vector<std::uint8_t> evidence; // a line or a certificate; empty for an undecided side
};

// All layers at a glance.
inline bitmesh_verdicts analyze(std::string_view position) {
    bitmesh_verdicts verdicts{};
    bitmesh_error error{};
    verdicts.interface_version = BITMESH_INTERFACE;
    if (bitmesh_analyze(position.data(), position.size(), &verdicts, &error) != BITMESH_OK) throw Failure(error);
    return verdicts;
}

// Keeps the memory of its searches: one for each thread.
class Decider {
public:
    explicit Decider(std::uint32_t effort = 400000) : decider_(bitmesh_decider_new(effort)) {
        if (!decider_) throw std::bad_alloc();
    }

    // Can `winner` (BITMESH_WHITE, BITMESH_BLACK) still give mate?
    Decision decide(std::string_view position, std::int32_t winner) {
        bitmesh_decision decision{};
        bitmesh_error error{};
        Bytes bytes;
        decision.interface_version = BITMESH_INTERFACE;
        if (bitmesh_decide(decider_.get(), position.data(), position.size(), winner, &decision, &bytes.raw,
                           &error) != BITMESH_OK) {
            throw Failure(error);
        }
        return {static_cast<Verdict>(decision.verdict), decision.plies, bytes.copy()};
    }

private:
    struct End {
        void operator()(bitmesh_decider *decider) const noexcept { bitmesh_decider_free(decider); }
    };
    struct Bytes {
        bitmesh_bytes raw{};
        Bytes() = default;
        Bytes(const Bytes &) = delete;
        Bytes &operator=(const Bytes &) = delete;
        ~Bytes() { bitmesh_bytes_free(&raw); }
        std::vector<std::uint8_t> copy() const {
            return raw.length == 0 ? std::vector<std::uint8_t>() : std::vector<std::uint8_t>(raw.data, raw.data + raw.length);
        }
    };
    std::unique_ptr<bitmesh_decider, End> decider_;
};

// Whether evidence about this position is verified.
inline bool is_verified(const std::vector<std::uint8_t> &evidence, std::string_view position) {
    bitmesh_error error{};
    const std::int32_t status =
        bitmesh_verify(evidence.data(), evidence.size(), position.data(), position.size(), nullptr, &error);
    if (status < 0) throw Failure(error);
    return status == BITMESH_OK;
}

} // namespace bitmesh

#endif
