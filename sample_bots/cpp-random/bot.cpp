// A bot that plays any legal action, in all four games. Your idea goes into `choose`.
//
// What comes and goes is told in SPEC.md; `arena spec` prints it. wire.hpp has the connection,
// the frames and the messages.

#include <cstdlib>
#include <exception>
#include <iostream>
#include <random>

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

int play() {
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
            // SPEC 4.8: the one way in which a session ends well.
            std::cerr << "bye: " << text(field(message, "text")) << std::endl;
            return 0;
        }
        // SPEC 4: everything else may be passed over, also what is not invented yet.
    }
}

int main() {
    try {
        return play();
    } catch (const std::exception& error) {
        std::cerr << "the bot ends: " << error.what() << std::endl;
        return 1;
    }
}
