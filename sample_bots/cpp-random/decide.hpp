// The functions that choose an action. Give the one of your own in decide.cpp.

#pragma once

#include <random>
#include <string_view>

#include "wire/messages.hpp"

// The bot's answer to a request: one of request.legal.
std::string_view decide(const Request& request);

// An example in high.cpp: take tricks, as cheaply as possible.
std::string_view high(const Request& request);

// Any legal action, by lot.
inline std::string_view by_lot(const Request& request) {
    static std::minstd_rand random{std::random_device{}()};
    std::uniform_int_distribution<std::size_t> any{0, request.legal.size() - 1};
    return request.legal[any(random)];
}
