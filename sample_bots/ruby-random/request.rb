# frozen_string_literal: true

require_relative "views"

# A request (4.4), as `decide` gets it.
class Request
  # A text: the name of the match.
  attr_reader :match

  # A number: counts up from 1 on each connection.
  attr_reader :id

  # The texts that you may answer with: at least one.
  attr_reader :legal

  # Microseconds until you are late (6.2).
  attr_reader :time_us

  # Microseconds that your last decision was counted as.
  attr_reader :charged_us

  def initialize(message)
    @match, @id, @legal, @time_us, @charged_us, @packed =
      message.values_at(:match, :id, :legal, :time_us, :charged_us, :view)
  end

  # What your seat may know (10.3): a Views::TrickView (11.11), a Views::NopeView (12.11), or nil
  # where views.rb does not know the game. It is unpacked when it is first asked for.
  def view
    @view ||= Views.of(fields)
  end

  # The view as it came: a hash with symbols as keys. It has the fields of every game, also of one
  # that is not invented yet.
  def fields
    @fields ||= @packed.unpack
  end
end
