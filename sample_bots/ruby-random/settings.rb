# frozen_string_literal: true

# What the environment says (SPEC 2.1), checked.
module Settings
  # A variable is missing or cannot be used; the text says which, and what it should be.
  class Bad < StandardError; end

  module_function

  # Where ARENA_CONNECT points (2.2): ["unix", PATH] or ["tcp", HOST, PORT].
  def place(address)
    case address&.b # A path may have any bytes.
    when /\Aunix:(.+)\z/m then ["unix", $1]
    when /\Atcp:\[([^\]]+)\]:(\d+)\z/, /\Atcp:([^\[\]:]+):(\d+)\z/ then ["tcp", $1, $2.to_i]
    else
      raise Bad, "ARENA_CONNECT #{came(address)}; expected unix:PATH or tcp:HOST:PORT, " \
                 "the address of the server (SPEC 2.2)"
    end
  end

  # The text of ARENA_TOKEN, unchanged (2.3). Ruby takes it to be in the encoding of the locale.
  def token(value)
    text = value&.dup&.force_encoding(Encoding::UTF_8)
    return text if text&.valid_encoding? && text.length.between?(1, 128)

    # It is a secret, so it is not shown.
    problem =
      if text.nil? || text.empty?
        came(text)
      else
        text.valid_encoding? ? "has #{text.length} characters" : "is not UTF-8"
      end
    raise Bad, "ARENA_TOKEN #{problem}; expected the token of this bot, " \
               "a text of at most 128 characters (SPEC 2.1)"
  end

  # The seconds in ARENA_RETRY_S (2.5); nil where it is not set.
  def pause(value)
    seconds = Float(value, exception: false) unless value.nil?
    return seconds if value.nil? || seconds&.finite? && !seconds.negative?

    raise Bad, "ARENA_RETRY_S #{came(value)}; expected seconds, such as 5 (SPEC 2.5)"
  end

  def came(value)
    value.nil? ? "is not set" : "is #{value.inspect}"
  end
end
