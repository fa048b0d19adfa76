<?php

declare(strict_types=1);

// Msgpack without the extension of that name: as much of it as SPEC 3.4 lists.
//
// The extension would not do. It is loaded by a file in /etc, which a confined bot cannot read
// (SPEC 2.4); it makes an object of an empty map and an array of any other, a text of a large
// number, and of some maps objects of whatever class they name; and it passes over bytes after the
// value.

/** Bytes that are no message of arena. */
final class Unreadable extends Exception
{
}

/** A value that is not unpacked yet. */
final readonly class Packed
{
    public function __construct(private string $bytes)
    {
    }

    public function unpack(): mixed
    {
        return Msgpack::unpack($this->bytes);
    }
}

/** Maps and lists are arrays, nil is null. A key of digits becomes a number, as in all arrays. */
final class Msgpack
{
    /** The value that these bytes are, all of them. */
    public static function unpack(string $bytes): mixed
    {
        $at = 0;
        $value = self::value($bytes, $at);
        self::expectEnd($bytes, $at);
        return $value;
    }

    /**
     * The map that these bytes are, with the value of one key left Packed: to pass over a value
     * takes half the time that it takes to unpack it.
     *
     * @return array<mixed>
     */
    public static function unpackMap(string $bytes, string $later): array
    {
        $at = 0;
        $count = self::mapCount($bytes, $at);
        $map = [];
        while ($count-- > 0) {
            $key = self::key($bytes, $at);
            if ($key === $later) {
                $start = $at;
                self::pass($bytes, $at);
                $map[$key] = new Packed(substr($bytes, $start, $at - $start));
            } else {
                $map[$key] = self::value($bytes, $at);
            }
        }
        self::expectEnd($bytes, $at);
        return $map;
    }

    /** The shortest form of a value. An empty array is a list. */
    public static function pack(mixed $value): string
    {
        return match (true) {
            $value === null => "\xc0",
            $value === false => "\xc2",
            $value === true => "\xc3",
            is_int($value) => self::packNumber($value),
            is_string($value) => self::head(strlen($value), 0xa0, 31, [0xd9, 0xda, 0xdb]) . $value,
            is_array($value) => self::packArray($value),
            default => throw new InvalidArgumentException(
                'no message has a value of type ' . get_debug_type($value) . ' (SPEC 3.3)'
            ),
        };
    }

    private static function value(string $bytes, int &$at): mixed
    {
        $head = ord($bytes[$at] ?? throw self::cut());
        $at++;
        // First what is frequent: short texts, small numbers, short lists and maps.
        if ($head >= 0xa0 && $head < 0xc0) {
            $at += $head - 0xa0;
            return substr($bytes, $at - $head + 0xa0, $head - 0xa0);
        }
        if ($head < 0x80) {
            return $head;
        }
        if ($head < 0x90) {
            return self::map($bytes, $at, $head - 0x80);
        }
        if ($head < 0xa0) {
            return self::list($bytes, $at, $head - 0x90);
        }
        if ($head >= 0xe0) {
            return $head - 0x100;
        }
        return match ($head) {
            0xc0 => null,
            0xc2 => false,
            0xc3 => true,
            0xcc => self::number($bytes, $at, 1),
            0xcd => self::number($bytes, $at, 2),
            0xce => self::number($bytes, $at, 4),
            0xcf => self::wholeNumber($bytes, $at),
            0xd0 => self::signed($bytes, $at, 1),
            0xd1 => self::signed($bytes, $at, 2),
            0xd2 => self::signed($bytes, $at, 4),
            0xd3 => self::number($bytes, $at, 8),
            0xd9 => self::text($bytes, $at, self::number($bytes, $at, 1)),
            0xda => self::text($bytes, $at, self::number($bytes, $at, 2)),
            0xdb => self::text($bytes, $at, self::number($bytes, $at, 4)),
            0xdc => self::list($bytes, $at, self::number($bytes, $at, 2)),
            0xdd => self::list($bytes, $at, self::number($bytes, $at, 4)),
            0xde => self::map($bytes, $at, self::number($bytes, $at, 2)),
            0xdf => self::map($bytes, $at, self::number($bytes, $at, 4)),
            default => throw self::unknown($head),
        };
    }

    /** Goes to the end of a value without unpacking it. */
    private static function pass(string $bytes, int &$at): void
    {
        for ($left = 1; $left > 0; $left--) {
            $head = ord($bytes[$at] ?? throw self::cut());
            $at++;
            if ($head >= 0xa0 && $head < 0xc0) {
                $at += $head - 0xa0;
            } elseif ($head < 0x80) {
                continue;
            } elseif ($head < 0x90) {
                $left += 2 * ($head - 0x80);
            } elseif ($head < 0xa0) {
                $left += $head - 0x90;
            } elseif ($head < 0xe0) {
                match ($head) {
                    0xc0, 0xc2, 0xc3 => null,
                    0xcc, 0xd0 => $at += 1,
                    0xcd, 0xd1 => $at += 2,
                    0xce, 0xd2 => $at += 4,
                    0xcf, 0xd3 => $at += 8,
                    0xd9 => $at += self::number($bytes, $at, 1),
                    0xda => $at += self::number($bytes, $at, 2),
                    0xdb => $at += self::number($bytes, $at, 4),
                    0xdc => $left += self::number($bytes, $at, 2),
                    0xdd => $left += self::number($bytes, $at, 4),
                    0xde => $left += 2 * self::number($bytes, $at, 2),
                    0xdf => $left += 2 * self::number($bytes, $at, 4),
                    default => throw self::unknown($head),
                };
            }
        }
    }

