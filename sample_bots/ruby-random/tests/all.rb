# frozen_string_literal: true

# Runs every test of this folder: `ruby tests/all.rb`.

require_relative "harness"

Dir["#{__dir__}/*_test.rb"].sort.each { |file| require file }
exit Harness.result
