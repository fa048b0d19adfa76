# frozen_string_literal: true

# Msgpack without a gem: as much of it as SPEC 3.4 lists.
#
# The gem called msgpack would do, but a confined bot does not see a gem that `gem install` has put
# into /var or into a home folder (SPEC 2.4), and the gem unpacks a view that nobody looks at.
module Msgpack
  # Bytes that are no message of arena.
  class Unreadable < StandardError; end

  # A value that is not unpacked yet.
  Packed = Struct.new(:bytes) do
    def unpack
      Msgpack.unpack(bytes)
    end
  end

  module_function

  # The value that these bytes are, all of them.
  def unpack(bytes)
    Reader.new(bytes).whole(&:value)
  end

  # The map that these bytes are, with the value of one key left Packed: to pass over a value takes
  # less than half the time that it takes to unpack it.
  def unpack_map(bytes, later:)
    Reader.new(bytes).whole { |reader| reader.map_but(later) }
  end

  # The shortest form of a value, put to the end of some bytes.
  def pack(value, to = String.new)
    case value
    when String then pack_text(value, to)
    when Symbol then pack_text(value.name, to)
    when Integer then pack_number(value, to)
    when Array
      pack_count(value.size, 0x90, 0xDC, to)
      value.each { |each| pack(each, to) }
    when Hash
      pack_count(value.size, 0x80, 0xDE, to)
      value.each { |key, each| pack(each, pack(key, to)) }
    when nil then to << 0xC0
    when false then to << 0xC2
    when true then to << 0xC3
    else raise ArgumentError, "no message has a value of type #{value.class} (SPEC 3.3)"
    end
    to
  end

  def pack_number(number, to)
    case number
    when 0..0x7F, -0x20..-1 then to << (number & 0xFF)
    when 0x80..0xFF then [0xCC, number].pack("CC", buffer: to)
    when 0x100..0xFFFF then [0xCD, number].pack("Cn", buffer: to)
    when 0x10000..0xFFFFFFFF then [0xCE, number].pack("CN", buffer: to)
    when 0x100000000.. then [0xCF, number].pack("CQ>", buffer: to)
    when -0x80..-0x21 then [0xD0, number].pack("Cc", buffer: to)
    when -0x8000..-0x81 then [0xD1, number].pack("Cs>", buffer: to)
    when -0x80000000..-0x8001 then [0xD2, number].pack("Cl>", buffer: to)
    else [0xD3, number].pack("Cq>", buffer: to)
    end
  end

  def pack_text(text, to)
    case size = text.bytesize
    when 0..31 then to << (0xA0 + size)
    when 32..0xFF then [0xD9, size].pack("CC", buffer: to)
    when 0x100..0xFFFF then [0xDA, size].pack("Cn", buffer: to)
    else [0xDB, size].pack("CN", buffer: to)
    end
    to << text.b
  end

  # The head of a list or map: `short` begins the form for up to 15 entries, `long` that for up to
  # 65535, and the next byte that for more.
  def pack_count(count, short, long, to)
    case count
    when 0..15 then to << (short + count)
    when 16..0xFFFF then [long, count].pack("Cn", buffer: to)
    else [long + 1, count].pack("CN", buffer: to)
    end
  end

  # Goes through bytes from the front. What it gives is frozen; the keys of maps are symbols.
  class Reader
    # By the first byte of a value: how many bytes it takes to pass it, and how many more values are
    # to be passed then than before; nil where the bytes after it say that.
    STEPS = Array.new(256) do |head|
      case head
      when 0x00..0x7F, 0xE0..0xFF, 0xC0, 0xC2, 0xC3 then [1, -1]
      when 0x80..0x8F then [1, (2 * (head - 0x80)) - 1]
      when 0x90..0x9F then [1, head - 0x90 - 1]
      when 0xA0..0xBF then [1 + head - 0xA0, -1]
      when 0xCC..0xCF then [1 + (1 << (head - 0xCC)), -1]
      when 0xD0..0xD3 then [1 + (1 << (head - 0xD0)), -1]
      else [nil, nil]
      end
    end
    SIZE, MORE = STEPS.transpose.map(&:freeze)

    def initialize(bytes)
      # So that every part of it is text.
      @bytes = bytes.dup.force_encoding(Encoding::UTF_8)
      @size = bytes.bytesize
      @at = 0
    end

    # What the block reads, which must be all that there is.
    def whole
      value = yield self
      cut if @at > @size
      raise Unreadable, "bytes after a message" if @at < @size

      value
    end

    # The next value.
    def value
      head = @bytes.getbyte(@at) || cut
      @at += 1
      # First what is frequent: small numbers, short texts, lists and maps.
      return head if head < 0x80
      return text(head - 0xA0) if head >= 0xA0 && head < 0xC0
      return head - 0x100 if head >= 0xE0
      return longer(head) if head >= 0xC0

      head < 0x90 ? map(head - 0x80) : list(head - 0x90)
    end

    # The next value, which must be a map, with the value of one key left Packed.
    def map_but(later)
      head = @bytes.getbyte(@at) || cut
      @at += 1
      case head
      when 0x80..0x8F then map(head - 0x80, later)
      when 0xDE then map(number("n", 2), later)
      when 0xDF then map(number("N", 4), later)
      else raise Unreadable, "a body that is no map"
      end
    end

    private

    # The rest of a value whose first byte says that more than itself is to be read.
    def longer(head)
      case head
      when 0xC0 then nil
      when 0xC2 then false
      when 0xC3 then true
      when 0xCC then number("C", 1)
      when 0xCD then number("n", 2)
      when 0xCE then number("N", 4)
      when 0xCF then number("Q>", 8)
      when 0xD0 then number("c", 1)
      when 0xD1 then number("s>", 2)
      when 0xD2 then number("l>", 4)
      when 0xD3 then number("q>", 8)
      when 0xD9 then text(number("C", 1))
      when 0xDA then text(number("n", 2))
      when 0xDB then text(number("N", 4))
      when 0xDC then list(number("n", 2))
      when 0xDD then list(number("N", 4))
      when 0xDE then map(number("n", 2))
      when 0xDF then map(number("N", 4))
      else unknown(head)
      end
    end

    # The bytes of the next value, which is not unpacked. Local variables, because this is most of
    # the time that a message takes.
    def pass
      bytes = @bytes
      at = start = @at
      left = 1
      while left > 0
        head = bytes.getbyte(at) || cut
        if (size = SIZE[head])
          at += size
          left += MORE[head]
        else
          @at = at + 1
          left += pass_head(head) - 1
          at = @at
        end
      end
      @at = at
      Packed.new(bytes.byteslice(start, at - start))
    end

    # Goes to the end of a text whose length is in the bytes after its first, or to the entries of a
    # list or map; gives how many these are.
    def pass_head(head)
      case head
      when 0xD9 then text(number("C", 1))
      when 0xDA then text(number("n", 2))
      when 0xDB then text(number("N", 4))
      when 0xDC then return number("n", 2)
      when 0xDD then return number("N", 4)
      when 0xDE then return 2 * number("n", 2)
      when 0xDF then return 2 * number("N", 4)
      else unknown(head)
      end
      0
    end

    # A number of so many bytes, big-endian.
    def number(form, size)
      cut if @at + size > @size
      @at += size
      @bytes.unpack1(form, offset: @at - size)
    end

    def text(size)
      cut if @at + size > @size
      @at += size
      @bytes.byteslice(@at - size, size).freeze
    end

    def list(count)
      cut if count > @size - @at # Before room is made for billions.
      Array.new(count) { value }.freeze
    end

    def map(count, later = nil)
      map = {}
      count.times do
        key = value
        raise Unreadable, "a key that is no text" unless key.is_a?(String)

        name = key.to_sym
        map[name] = name == later ? pass : value
      end
      map.freeze
    end

    def cut
      raise Unreadable, "a message that is cut short"
    end

    def unknown(head)
      raise Unreadable, format("the byte %02x, which begins no value (SPEC 3.4)", head)
    end
  end
end
