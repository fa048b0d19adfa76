# frozen_string_literal: true

require_relative "cards"
require_relative "views"

# A rule of thumb for the tricks of the trick games; tokens, teams, discards and NOPE! go by lot.
#
# Lead the strongest card. Take a trick with the weakest card that takes it; if a teammate has it,
# or if it cannot be had, play the weakest card. In a round in which tricks cost points, lead low
# and stay below the trick with the strongest card that does not take it.
def high(request)
  view = request.view
  legal = request.legal
  return legal.sample unless view.is_a?(Views::TrickView) && view.phase == "play"

  trick = view.tricks.last
  strength = ->(card) { Cards.strength(card, trick.first || card, view) }
  costly = view.points.negative?
  return costly ? legal.min_by(&strength) : legal.max_by(&strength) if trick.empty?

  to_beat = trick.map(&strength).max
  # Of two equally strong cards the later takes the trick (11.5).
  taking, losing = legal.partition { |card| strength.call(card) >= to_beat }
  if costly
    (losing.empty? ? legal : losing).max_by(&strength)
  elsif taking.empty? || Cards.with_me?(Cards.taker(view), view)
    legal.min_by(&strength)
  else
    taking.min_by(&strength)
  end
end
