# frozen_string_literal: true

# The wire: a socket, frames on it, msgpack in them. A new idea needs no change here.

require "socket"
require_relative "msgpack"
require_relative "settings"

# What is needed to talk to the server.
module Wire
  # There is no connection, or it ended without a bye.
  class Lost < StandardError; end

  # A frame that is longer than the server may send (3.2).
  class TooLong < Lost; end

  # The connection ended inside a frame (3.2).
  class Unfinished < Lost; end

  MAX_BODY_BYTES = 16_384 # 8: no body from the server is longer.
  HEADER_BYTES = 4
  BROKEN = [SystemCallError, IOError].freeze

  module_function

  # Connects to the address that ARENA_CONNECT holds.
  def dial(address)
    kind, *where = Settings.place(address)
    return Link.new(UNIXSocket.new(*where)) if kind == "unix"

    socket = TCPSocket.new(*where)
    # 2.2: otherwise each answer may wait 40 ms, and the clock runs.
    socket.setsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY, 1)
    Link.new(socket)
  rescue *BROKEN, SocketError, ArgumentError => e
    raise Lost, "cannot connect to #{address}, which ARENA_CONNECT names: #{e.message}"
  end

  # Messages over a stream, as frames (3.1): four bytes that give the length of the body,
  # big-endian, and the body. A message is a Hash with symbols as keys.
  class Link
    def initialize(stream, max_body_bytes: MAX_BODY_BYTES)
      @stream = stream
      @max_body_bytes = max_body_bytes
    end

    # Waits for a message. Its view is Packed, because it is most of a request: to unpack it costs
    # nothing where nobody looks.
    def hear
      body = receive or raise Lost, "the server closed the connection without a bye"
      Msgpack.unpack_map(body, later: :view)
    rescue Msgpack::Unreadable => e
      raise Lost, "the server sent #{e.message}"
    rescue *BROKEN => e
      raise Lost, "the connection broke: #{e.message}"
    end

    # Sends a message. Header and body are one write (2.2): two would be two packets, and the second
    # may wait for the first.
    def say(message)
      body = Msgpack.pack(message)
      @stream.write([body.bytesize].pack("N") << body)
    rescue *BROKEN
      # The server has hung up. What it said before, perhaps a bye, is still to be heard.
    end

    def close
      @stream.close
    end

    # The body of the next frame; nil at the end of the stream. A stream has no message boundaries
    # (3.1); `read` goes on reading until it has as many bytes as were asked for, or the end.
    def receive
      header = @stream.read(HEADER_BYTES) or return
      unfinished if header.bytesize < HEADER_BYTES
      length = header.unpack1("N")
      raise TooLong, "a frame of #{length} bytes came (SPEC 3.2)" if length > @max_body_bytes

      body = @stream.read(length)
      unfinished if body.nil? || body.bytesize < length
      body
    end

    private

    def unfinished
      raise Unfinished, "the server closed the connection inside a frame (SPEC 3.2)"
    end
  end
end
