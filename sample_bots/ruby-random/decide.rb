# frozen_string_literal: true

require_relative "cards"
require_relative "high"

# Your idea goes here: a request comes in, one of the texts in `request.legal` goes out.
#
# `request.view` is what your seat may know, with a method for each field that views.rb lists, and
# `request.time_us` how long you have, in microseconds (6.2). How a view is read:
#
#   view = request.view
#   if view.is_a?(Views::TrickView) && view.phase == "play"
#     # A card is asked for: view.hand, view.trump and Cards.taker(view) help to choose.
#   end
#
# A view holds all that matters for the decision, so that nothing need be kept between two calls.
def decide(request)
  request.legal.sample
end
