// Views with a type for every field: what your seat may know (SPEC 10.3, 11.11, 12.11).
// Made from the field tables of the games by python -m tests.sample_bots.views --write.
//
//     const View view = read_view(request.view);
//     if (const auto* tricks = std::get_if<TrickView>(&view); tricks && tricks->trump == "R") {
//         std::cerr << tricks->hand.size() << " cards, and red is trump" << std::endl;
//     }
//
// Nil is std::nullopt. Fields that a later server adds are passed over. A view is a copy, which may
// be kept; only `options` points into the message, and is good until the next one comes.

#pragma once

#include <cstddef>
#include <cstdint>
#include <msgpack.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

// The round finished last.
struct PreviousRound {
    // its number, from 1
    int round = 0;
    // its dealer
    int dealer = 0;
    // row 1: its first player
    int first = 0;
    // row 2: the open box
    std::string discard;
    // row 3: a colour letter, or `-` for none
    std::string trump;
    // row 4: a colour letter, or `-` for none
    std::string supertrump;
    // row 5: what a trick and a piece of loot were worth
    int points = 0;
    // the first player's team, ascending
    std::vector<int> team;
    // the seat that held the bonus card; nil with 2 or 4 seats
    std::optional<int> bonus;
    // by seat, the tricks taken
    std::vector<int> tricks_won;
    // by seat, the loot captured
    std::vector<int> loot;
    // by seat, the points of that round alone
    std::vector<int> scored;
    // the seat that led its last trick
    int last_leader = 0;
    // the cards of its last trick, in order of play
    std::vector<std::string> last_trick;
    // the seat that took it
    int last_winner = 0;

    MSGPACK_DEFINE_MAP(round, dealer, first, discard, trump, supertrump, points, team, bonus,
                       tricks_won, loot, scored, last_leader, last_trick, last_winner)
};

// A view of nyet, njet and njet-it.
struct TrickView {
    // the name of the rule set (11.1)
    std::string game;
    // how many sit at the table
    int seats = 0;
    // your seat, from 0
    int seat = 0;
    // every option of 11.7 with the value in force
    msgpack::object options;
    // the round being played, from 1
    int round = 0;
    // the match has at most so many rounds
    int rounds = 0;
    // `tokens`, `team`, `discard` (or pass) or `play`: what is asked for (11.3); `over`
    std::string phase;
    // this round's dealer
    int dealer = 0;
    // the seat that owes a decision; nil in phase `discard`, where all do, and when over
    std::optional<int> turn;
    // by seat, the points of all finished rounds
    std::vector<int> scores;
    // your cards, in the order of 11.10, copies repeated, without those you have chosen to discard
    // or pass
    std::vector<std::string> hand;
    // by seat, the cards held; in phase `discard` still those dealt
    std::vector<int> hand_sizes;
    // the boxes not covered, in the order of 11.10
    std::vector<std::string> open;
    // the boxes covered this round, first to last
    std::vector<std::string> tokens;
    // the seat that placed, or will place, the first token; the others follow clockwise
    int first_token = 0;
    // row 1: the first player; nil until all rows are settled
    std::optional<int> first;
    // row 2: the open box, such as `1x`; nil until settled
    std::optional<std::string> discard;
    // row 3: a colour letter, or `-` for none; nil until settled
    std::optional<std::string> trump;
    // row 4: a colour letter, or `-` for none; nil until settled
    std::optional<std::string> supertrump;
    // row 5: what a trick and a piece of loot are worth; nil until settled
    std::optional<int> points;
    // the first player's team, ascending; all others are the other team; nil until chosen
    std::optional<std::vector<int>> team;
    // the seat that holds the bonus card; nil until chosen, and with 2 or 4 seats
    std::optional<int> bonus;
    // the cards you have discarded or passed this round, as chosen
    std::vector<std::string> given;
    // the cards passed to you this round, once all have chosen
    std::vector<std::string> received;
    // every trick of the round, each its cards in order of play; no trick before phase `play`; in
    // phase `play` the last is the open one, and may be empty
    std::vector<std::vector<std::string>> tricks;
    // for each of `tricks`, the seat that led it
    std::vector<int> leaders;
    // by seat, the tricks taken this round
    std::vector<int> tricks_won;
    // by seat, the loot captured this round (11.6)
    std::vector<int> loot;
    // the round finished last; nil in the first round
    std::optional<PreviousRound> previous;

