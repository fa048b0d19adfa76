// A bot that plays any legal action, in every game. Your idea goes into `choose`.
//
// What comes and goes is told in SPEC.md; `arena spec` prints it. wire.hpp has the connection,
// the frames and the messages.

#include <chrono>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <random>
#include <string>
#include <thread>

#include "wire.hpp"

// YOUR IDEA GOES HERE: give one of `request.legal`, which is never empty.
//
// `request.view` is all that your seat may know (SPEC 10.3), decoded:
//     for (const auto& card : entries(field(request.view, "hand"))) std::cerr << text(card);
// `request.time_us` is how long you have, in microseconds (SPEC 6.2).
std::string_view choose(const Request& request) {
    static std::minstd_rand random{std::random_device{}()};
    std::uniform_int_distribution<std::size_t> any{0, request.legal.size() - 1};
    return request.legal[any(random)];
}

// SPEC 4.8: the reasons of a bye after which all is well, and SPEC 2.5: those after which a bot
// that dials in may come again.
bool is_well(std::string_view reason) {
    return reason == "done" || reason == "stopping" || reason == "replaced";
}

bool comes_again(std::string_view reason) {
    return reason == "stopping" || reason == "hung" || reason == "token-in-use";
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
            link.send_action(request, choose(request));
        } else if (type == "fault") {
            // SPEC 4.6: what we did wrong, in words. Standard error is kept for us.
            std::cerr << "fault: " << text(field(message, "text")) << std::endl;
        } else if (type == "bye") {
            // SPEC 4.8: the server hangs up, and says why.
            std::cerr << "bye: " << text(field(message, "text")) << std::endl;
            return std::string{text(field(message, "reason"))};
        }
        // SPEC 4: everything else may be passed over, also what is not invented yet.
    }
}

int main() {
    // SPEC 2.5: only bots that dial in have this; others end with their connection.
    const char* retry = std::getenv("ARENA_RETRY_S");
    while (true) {
        bool well = false, again = true;
        try {
            const std::string reason = play();
            well = is_well(reason);
            again = comes_again(reason);
        } catch (const std::exception& error) {
            std::cerr << "the session ends: " << error.what() << std::endl;
        }
        if (retry == nullptr || !again) return well ? 0 : 1;
        std::this_thread::sleep_for(std::chrono::seconds{std::atoi(retry)});
    }
}
