# frozen_string_literal: true

# What the bytes on the wire mean, and whole conversations with the bot as a process.

require "open3"
require "rbconfig"
require "tmpdir"
require_relative "../settings"
require_relative "../wire"

vectors("frames").each do |vector|
  test("frames: #{vector["name"]}") do
    reader, writer = UNIXSocket.pair
    # While a chunk is written, the one before it is read.
    saying = Thread.new do
      vector["chunks"].each do |chunk|
        writer.write(bytes(chunk))
        Thread.pass
      end
      writer.close
    end
    link = Wire::Link.new(reader, max_body_bytes: vector["max_body_bytes"])
    vector["bodies"].each { |body| same(bytes(body), link.receive) }
    case vector["breach"] || vector["at_end"]
    when "frame-too-long" then raised(Wire::TooLong) { link.receive }
    when "frame-unfinished" then raised(Wire::Unfinished) { link.receive }
    else same(nil, link.receive)
    end
    saying.join
  end
end

vectors("messages").each do |vector|
  test("messages: #{vector["name"]}") do
    body = bytes(vector["hex"])
    # Every form of a value may come (3.3), so a bot's messages are read here too.
    same(vector["message"], plain(Msgpack.unpack(body)))
    message = Msgpack.unpack_map(body, later: :view)
    view = message[:view]
    same(vector["message"], plain(view ? { **message, view: view.unpack } : message))
    if vector["from"] == "bot" && vector["canonical"]
      here, there = UNIXSocket.pair
      Wire::Link.new(here).say(vector["message"])
      same(body, there.readpartial(65_536).byteslice(4..))
    end
  end
end

test("every number of the protocol is packed as it is read") do
  edges = [0, 0x7F, 0x80, 0xFF, 0x100, 0xFFFF, 0x10000, 0xFFFFFFFF, 0x100000000, (2**53) - 1]
  below = [-1, -0x20, -0x21, -0x80, -0x81, -0x8000, -0x8001, -0x80000000, -0x80000001, 1 - (2**53)]
  [*edges, *below].each { |number| same(number, Msgpack.unpack(Msgpack.pack(number))) }
end

test("texts, lists and maps of every size are packed as they are read") do
  [0, 1, 15, 16, 31, 32, 255, 256, 65_535, 65_536].each do |size|
    list = Array.new(size, nil)
    map = Array.new(size) { |number| [:"key#{number}", number.even?] }.to_h
    ["ü" * size, list, map].each do |value|
      same(value, Msgpack.unpack(Msgpack.pack(value)))
      # Also where it is passed over at first.
      message = Msgpack.unpack_map(Msgpack.pack({ view: value, id: size }), later: :view)
      same([value, size], [message[:view].unpack, message[:id]])
    end
  end
end

test("bytes that mean nothing are told in words, wherever they end") do
  %w[81 81a161 81a16101ff 8101 c1 81a161c1 90 dfffffffff 81a161ddffffffff].push("").each do |hex|
    %i[a b].each do |later|
      raised(Msgpack::Unreadable) { Msgpack.unpack_map(bytes(hex), later: later) }
    end
  end
  vectors("messages").each do |vector|
    whole = bytes(vector["hex"])
    whole.bytesize.times do |size|
      cut = whole.byteslice(0, size)
      raised(Msgpack::Unreadable) { Msgpack.unpack(cut) }
      raised(Msgpack::Unreadable) { Msgpack.unpack_map(cut, later: :view) }
    end
  end
end

BOT = [RbConfig.ruby, "#{Harness::HERE}/bot.rb"].freeze

