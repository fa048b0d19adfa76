# frozen_string_literal: true

require "json"

# A few functions instead of a framework, so that the tests need nothing but Ruby: Debian has
# minitest in a package of its own.
module Harness
  HERE = File.expand_path("..", __dir__)

  # Where the vectors of the protocol are: the folder that ARENA_VECTORS names, else `vectors` of
  # this bot, else their place in arena's repository.
  VECTORS = ENV["ARENA_VECTORS"] ||
            ["#{HERE}/vectors", "#{HERE}/../../protocol/vectors"].find { |each| Dir.exist?(each) }
  abort "no vectors: set ARENA_VECTORS to arena's folder protocol/vectors" if VECTORS.nil?

  @run = 0
  @failed = 0

  class << self
    # Runs a test. `exit` in a bot, a stack that overflows and what is not implemented fail it too.
    def test(name)
      @run += 1
      yield
    rescue Interrupt
      raise
    rescue Exception => e # rubocop:disable Lint/RescueException
      @failed += 1
      puts "FAILED  #{name}\n        #{e.message} (#{place_of(e)})"
    end

    # Returns the line of the bot where an exception was raised, else that of the test.
    def place_of(error)
      lines = error.backtrace || []
      lines.find { |line| line.start_with?(HERE) && !line.start_with?(__dir__) } ||
        lines.grep(/_test/).first
    end

    # Says how many tests there were, and returns the exit code.
    def result
      puts "#{@run} tests, #{@failed} failed"
      @failed.zero? && @run.positive? ? 0 : 1
    end
  end
end

def test(name, &body)
  Harness.test(name, &body)
end

def check(holds, otherwise)
  raise otherwise unless holds
end

def same(expected, came)
  check(expected == came, "#{came.inspect}\n        instead of #{expected.inspect}")
end

# Returns the exception of this class that the block must raise.
def raised(kind)
  yield
rescue kind => e
  e
else
  raise "no #{kind} was raised"
end

# All vectors of a file.
def vectors(file)
  path = "#{Harness::VECTORS}/#{file}.json"
  JSON.parse(File.read(path, encoding: "UTF-8")).fetch("vectors")
rescue SystemCallError
  abort "#{path} is not there: ARENA_VECTORS should be arena's folder protocol/vectors"
end

# Bytes that stand in the vectors as hexadecimal.
def bytes(hex)
  [hex].pack("H*")
end

# A value with texts for symbols, as it stands in a vector.
def plain(value)
  JSON.parse(JSON.generate(value))
end
