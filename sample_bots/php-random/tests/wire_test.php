<?php

declare(strict_types=1);

// What the bytes on the wire mean, and whole conversations with the bot as a process.

require_once __DIR__ . '/../wire.php';

/** @return array{resource, resource} */
function pair(): array
{
    return stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
}

stream_wrapper_register('chunks', Chunks::class);

foreach (vectors('frames') as $vector) {
    test("frames: $vector[name]", function () use ($vector) {
        // A stream that gives one chunk a read, as a socket may.
        $link = new Link(Chunks::open($vector['chunks']), $vector['max_body_bytes']);
        foreach ($vector['bodies'] as $body) {
            same($body, bin2hex($link->receive() ?? 'the end'));
        }
        match ($vector['breach'] ?? $vector['at_end']) {
            'frame-too-long' => thrown(TooLong::class, $link->receive(...)),
            'frame-unfinished' => thrown(Unfinished::class, $link->receive(...)),
            null => same(null, $link->receive()),
        };
    });
}

/** A stream of chunks in hexadecimal. */
final class Chunks
{
    /** @var resource */
    public $context;
    /** @var list<string> */
    private static array $next;
    /** @var list<string> */
    private array $chunks;

    /**
     * @param list<string> $chunks
     * @return resource
     */
    public static function open(array $chunks): mixed
    {
        self::$next = $chunks;
        return fopen('chunks://', 'r');
    }

    // The names of these are PHP's.
    // phpcs:disable PSR1.Methods.CamelCapsMethodName

    public function stream_open(): bool
    {
        $this->chunks = self::$next;
        return true;
    }

    public function stream_read(): string
    {
        return hex2bin(array_shift($this->chunks) ?? '');
    }

    public function stream_eof(): bool
    {
        return $this->chunks === [];
    }

    public function stream_set_option(): bool
    {
        return false;
    }
}

foreach (vectors('messages') as $vector) {
    test("messages: $vector[name]", function () use ($vector) {
        $body = hex2bin($vector['hex']);
        // Every form of a value may come (3.3), so a bot's messages are read here too.
        same($vector['message'], Msgpack::unpack($body));
        $message = Msgpack::unpackMap($body, later: 'view');
        if (isset($message['view'])) {
            $message['view'] = $message['view']->unpack();
        }
        same($vector['message'], $message);
        if ($vector['from'] === 'bot' && $vector['canonical']) {
            [$here, $there] = pair();
            (new Link($here))->say($vector['message']);
            same($vector['hex'], bin2hex(substr(fread($there, 65536), 4)));
        }
    });
}

test('every number of the protocol is packed as it is read', function () {
    $edges = [0, 0x7f, 0x80, 0xff, 0x100, 0xffff, 0x10000, 0xffffffff, 0x100000000, 2 ** 53 - 1];
    $below = [-1, -0x20, -0x21, -0x80, -0x81, -0x8000, -0x8001, -0x80000000, -0x80000001];
    foreach ([...$edges, ...$below, 1 - 2 ** 53] as $number) {
        same($number, Msgpack::unpack(Msgpack::pack($number)));
    }
});

test('texts, lists and maps of every size are packed as they are read', function () {
    foreach ([0, 1, 15, 16, 31, 32, 255, 256, 65535, 65536] as $size) {
        $list = array_fill(0, $size, null);
        $map = [];
        for ($number = 0; $number < $size; $number++) {
            $map["key$number"] = $number % 2 === 0;
        }
        foreach ([str_repeat('x', $size), $list, $map] as $value) {
            same($value, Msgpack::unpack(Msgpack::pack($value)));
            // Also where it is passed over at first.
            $packed = Msgpack::pack(['view' => $value, 'id' => $size]);
            $message = Msgpack::unpackMap($packed, later: 'view');
            same([$value, $size], [$message['view']->unpack(), $message['id']]);
        }
    }
});

test('bytes that mean nothing are told in words, wherever they end', function () {
    $wrong = ['', '81', '81a161', '81a16101ff', '8101', 'c1', '81a161c1', '90', 'dfffffffff'];
    foreach ($wrong as $hex) {
        thrown(Unreadable::class, fn () => Msgpack::unpackMap(hex2bin($hex), later: 'a'));
        thrown(Unreadable::class, fn () => Msgpack::unpackMap(hex2bin($hex), later: 'b'));
    }
    foreach (vectors('messages') as $vector) {
        $whole = hex2bin($vector['hex']);
        for ($size = 0; $size < strlen($whole); $size++) {
            $cut = substr($whole, 0, $size);
            thrown(Unreadable::class, fn () => Msgpack::unpack($cut));
            thrown(Unreadable::class, fn () => Msgpack::unpackMap($cut, later: 'view'));
        }
    }
});

