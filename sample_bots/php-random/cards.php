<?php

declare(strict_types=1);

require_once __DIR__ . '/views.php';

/** Questions about cards that most ideas ask. */
final class Cards
{
    /** By game, the low rank (11.1): the supertrump has it. */
    private const LOW = ['nyet' => 1, 'njet' => 0, 'njet-it' => 1];
    private const ALL_COLOURS = 'RGBY';

    // The trick games (11.4, 11.5).

    /** The number on a card: 13 of "R13". */
    public static function rank(string $card): int
    {
        return (int) substr($card, 1);
    }

    /**
     * The letter of the suit that a card has this round: its colour, or in nyet the trump colour if
     * it is a supertrump.
     */
    public static function suit(string $card, TrickView $view): string
    {
        return $view->game === 'nyet' && self::isSupertrump($card, $view) ? $view->trump : $card[0];
    }

    /** Whether a card is a supertrump this round. */
    public static function isSupertrump(string $card, TrickView $view): bool
    {
        return $card[0] === $view->supertrump && self::rank($card) === self::LOW[$view->game];
    }

    /**
     * How strong a card is in a trick that began with the card `$led`, which may be the same. The
     * highest takes the trick; of equal ones the later.
     */
    public static function strength(string $card, string $led, TrickView $view): int
    {
        return match (true) {
            self::isSupertrump($card, $view) => 300,
            $card[0] === $view->trump => 200 + self::rank($card),
            self::suit($card, $view) === self::suit($led, $view) => 100 + self::rank($card),
            default => self::rank($card),
        };
    }

    /**
     * The cards of the open trick, in order of play; empty before the first of them, and before the
     * tricks. (PHP has end() for the last of a list, but not where the list may not be changed.)
     *
     * @return list<string>
     */
    public static function openTrick(TrickView $view): array
    {
        return array_slice($view->tricks, -1)[0] ?? [];
    }

    /** The seat that takes the open trick as it lies; null if nobody has played to it. */
    public static function taker(TrickView $view): ?int
    {
        $best = null;
        $trick = self::openTrick($view);
        foreach ($trick as $place => $card) {
            $strength = self::strength($card, $trick[0], $view);
            if ($best === null || $strength >= $best) {
                $best = $strength;
                $taking = $place;
            }
        }
        $leader = $view->leaders[array_key_last($view->leaders)] ?? 0;
        return $best === null ? null : ($leader + $taking) % $view->seats;
    }

    /**
     * The other seats of your team; none before the teams are made.
     *
     * @return list<int>
     */
    public static function teammates(TrickView $view): array
    {
        return array_values(array_filter(
            range(0, $view->seats - 1),
            fn (int $seat): bool => $seat !== $view->seat && self::isWithMe($seat, $view),
        ));
    }

    /** Whether the tricks of a seat are yours too: it is your own, or in your team. */
    public static function isWithMe(int $seat, TrickView $view): bool
    {
        if ($view->team === null) { // The teams are not made yet.
            return $seat === $view->seat;
        }
        return in_array($seat, $view->team, true) === in_array($view->seat, $view->team, true);
    }

    // NOPE! (12.1). In `legal` an action card that is laid alone ends in "!" (12.10): "X!" is the
    // card "X". These take both.

    /** The letters of the colours that a card shows: "RG" of "RG2", all four of a joker. */
    public static function colours(string $card): string
    {
        return match (true) {
            in_array(rtrim($card, '!'), ['J', 'X', 'S*'], true) => self::ALL_COLOURS,
            $card[0] === 'T', $card[0] === 'S' => $card[1],
            default => rtrim($card, '123'),
        };
    }

    /** Whether a card shows this colour. */
    public static function shows(string $card, string $colour): bool
    {
        return str_contains(self::colours($card), $colour);
    }

    /** The number of a card, from 1 to 3, a joker's being 1; null for action cards. */
    public static function number(string $card): ?int
    {
        $last = substr($card, -1);
        return match (true) {
            $card === 'J' => 1,
            str_contains('123', $last) => (int) $last,
            default => null,
        };
    }
}
