<?php

declare(strict_types=1);

// What the environment says (SPEC 2.1), checked.

/** A variable is missing or cannot be used; the text says which, and what it should be. */
final class BadSetting extends Exception
{
}

final class Settings
{
    /** Where ARENA_CONNECT points (2.2), as PHP writes it: unix://PATH or tcp://HOST:PORT. */
    public static function place(string|false $address): string
    {
        if (preg_match('/^unix:(.+)$/Ds', (string) $address, $found)) {
            return "unix://$found[1]";
        }
        if (preg_match('/^tcp:((?:\[[^\]]+\]|[^\[\]:]+):\d+)$/D', (string) $address, $found)) {
            return "tcp://$found[1]";
        }
        throw new BadSetting('ARENA_CONNECT ' . self::came($address)
            . '; expected unix:PATH or tcp:HOST:PORT, the address of the server (SPEC 2.2)');
    }

    /** The text of ARENA_TOKEN, unchanged (2.3). */
    public static function token(string|false $text): string
    {
        $fits = preg_match('/^.{1,128}$/Dsu', (string) $text);
        if ($text !== false && $fits === 1) {
            return $text;
        }
        // It is a secret, so it is not shown.
        $problem = match (true) {
            $text === false, $text === '' => self::came($text),
            $fits === false => 'is not UTF-8',
            default => 'has more than 128 characters',
        };
        throw new BadSetting("ARENA_TOKEN $problem; expected the token of this bot,"
            . ' a text of at most 128 characters (SPEC 2.1)');
    }

    /** The seconds in ARENA_RETRY_S (2.5); null where it is not set. */
    public static function pause(string|false $seconds): ?float
    {
        if ($seconds === false) {
            return null;
        }
        if (is_numeric($seconds) && $seconds >= 0 && is_finite((float) $seconds)) {
            return (float) $seconds;
        }
        throw new BadSetting('ARENA_RETRY_S ' . self::came($seconds)
            . '; expected seconds, such as 5 (SPEC 2.5)');
    }

    private static function came(string|false $value): string
    {
        return $value === false ? 'is not set' : "is \"$value\"";
    }
}
