# frozen_string_literal: true

# The views of all games, with a member for each field that SPEC.md lists (11.11, 12.11). Generated
# from the tables of the games by `python -m tests.sample_bots.views --write` in arena's repository.
# Each struct has its members as methods, fits into `case ... in`, and is frozen; fields of a later
# server are passed over.
module Views
  # The round finished last.
  PreviousRound = Struct.new(
    # Integer: its number, from 1.
    :round,
    # Integer: its dealer.
    :dealer,
    # Integer: row 1: its first player.
    :first,
    # String: row 2: the open box.
    :discard,
    # String: row 3: a colour letter, or `-` for none.
    :trump,
    # String: row 4: a colour letter, or `-` for none.
    :supertrump,
    # Integer: row 5: what a trick and a piece of loot were worth.
    :points,
    # Array<Integer>: the first player's team, ascending.
    :team,
    # Integer or nil: the seat that held the bonus card; nil with 2 or 4 seats.
    :bonus,
    # Array<Integer>: by seat, the tricks taken.
    :tricks_won,
    # Array<Integer>: by seat, the loot captured.
    :loot,
    # Array<Integer>: by seat, the points of that round alone.
    :scored,
    # Integer: the seat that led its last trick.
    :last_leader,
    # Array<String>: the cards of its last trick, in order of play.
    :last_trick,
    # Integer: the seat that took it.
    :last_winner,
    keyword_init: true
  ) do
    def self.from(map)
      new(**map.slice(*members)).freeze
    end
  end

  # A view of nyet, njet and njet-it.
  TrickView = Struct.new(
    # String: the name of the rule set (11.1).
    :game,
    # Integer: how many sit at the table.
    :seats,
    # Integer: your seat, from 0.
    :seat,
    # Hash: every option of 11.7 with the value in force.
    :options,
    # Integer: the round being played, from 1.
    :round,
    # Integer: the match has at most so many rounds.
    :rounds,
    # String: `tokens`, `team`, `discard` (or pass) or `play`: what is asked for (11.3); `over`.
    :phase,
    # Integer: this round's dealer.
    :dealer,
    # Integer or nil: the seat that owes a decision; nil in phase `discard`, where all do, and when
    # over.
    :turn,
    # Array<Integer>: by seat, the points of all finished rounds.
    :scores,
    # Array<String>: your cards, in the order of 11.10, copies repeated, without those you have
    # chosen to discard or pass.
    :hand,
    # Array<Integer>: by seat, the cards held; in phase `discard` still those dealt.
    :hand_sizes,
    # Array<String>: the boxes not covered, in the order of 11.10.
    :open,
    # Array<String>: the boxes covered this round, first to last.
    :tokens,
    # Integer: the seat that placed, or will place, the first token; the others follow clockwise.
    :first_token,
    # Integer or nil: row 1: the first player; nil until all rows are settled.
    :first,
    # String or nil: row 2: the open box, such as `1x`; nil until settled.
    :discard,
    # String or nil: row 3: a colour letter, or `-` for none; nil until settled.
    :trump,
    # String or nil: row 4: a colour letter, or `-` for none; nil until settled.
    :supertrump,
    # Integer or nil: row 5: what a trick and a piece of loot are worth; nil until settled.
    :points,
    # Array<Integer> or nil: the first player's team, ascending; all others are the other team; nil
    # until chosen.
    :team,
    # Integer or nil: the seat that holds the bonus card; nil until chosen, and with 2 or 4 seats.
    :bonus,
    # Array<String>: the cards you have discarded or passed this round, as chosen.
    :given,
    # Array<String>: the cards passed to you this round, once all have chosen.
    :received,
    # Array<Array<String>>: every trick of the round, each its cards in order of play; no trick
    # before phase `play`; in phase `play` the last is the open one, and may be empty.
    :tricks,
    # Array<Integer>: for each of `tricks`, the seat that led it.
    :leaders,
    # Array<Integer>: by seat, the tricks taken this round.
    :tricks_won,
    # Array<Integer>: by seat, the loot captured this round (11.6).
    :loot,
    # PreviousRound or nil: the round finished last; nil in the first round.
    :previous,
    keyword_init: true
  ) do
    def self.from(map)
      view = new(**map.slice(*members))
      view.previous = view.previous && PreviousRound.from(view.previous)
      view.freeze
    end
  end

  # What must be laid.
  Demand = Struct.new(
    # Integer: how many cards.
    :count,
    # String: the letters of the colours, in the order `RGBY`.
    :colours,
    keyword_init: true
  ) do
    def self.from(map)
      new(**map.slice(*members)).freeze
    end
  end

  # The choice that made a demand.
  Choice = Struct.new(
    # Integer: the seat that made it.
    :by,
    # Integer: the seat it named.
    :to,
    keyword_init: true
  ) do
    def self.from(map)
      new(**map.slice(*members)).freeze
    end
  end

  # A turn that a seat has finished.
  NopeTurn = Struct.new(
    # Integer: counted from 1, over the turns of all seats.
    :number,
    # Integer: of the demand.
    :count,
    # String: of the demand.
    :colours,
    # Integer: how many cards were drawn.
    :drawn,
    # Array<String>: each card laid, in order, none being Nope; and the choice for a select, if one
    # was made.
    :laid,
    keyword_init: true
  ) do
    def self.from(list)
      number, count, colours, drawn, *laid = list
      new(number: number, count: count, colours: colours, drawn: drawn, laid: laid).freeze
    end
  end

  # A view of nope.
  NopeView = Struct.new(
    # String: `nope`.
    :game,
    # Integer: how many sit at the table.
    :seats,
    # Integer: your seat, from 0.
    :seat,
    # Hash: every option of 12.8 with the value in force.
    :options,
    # String: `lay`: a turn (12.4); `set`: you have begun a set, which only you see yet; `choose`: a
    # select asks for its choice (12.5); `over`.
    :phase,
    # Integer: the dealer; the next seat began.
    :dealer,
    # Integer or nil: the seat that owes a decision; nil when over.
    :turn,
    # Integer: turns finished so far, by all seats together.
    :turns,
    # Array<String>: your cards, in the order of 12.10, copies repeated.
    :hand,
    # Array<String>: the cards of your set so far, no longer in `hand`.
    :chosen,
    # Array<Integer>: by seat, the cards held, those in `chosen` included.
    :hand_sizes,
    # Demand or nil: what must be laid (12.3): `{"count":2,"colours":"RG"}`, colours in the order
    # `RGBY`; nil while a choice is open, and when over.
    :demand,
    # Choice or nil: the choice that made this demand: `{"by":0,"to":2}`, the seat that made it and
    # the seat it named; it stays under see-throughs, though another seat plays; nil where a card
    # made it.
    :choice,
    # Array<String>: the whole discard pile, bottom to top.
    :discard,
    # Integer: how many cards the draw pile has.
    :draw_pile,
    # Array<Integer>: the seats that are out, in the order they went.
    :out,
    # Integer: cards drawn so far in the turn being taken; in phase `choose` those drawn in the turn
    # that laid the select, 0 if it was opened first; 0 when over.
    :drew,
    # Array<Array<NopeTurn>>: by seat, its last four turns, oldest first. A turn is a list: its
    # number, counted from 1 over the turns of all seats as `turns` is; the count and the colours
    # demanded; how many cards were drawn; each card laid, in order, none being Nope; and the choice
    # for a select, if one was made: `[17,2,"RG",0,"SR","to2:3"]`.
    :recent,
    # Array<Integer> or nil: by seat, its place, from 1; nil until over.
    :places,
    # String or nil: how the match ended (10.1); nil until over.
    :ending,
    keyword_init: true
  ) do
    def self.from(map)
      view = new(**map.slice(*members))
      view.demand = view.demand && Demand.from(view.demand)
      view.choice = view.choice && Choice.from(view.choice)
      view.recent = view.recent.map { |list| list.map { |entry| NopeTurn.from(entry) } }
      view.freeze
    end
  end

  # By the name of a game, what its view is.
  OF_GAME = {
    "nyet" => TrickView,
    "njet" => TrickView,
    "njet-it" => TrickView,
    "nope" => NopeView,
  }.freeze

  # A view as one of TrickView, NopeView; nil where its game is none of these.
  def self.of(map)
    OF_GAME[map[:game]]&.from(map)
  end
end
