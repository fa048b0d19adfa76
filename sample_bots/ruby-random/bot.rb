# frozen_string_literal: true

# The loop of messages: hello, then an action for every request, until bye. Your idea goes into
# decide.rb; wire.rb brings the messages. Numbers in comments are sections of SPEC.md.

require_relative "decide"
require_relative "request"
require_relative "settings"
require_relative "wire"

# One connection, from hello to bye; returns the bye.
def play(link, token)
  # 4.1: the token says which entrant this is; the rest is for people.
  link.say(type: "hello", protocol: 1, token: token, version: "1.0", language: "Ruby")
  loop do
    message = link.hear
    case message[:type]
    when "request" # 4.4: a decision is owed, and the clock runs.
      request = Request.new(message)
      link.say(type: "action", match: request.match, id: request.id, action: decide(request))
    when "fault" # 4.6: what this bot did wrong, in words. It wants no answer.
      warn message[:text]
    when "bye" # 4.8: the server hangs up, and says why.
      return message
    end
    # 4: everything else may be passed over, also what is not invented yet.
  end
end

# Connects and plays. Where the connection fails, the reason is "lost" and the text says how.
def session(address, token)
  link = Wire.dial(address)
  play(link, token)
rescue Wire::Lost => e
  { reason: "lost", text: e.message }
ensure
  link&.close
end

WELL = %w[done stopping replaced].freeze # 4.8: the session went well.
AGAIN = %w[lost stopping hung token-in-use].freeze # 2.5: a bot that dials in may come again.

# Returns the exit code.
def main
  token = Settings.token(ENV["ARENA_TOKEN"])
  pause = Settings.pause(ENV["ARENA_RETRY_S"]) # 2.5: only bots that dial in have it.
  loop do
    bye = session(ENV["ARENA_CONNECT"], token)
    is_well = WELL.include?(bye[:reason])
    warn bye[:text] unless is_well
    return is_well ? 0 : 1 unless pause && AGAIN.include?(bye[:reason])

    sleep pause
  end
rescue Settings::Bad => e
  warn e.message
  1
end

if $PROGRAM_NAME == __FILE__
  $stdout.sync = true # What you print is kept (2.4), also if the program is killed.
  trap("INT", "SYSTEM_DEFAULT") # Ctrl-C ends it without a trace.
  exit main
end
