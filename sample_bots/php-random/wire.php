<?php

declare(strict_types=1);

// The wire: a socket, frames on it, messages in them. A new idea needs no change here.

require_once __DIR__ . '/msgpack.php';
require_once __DIR__ . '/settings.php';

/** There is no connection, or it ended without a bye. */
class Lost extends Exception
{
}

/** A frame that is longer than the server may send (SPEC 3.2). */
final class TooLong extends Lost
{
}

/** The connection ended inside a frame (SPEC 3.2). */
final class Unfinished extends Lost
{
}

/**
 * Messages over a stream, as frames (SPEC 3.1): four bytes that give the length of the body,
 * big-endian, and the body, which is one msgpack map.
 */
final class Link
{
    private const HEADER_BYTES = 4;
    private const MAX_BODY_BYTES = 16384; // 8: no body from the server is longer.
    private const DIAL_SECONDS = 60;

    /** @param resource $stream */
    public function __construct(
        private readonly mixed $stream,
        private readonly int $maxBodyBytes = self::MAX_BODY_BYTES,
    ) {
        // PHP gives up a read after 60 s otherwise, and a bot may wait longer for its next match.
        stream_set_timeout($stream, -1);
    }

    /** Connects to the address that ARENA_CONNECT holds; false where it is not set. */
    public static function dial(string|false $address): self
    {
        $place = Settings::place($address);
        // 2.2: without tcp_nodelay each answer may wait 40 ms, and the clock runs.
        $context = stream_context_create(['socket' => ['tcp_nodelay' => true]]);
        $flags = STREAM_CLIENT_CONNECT;
        // The warning would say the same as $why.
        $stream = @stream_socket_client($place, $code, $why, self::DIAL_SECONDS, $flags, $context);
        if ($stream === false) {
            throw new Lost("cannot connect to $address, which ARENA_CONNECT names: $why");
        }
        return new self($stream);
    }

    /**
     * Waits for a message. Its view is Packed, because it is most of a request: to unpack it costs
     * nothing where nobody looks.
     *
     * @return array<mixed>
     */
    public function hear(): array
    {
        $body = $this->receive()
            ?? throw new Lost('the server closed the connection without a bye');
        try {
            return Msgpack::unpackMap($body, later: 'view');
        } catch (Unreadable $unreadable) {
            throw new Lost('the server sent ' . $unreadable->getMessage());
        }
    }

    /**
     * Sends a message. Header and body are one write (2.2): two would be two packets, and the
     * second may wait for the first.
     *
     * @param array<mixed> $message
     */
    public function say(array $message): void
    {
        $body = Msgpack::pack($message);
        // Where this fails, the server has hung up. What it said before is still to be heard.
        @fwrite($this->stream, pack('N', strlen($body)) . $body);
    }

    /** The body of the next frame; null at the end of the stream. */
    public function receive(): ?string
    {
        $header = $this->read(self::HEADER_BYTES);
        if ($header === '') {
            return null;
        }
        $this->expectWhole($header, self::HEADER_BYTES);
        $length = unpack('N', $header)[1];
        if ($length > $this->maxBodyBytes) {
            throw new TooLong("a frame of $length bytes came (SPEC 3.2)");
        }
        $body = $this->read($length);
        $this->expectWhole($body, $length);
        return $body;
    }

    /**
     * So many bytes, or fewer at the end of the stream. A stream has no message boundaries (3.1),
     * and fread gives what is there: half a header, or all of it.
     */
    private function read(int $count): string
    {
        $bytes = '';
        while (strlen($bytes) < $count) {
            $part = @fread($this->stream, $count - strlen($bytes));
            if ($part === '' || $part === false) {
                break;
            }
            $bytes .= $part;
        }
        return $bytes;
    }

    private function expectWhole(string $bytes, int $count): void
    {
        if (strlen($bytes) < $count) {
            throw new Unfinished('the server closed the connection inside a frame (SPEC 3.2)');
        }
    }
}