foreach (vectors('conversations') as $vector) {
    test("conversations: $vector[name]", function () use ($vector) {
        $fromServer = fn (array $step): bool => $step['from'] === 'server';
        $isRequest = fn (array $message): bool => $message['type'] === 'request';
        $steps = array_filter($vector['steps'], $fromServer);
        $said = array_column($steps, 'message');
        $requests = array_values(array_filter($said, $isRequest));
        [$heard, $errors, $code] = converse(hex2bin(implode('', array_column($steps, 'hex'))));
        $hello = array_shift($heard);
        same(['hello', 1, 'tK3x'], [$hello['type'], $hello['protocol'], $hello['token']]);
        same(count($requests), count($heard));
        foreach ($heard as $place => $action) {
            ['match' => $match, 'id' => $id, 'legal' => $legal] = $requests[$place];
            same(['action', $match, $id], [$action['type'], $action['match'], $action['id']]);
            check(in_array($action['action'], $legal, true), "$action[action] is not legal");
        }
        $last = end($said);
        $isWell = in_array($last['reason'] ?? null, ['done', 'stopping', 'replaced'], true);
        same($isWell ? 0 : 1, $code);
        if ($last['type'] === 'bye' && !$isWell) {
            check(str_contains($errors, $last['text']), "the text of the bye is not in: $errors");
        }
    });
}

/**
 * Runs the bot.
 *
 * @param array<string, string> $settings In the place of arena's.
 * @return array{resource, resource} The process, and its standard error.
 */
function bot(array $settings): array
{
    $names = ['ARENA_CONNECT', 'ARENA_TOKEN', 'ARENA_RETRY_S'];
    $settings += array_diff_key(getenv(), array_flip($names));
    $command = [PHP_BINARY, dirname(__DIR__) . '/bot.php'];
    $process = proc_open($command, [2 => ['pipe', 'w']], $pipes, null, $settings);
    return [$process, $pipes[2]];
}

/**
 * Says all of it to a bot, three bytes at a time.
 *
 * @return array{list<array<mixed>>, string, int} What the bot said, what it printed to standard
 *     error, and its exit code.
 */
function converse(string $bytes): array
{
    $path = sys_get_temp_dir() . '/arena-' . bin2hex(random_bytes(6));
    $server = stream_socket_server("unix://$path");
    try {
        [$process, $errors] = bot(['ARENA_CONNECT' => "unix:$path", 'ARENA_TOKEN' => 'tK3x']);
        $stream = stream_socket_accept($server);
        foreach (str_split($bytes, 3) as $part) {
            // After a bye the bot does not listen any more.
            @fwrite($stream, $part);
        }
        stream_socket_shutdown($stream, STREAM_SHUT_WR);
        $link = new Link($stream);
        $heard = [];
        while (($body = $link->receive()) !== null) {
            $heard[] = Msgpack::unpack($body);
        }
        return [$heard, stream_get_contents($errors), proc_close($process)];
    } finally {
        unlink($path);
    }
}

test('SPEC 2.2: addresses', function () {
    same('unix:///tmp/a:b', Settings::place('unix:/tmp/a:b'));
    same('tcp://localhost:4000', Settings::place('tcp:localhost:4000'));
    same('tcp://[::1]:4000', Settings::place('tcp:[::1]:4000'));
    $pattern = '/^ARENA_CONNECT is .*; expected unix:PATH or tcp:HOST:PORT/';
    $wrong = [false, '', 'unix:', 'tcp:localhost', 'tcp:::1:4000', 'udp:localhost:4000'];
    foreach ($wrong as $address) {
        $words = thrown(BadSetting::class, fn () => Settings::place($address))->getMessage();
        check(preg_match($pattern, $words) === 1, $words);
    }
});

test("SPEC 2.2: Nagle's algorithm is off", function () {
    $server = stream_socket_server('tcp://127.0.0.1:0');
    $link = Link::dial('tcp:' . stream_socket_get_name($server, false));
    $stream = (new ReflectionProperty($link, 'stream'))->getValue($link);
    same(true, stream_context_get_options($stream)['socket']['tcp_nodelay'] ?? false);
});

test('a setting that is missing or wrong is told in words', function () {
    $good = ['ARENA_CONNECT' => 'unix:/nowhere', 'ARENA_TOKEN' => 't'];
    $wrong = [
        [['ARENA_CONNECT' => null], 'ARENA_CONNECT is not set; expected unix:PATH'],
        [['ARENA_CONNECT' => '4000'], 'ARENA_CONNECT is "4000"; expected unix:PATH'],
        [['ARENA_TOKEN' => null], 'ARENA_TOKEN is not set; expected the token'],
        [['ARENA_TOKEN' => str_repeat('x', 129)], 'ARENA_TOKEN has more than 128 characters;'],
        [['ARENA_TOKEN' => "\xff"], 'ARENA_TOKEN is not UTF-8; expected the token'],
        [['ARENA_RETRY_S' => 'soon'], 'ARENA_RETRY_S is "soon"; expected seconds'],
        [['ARENA_RETRY_S' => '-1'], 'ARENA_RETRY_S is "-1"; expected seconds'],
        [['ARENA_CONNECT' => 'tcp:[::1]:1'], 'cannot connect to tcp:[::1]:1, which ARENA_CONNECT'],
        [[], 'cannot connect to unix:/nowhere, which ARENA_CONNECT names: No such file'],
    ];
    foreach ($wrong as [$settings, $words]) {
        [$process, $errors] = bot(array_filter([...$good, ...$settings], is_string(...)));
        $printed = stream_get_contents($errors);
        check(str_starts_with($printed, $words), $printed);
        same(1, substr_count($printed, "\n"));
        same(1, proc_close($process));
    }
});
