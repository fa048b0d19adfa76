// A bot: hello, then an action for every request, until bye. Your idea goes into decide.cpp.
//
// SPEC.md tells all of it; `arena spec` prints it. wire/ has the connection, the frames and the
// messages; they need no change for a new idea.

#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <optional>
#include <string>
#include <thread>

#include "decide.hpp"
#include "wire/connection.hpp"

namespace {

// SPEC 4.8: whether all went well, so that the exit code is 0.
bool is_well(std::string_view reason) {
    return reason == "done" || reason == "stopping" || reason == "replaced";
}

// SPEC 2.5: whether a bot that dials in may come again.
bool may_come_again(std::string_view reason) {
    return reason == "lost" || reason == "stopping" || reason == "hung" || reason == "token-in-use";
}

// One session; gives the reason of its bye.
std::string play() {
    Link link{std::getenv("ARENA_CONNECT")};
    link.send_hello(std::getenv("ARENA_TOKEN"));
    while (true) {
        const msgpack::object& message = link.receive();
        const std::string_view type = text(field(message, "type"));
        if (type == "request") {
            const Request request = read_request(message);
            link.send_action(request, decide(request));
        } else if (type == "fault") {
            // SPEC 4.6: the rule that we broke, in words. Standard error is kept for us.
            std::cerr << "fault: " << message.as<Fault>().text << std::endl;
        } else if (type == "bye") {
            // SPEC 4.8: the server hangs up, and gives its reason.
            const Bye bye = message.as<Bye>();
            std::cerr << "bye: " << bye.text << std::endl;
            return std::string{bye.reason};
        }
        // SPEC 4: every other message may be passed over, also a type that is new to us.
    }
}

// The seconds in ARENA_RETRY_S; nothing where it is not set: only a bot that dials in has it.
std::optional<std::chrono::seconds> retry_after() {
    const char* given = std::getenv("ARENA_RETRY_S");
    if (given == nullptr) return std::nullopt;
    char* end = nullptr;
    const long seconds = std::strtol(given, &end, 10);
    if (end == given || *end != '\0' || seconds < 0 || seconds > 86400) {
        throw std::runtime_error("ARENA_RETRY_S is \"" + std::string{given} +
                                 "\"; expected a number of seconds (SPEC 2.5)");
    }
    return std::chrono::seconds{seconds};
}

}  // namespace

int main() try {
    const auto retry = retry_after();
    while (true) {
        std::string reason;
        try {
            reason = play();
        } catch (const Lost& error) {
            std::cerr << "the session ends: " << error.what() << std::endl;
            reason = "lost";
        }
        if (!retry || !may_come_again(reason)) return is_well(reason) ? 0 : 1;
        std::this_thread::sleep_for(*retry);
    }
} catch (const std::exception& error) {
    std::cerr << "the bot ends: " << error.what() << std::endl;
    return 1;
}
