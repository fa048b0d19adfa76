# frozen_string_literal: true

# Questions about cards that most ideas ask. `view` is a Views::TrickView.
module Cards
  # By game, the low rank (11.1): the supertrump has it.
  LOW = { "nyet" => 1, "njet" => 0, "njet-it" => 1 }.freeze
  ALL_COLOURS = "RGBY"

  module_function

  # The trick games (11.4, 11.5).

  # The number on a card: 13 of "R13".
  def rank(card)
    card[1..].to_i
  end

  # The letter of the suit that a card has this round: its colour, or in nyet the trump colour if
  # it is a supertrump.
  def suit(card, view)
    view.game == "nyet" && supertrump?(card, view) ? view.trump : card[0]
  end

  # Whether a card is a supertrump this round.
  def supertrump?(card, view)
    card[0] == view.supertrump && rank(card) == LOW[view.game]
  end

  # How strong a card is in a trick that began with the card `led`, which may be the same. The
  # highest takes the trick; of equal ones the later.
  def strength(card, led, view)
    if supertrump?(card, view)
      300
    elsif card[0] == view.trump
      200 + rank(card)
    elsif suit(card, view) == suit(led, view)
      100 + rank(card)
    else
      rank(card)
    end
  end

  # The seat that takes the open trick as it lies; nil if nobody has played to it.
  def taker(view)
    trick = view.tricks.last
    return if trick.nil? || trick.empty?

    place = trick.each_index.max_by { |at| [strength(trick[at], trick[0], view), at] }
    (view.leaders.last + place) % view.seats
  end

  # The other seats of your team; none before the teams are made.
  def teammates(view)
    (0...view.seats).select { |seat| seat != view.seat && with_me?(seat, view) }
  end

  # Whether the tricks of a seat are yours too: it is your own, or in your team.
  def with_me?(seat, view)
    return seat == view.seat if view.team.nil? # The teams are not made yet.

    view.team.include?(seat) == view.team.include?(view.seat)
  end

  # NOPE! (12.1). In `legal` an action card that is laid alone ends in "!" (12.10): "X!" is the
  # card "X". These take both.

  # The letters of the colours that a card shows: "RG" of "RG2", all four of a joker.
  def colours(card)
    %w[J X X! S* S*!].include?(card) ? ALL_COLOURS : card.delete("^#{ALL_COLOURS}")
  end

  # Whether a card shows this colour.
  def shows?(card, colour)
    colours(card).include?(colour)
  end

  # The number of a card, from 1 to 3, a joker's being 1; nil for action cards.
  def number(card)
    card == "J" ? 1 : card[/[1-3]\z/]&.to_i
  end
end