    private static function text(string $bytes, int &$at, int $size): string
    {
        $at += $size;
        return substr($bytes, $at - $size, $size);
    }

    /** @return list<mixed> */
    private static function list(string $bytes, int &$at, int $count): array
    {
        $list = [];
        while ($count-- > 0) {
            $list[] = self::value($bytes, $at);
        }
        return $list;
    }

    /** @return array<mixed> */
    private static function map(string $bytes, int &$at, int $count): array
    {
        $map = [];
        while ($count-- > 0) {
            $map[self::key($bytes, $at)] = self::value($bytes, $at);
        }
        return $map;
    }

    private static function mapCount(string $bytes, int &$at): int
    {
        $head = ord($bytes[$at++] ?? throw self::cut());
        return match (true) {
            $head >= 0x80 && $head < 0x90 => $head - 0x80,
            $head === 0xde => self::number($bytes, $at, 2),
            $head === 0xdf => self::number($bytes, $at, 4),
            default => throw new Unreadable('a body that is no map'),
        };
    }

    private static function key(string $bytes, int &$at): string
    {
        $key = self::value($bytes, $at);
        return is_string($key) ? $key : throw new Unreadable('a key that is no text');
    }

    /** A number of so many bytes, big-endian. One of eight bytes may be negative. */
    private static function number(string $bytes, int &$at, int $size): int
    {
        if ($at + $size > strlen($bytes)) {
            throw self::cut();
        }
        $at += $size;
        return match ($size) {
            1 => ord($bytes[$at - 1]),
            2 => unpack('n', $bytes, $at - 2)[1],
            4 => unpack('N', $bytes, $at - 4)[1],
            8 => unpack('J', $bytes, $at - 8)[1],
        };
    }

    private static function signed(string $bytes, int &$at, int $size): int
    {
        $number = self::number($bytes, $at, $size);
        $sign = 1 << 8 * $size - 1;
        return $number < $sign ? $number : $number - 2 * $sign;
    }

    private static function wholeNumber(string $bytes, int &$at): int
    {
        $number = self::number($bytes, $at, 8);
        return $number >= 0 ? $number : throw new Unreadable('a number beyond 2^63');
    }

    private static function packNumber(int $number): string
    {
        return match (true) {
            $number >= 0 => match (true) {
                $number < 0x80 => chr($number),
                $number < 0x100 => "\xcc" . chr($number),
                $number < 0x10000 => pack('Cn', 0xcd, $number),
                $number < 0x100000000 => pack('CN', 0xce, $number),
                default => pack('CJ', 0xcf, $number),
            },
            $number >= -0x20 => chr($number & 0xff),
            $number >= -0x80 => "\xd0" . chr($number & 0xff),
            $number >= -0x8000 => pack('Cn', 0xd1, $number & 0xffff),
            $number >= -0x80000000 => pack('CN', 0xd2, $number & 0xffffffff),
            default => pack('CJ', 0xd3, $number),
        };
    }

    /** @param array<mixed> $array */
    private static function packArray(array $array): string
    {
        $packed = '';
        if (array_is_list($array)) {
            foreach ($array as $entry) {
                $packed .= self::pack($entry);
            }
            return self::head(count($array), 0x90, 15, [null, 0xdc, 0xdd]) . $packed;
        }
        foreach ($array as $key => $entry) {
            $packed .= self::pack((string) $key) . self::pack($entry);
        }
        return self::head(count($array), 0x80, 15, [null, 0xde, 0xdf]) . $packed;
    }

    /**
     * The head of a text, list or map.
     *
     * @param array{?int, int, int} $forms The first byte where the count takes one, two, four more.
     */
    private static function head(int $count, int $short, int $shortest, array $forms): string
    {
        return match (true) {
            $count <= $shortest => chr($short + $count),
            $count < 0x100 && $forms[0] !== null => chr($forms[0]) . chr($count),
            $count < 0x10000 => pack('Cn', $forms[1], $count),
            default => pack('CN', $forms[2], $count),
        };
    }

    private static function expectEnd(string $bytes, int $at): void
    {
        if ($at !== strlen($bytes)) {
            throw $at > strlen($bytes) ? self::cut() : new Unreadable('bytes after a message');
        }
    }

    private static function cut(): Unreadable
    {
        return new Unreadable('a message that is cut short');
    }

    private static function unknown(int $head): Unreadable
    {
        return new Unreadable(sprintf('the byte %02x, which begins no value (SPEC 3.4)', $head));
    }
}