    static constexpr std::string_view games[] = {"nyet", "njet", "njet-it"};
    MSGPACK_DEFINE_MAP(game, seats, seat, options, round, rounds, phase, dealer, turn, scores, hand,
                       hand_sizes, open, tokens, first_token, first, discard, trump, supertrump,
                       points, team, bonus, given, received, tricks, leaders, tricks_won, loot,
                       previous)
};

// What must be laid.
struct Demand {
    // how many cards
    int count = 0;
    // the letters of the colours, in the order `RGBY`
    std::string colours;

    MSGPACK_DEFINE_MAP(count, colours)
};

// The choice that made a demand.
struct Choice {
    // the seat that made it
    int by = 0;
    // the seat it named
    int to = 0;

    MSGPACK_DEFINE_MAP(by, to)
};

// A turn that a seat has finished.
struct NopeTurn {
    // counted from 1, over the turns of all seats
    int number = 0;
    // of the demand
    int count = 0;
    // of the demand
    std::string colours;
    // how many cards were drawn
    int drawn = 0;
    // each card laid, in order, none being Nope; and the choice for a select, if one was made
    std::vector<std::string> laid;

    void msgpack_unpack(const msgpack::object& list) {
        if (list.type != msgpack::type::ARRAY || list.via.array.size < 4) {
            throw msgpack::type_error();
        }
        const msgpack::object* const at = list.via.array.ptr;
        at[0].convert(number);
        at[1].convert(count);
        at[2].convert(colours);
        at[3].convert(drawn);
        for (std::size_t i = 4; i < list.via.array.size; i++) {
            laid.push_back(at[i].as<std::string>());
        }
    }
    template <typename Packer>
    void msgpack_pack(Packer& out) const {
        out.pack_array(static_cast<std::uint32_t>(4 + laid.size()));
        out.pack(number);
        out.pack(count);
        out.pack(colours);
        out.pack(drawn);
        for (const auto& each : laid) out.pack(each);
    }
};

// A view of nope.
struct NopeView {
    // `nope`
    std::string game;
    // how many sit at the table
    int seats = 0;
    // your seat, from 0
    int seat = 0;
    // every option of 12.8 with the value in force
    msgpack::object options;
    // `lay`: a turn (12.4); `set`: you have begun a set, which only you see yet; `choose`: a select
    // asks for its choice (12.5); `over`
    std::string phase;
    // the dealer; the next seat began
    int dealer = 0;
    // the seat that owes a decision; nil when over
    std::optional<int> turn;
    // turns finished so far, by all seats together
    int turns = 0;
    // your cards, in the order of 12.10, copies repeated
    std::vector<std::string> hand;
    // the cards of your set so far, no longer in `hand`
    std::vector<std::string> chosen;
    // by seat, the cards held, those in `chosen` included
    std::vector<int> hand_sizes;
    // what must be laid (12.3): `{"count":2,"colours":"RG"}`, colours in the order `RGBY`; nil
    // while a choice is open, and when over
    std::optional<Demand> demand;
    // the choice that made this demand: `{"by":0,"to":2}`, the seat that made it and the seat it
    // named; it stays under see-throughs, though another seat plays; nil where a card made it
    std::optional<Choice> choice;
    // the whole discard pile, bottom to top
    std::vector<std::string> discard;
    // how many cards the draw pile has
    int draw_pile = 0;
    // the seats that are out, in the order they went
    std::vector<int> out;
    // cards drawn so far in the turn being taken; in phase `choose` those drawn in the turn that
    // laid the select, 0 if it was opened first; 0 when over
    int drew = 0;
    // by seat, its last four turns, oldest first. A turn is a list: its number, counted from 1 over
    // the turns of all seats as `turns` is; the count and the colours demanded; how many cards were
    // drawn; each card laid, in order, none being Nope; and the choice for a select, if one was
    // made: `[17,2,"RG",0,"SR","to2:3"]`
    std::vector<std::vector<NopeTurn>> recent;
    // by seat, its place, from 1; nil until over
    std::optional<std::vector<int>> places;
    // how the match ended (10.1); nil until over
    std::optional<std::string> ending;

    static constexpr std::string_view games[] = {"nope"};
    MSGPACK_DEFINE_MAP(game, seats, seat, options, phase, dealer, turn, turns, hand, chosen,
                       hand_sizes, demand, choice, discard, draw_pile, out, drew, recent, places,
                       ending)
};

// A view, or neither: of a game that is not known here.
using View = std::variant<std::monostate, TrickView, NopeView>;

// Read the view of a request, by the name of its game. Throws std::runtime_error if it is not as
// SPEC says.
View read_view(const msgpack::object& view);