# Says all of it to a bot, three bytes at a time; returns what the bot said, what it printed to
# standard error, and its exit code.
def converse(said)
  Dir.mktmpdir("füchse") do |folder|
    place = "#{folder}/socket"
    settings = { "ARENA_CONNECT" => "unix:#{place}", "ARENA_TOKEN" => "tK3x",
                 "ARENA_RETRY_S" => nil, "LC_ALL" => "C" }
    server = UNIXServer.new(place)
    Open3.popen3(settings, *BOT) do |_, _, errors, bot|
      stream = server.accept
      saying = Thread.new do
        said.scan(/.{1,3}/mn) { |part| stream.write(part) }
        stream.close_write
      rescue Errno::EPIPE
        # After a bye the bot does not listen any more.
      end
      link = Wire::Link.new(stream)
      heard = []
      while (body = link.receive)
        heard << Msgpack.unpack(body)
      end
      saying.join
      return heard, errors.read, bot.value.exitstatus
    end
  ensure
    server&.close
  end
end

vectors("conversations").each do |vector|
  test("conversations: #{vector["name"]}") do
    said = vector["steps"].select { |step| step["from"] == "server" }
    requests = said.map { |step| step["message"] }.select { |each| each["type"] == "request" }
    (hello, *actions), errors, code = converse(bytes(said.map { |step| step["hex"] }.join))
    same(["hello", 1, "tK3x"], hello.values_at(:type, :protocol, :token))
    same(requests.size, actions.size)
    actions.zip(requests) do |action, request|
      same(["action", *request.values_at("match", "id")], action.values_at(:type, :match, :id))
      check(request["legal"].include?(action[:action]), "#{action[:action].inspect} is not legal")
    end
    bye = said.last["message"]
    is_well = %w[done stopping replaced].include?(bye["reason"])
    same(is_well ? 0 : 1, code)
    if bye["type"] == "bye" && !is_well
      check(errors.include?(bye["text"]), "the text of the bye is not in: #{errors}")
    end
  end
end

test("SPEC 2.2: addresses") do
  same(["unix", "/tmp/a:b"], Settings.place("unix:/tmp/a:b"))
  same(["tcp", "localhost", 4000], Settings.place("tcp:localhost:4000"))
  same(["tcp", "::1", 4000], Settings.place("tcp:[::1]:4000"))
  [nil, "", "unix:", "tcp:localhost", "tcp:::1:4000", "udp:localhost:4000"].each do |address|
    words = raised(Settings::Bad) { Settings.place(address) }.message
    check(words.match?(/\AARENA_CONNECT is .*; expected unix:PATH or tcp:HOST:PORT/), words)
  end
end

test("SPEC 2.2: Nagle's algorithm is off") do
  server = TCPServer.new("127.0.0.1", 0)
  link = Wire.dial("tcp:127.0.0.1:#{server.local_address.ip_port}")
  socket = link.instance_variable_get(:@stream)
  same(true, socket.getsockopt(Socket::IPPROTO_TCP, Socket::TCP_NODELAY).bool)
end

test("a setting that is missing or wrong is told in words") do
  good = { "ARENA_CONNECT" => "unix:/nowhere", "ARENA_TOKEN" => "t", "ARENA_RETRY_S" => nil }
  {
    { "ARENA_CONNECT" => nil } => "ARENA_CONNECT is not set; expected unix:PATH",
    { "ARENA_CONNECT" => "4000" } => 'ARENA_CONNECT is "4000"; expected unix:PATH',
    { "ARENA_TOKEN" => nil } => "ARENA_TOKEN is not set; expected the token",
    { "ARENA_TOKEN" => "x" * 129 } => "ARENA_TOKEN has 129 characters; expected the token",
    { "ARENA_TOKEN" => "\xFF" } => "ARENA_TOKEN is not UTF-8; expected the token",
    { "ARENA_RETRY_S" => "soon" } => 'ARENA_RETRY_S is "soon"; expected seconds',
    { "ARENA_RETRY_S" => "-1" } => 'ARENA_RETRY_S is "-1"; expected seconds',
    { "ARENA_CONNECT" => "tcp:[::1]:1" } => "cannot connect to tcp:[::1]:1, which ARENA_CONNECT",
    {} => "cannot connect to unix:/nowhere, which ARENA_CONNECT names: No such file",
  }.each do |wrong, words|
    _, errors, status = Open3.capture3(good.merge(wrong), *BOT)
    check(errors.start_with?(words), errors)
    same(1, errors.lines.size)
    same(1, status.exitstatus)
  end
end
