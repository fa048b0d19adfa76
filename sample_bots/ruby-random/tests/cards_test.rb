# frozen_string_literal: true

# The typed views, the questions about cards, and that decide and high play what is legal.

require_relative "../cards"
require_relative "../decide"
require_relative "../high"
require_relative "../request"
require_relative "../wire"

def view_of(hex)
  Views.of(Msgpack.unpack(bytes(hex)))
end

# The hashes and lists that structs were made from.
def as_it_came(value)
  case value
  when Views::NopeTurn then [*value.to_a[0...-1], *value.laid]
  when Struct then value.to_h.transform_values { |each| as_it_came(each) }
  when Array then value.map { |each| as_it_came(each) }
  else value
  end
end

vectors("following").each do |vector|
  test("following: #{vector["name"]}") do
    view = view_of(vector["hex"])
    same(vector["view"], plain(as_it_came(view)))
    asked = Cards.suit(view.tricks.last.first, view)
    answering = view.hand.select { |card| Cards.suit(card, view) == asked }
    same(vector["may_play"], answering.empty? ? view.hand : answering)
  end
end

vectors("tricks").each do |vector|
  test("tricks: #{vector["name"]}") do
    view = view_of(vector["hex"])
    same(vector["view"], plain(as_it_came(view)))
    same(vector["taken_by"], Cards.taker(view))
    same(vector["teammates"], Cards.teammates(view))
  end
end

vectors("showing").each do |vector|
  test("showing: #{vector["name"]}") do
    card, colours, number = vector.values_at("card", "colours", "number")
    same(colours, Cards.colours(card))
    "RGBY".each_char { |each| same(colours.include?(each), Cards.shows?(card, each)) }
    same(number, Cards.number(card))
    if number.nil?
      # An action card laid alone (12.10) is the same card.
      same(colours, Cards.colours("#{card}!"))
      same(nil, Cards.number("#{card}!"))
    end
  end
end

vectors("conversations").each do |vector|
  vector["steps"].each_with_index do |step, place|
    next unless step["from"] == "server" && step["message"]["type"] == "request"

    %i[decide high].each do |function|
      test("#{function} answers #{vector["name"]}, step #{place}") do
        body = bytes(step["hex"]).byteslice(4..)
        request = Request.new(Msgpack.unpack_map(body, later: :view))
        action = send(function, request)
        check(request.legal.include?(action), "#{action.inspect} is not legal")
        # Fields of a later server are passed over.
        fields = plain(as_it_came(request.view))
        same(step["message"]["view"].slice(*fields.keys), fields)
      end
    end
  end
end
