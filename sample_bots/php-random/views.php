<?php

declare(strict_types=1);

// The views of all games, with a property for each field that SPEC.md lists (11.11, 12.11): a field
// `hand_sizes` is `$view->handSizes`. Generated from the tables of the games by
// `python -m tests.sample_bots.views --write` in arena's repository. Fields of a later server are
// passed over.

/** The round finished last. */
final readonly class PreviousRound
{
    public function __construct(
        /** Its number, from 1. */
        public int $round,
        /** Its dealer. */
        public int $dealer,
        /** Row 1: its first player. */
        public int $first,
        /** Row 2: the open box. */
        public string $discard,
        /** Row 3: a colour letter, or `-` for none. */
        public string $trump,
        /** Row 4: a colour letter, or `-` for none. */
        public string $supertrump,
        /** Row 5: what a trick and a piece of loot were worth. */
        public int $points,
        /** @var list<int> The first player's team, ascending. */
        public array $team,
        /** The seat that held the bonus card; null with 2 or 4 seats. */
        public ?int $bonus,
        /** @var list<int> By seat, the tricks taken. */
        public array $tricksWon,
        /** @var list<int> By seat, the loot captured. */
        public array $loot,
        /** @var list<int> By seat, the points of that round alone. */
        public array $scored,
        /** The seat that led its last trick. */
        public int $lastLeader,
        /** @var list<string> The cards of its last trick, in order of play. */
        public array $lastTrick,
        /** The seat that took it. */
        public int $lastWinner,
    ) {
    }

    /** @param array<mixed> $map */
    public static function from(array $map): self
    {
        return new self(
            $map['round'],
            $map['dealer'],
            $map['first'],
            $map['discard'],
            $map['trump'],
            $map['supertrump'],
            $map['points'],
            $map['team'],
            $map['bonus'] ?? null,
            $map['tricks_won'],
            $map['loot'],
            $map['scored'],
            $map['last_leader'],
            $map['last_trick'],
            $map['last_winner'],
        );
    }
}

/** A view of nyet, njet and njet-it. */
final readonly class TrickView
{
    public function __construct(
        /** The name of the rule set (11.1). */
        public string $game,
        /** How many sit at the table. */
        public int $seats,
        /** Your seat, from 0. */
        public int $seat,
        /** @var array<mixed> Every option of 11.7 with the value in force. */
        public array $options,
        /** The round being played, from 1. */
        public int $round,
        /** The match has at most so many rounds. */
        public int $rounds,
        /** `tokens`, `team`, `discard` (or pass) or `play`: what is asked for (11.3); `over`. */
        public string $phase,
        /** This round's dealer. */
        public int $dealer,
        /** The seat that owes a decision; null in phase `discard`, where all do, and when over. */
        public ?int $turn,
        /** @var list<int> By seat, the points of all finished rounds. */
        public array $scores,
        /**
         * @var list<string> Your cards, in the order of 11.10, copies repeated, without those you
         * have chosen to discard or pass.
         */
        public array $hand,
        /** @var list<int> By seat, the cards held; in phase `discard` still those dealt. */
        public array $handSizes,
        /** @var list<string> The boxes not covered, in the order of 11.10. */
        public array $open,
        /** @var list<string> The boxes covered this round, first to last. */
        public array $tokens,
        /** The seat that placed, or will place, the first token; the others follow clockwise. */
        public int $firstToken,
        /** Row 1: the first player; null until all rows are settled. */
        public ?int $first,
        /** Row 2: the open box, such as `1x`; null until settled. */
        public ?string $discard,
        /** Row 3: a colour letter, or `-` for none; null until settled. */
        public ?string $trump,
        /** Row 4: a colour letter, or `-` for none; null until settled. */
        public ?string $supertrump,
        /** Row 5: what a trick and a piece of loot are worth; null until settled. */
        public ?int $points,
        /**
         * @var ?list<int> The first player's team, ascending; all others are the other team; null
         * until chosen.
         */
        public ?array $team,
        /** The seat that holds the bonus card; null until chosen, and with 2 or 4 seats. */
        public ?int $bonus,
        /** @var list<string> The cards you have discarded or passed this round, as chosen. */
        public array $given,
        /** @var list<string> The cards passed to you this round, once all have chosen. */
        public array $received,
        /**
         * @var list<list<string>> Every trick of the round, each its cards in order of play; no
         * trick before phase `play`; in phase `play` the last is the open one, and may be empty.
         */
        public array $tricks,
        /** @var list<int> For each of `tricks`, the seat that led it. */
        public array $leaders,
        /** @var list<int> By seat, the tricks taken this round. */
        public array $tricksWon,
        /** @var list<int> By seat, the loot captured this round (11.6). */
        public array $loot,
        /** The round finished last; null in the first round. */
        public ?PreviousRound $previous,
    ) {
    }

    /** @param array<mixed> $map */
    public static function from(array $map): self
    {
        return new self(
            $map['game'],
            $map['seats'],
            $map['seat'],
            $map['options'],
            $map['round'],
            $map['rounds'],
            $map['phase'],
            $map['dealer'],
            $map['turn'] ?? null,
            $map['scores'],
            $map['hand'],
            $map['hand_sizes'],
            $map['open'],
            $map['tokens'],
            $map['first_token'],
            $map['first'] ?? null,
            $map['discard'] ?? null,
            $map['trump'] ?? null,
            $map['supertrump'] ?? null,
            $map['points'] ?? null,
            $map['team'] ?? null,
            $map['bonus'] ?? null,
            $map['given'],
            $map['received'],
            $map['tricks'],
            $map['leaders'],
            $map['tricks_won'],
            $map['loot'],
            isset($map['previous']) ? PreviousRound::from($map['previous']) : null,
        );
    }
}

/** What must be laid. */
final readonly class Demand
{
    public function __construct(
        /** How many cards. */
        public int $count,
        /** The letters of the colours, in the order `RGBY`. */
        public string $colours,
    ) {
    }

    /** @param array<mixed> $map */
    public static function from(array $map): self
    {
        return new self(
            $map['count'],
            $map['colours'],
        );
    }
}

/** The choice that made a demand. */
final readonly class Choice
{
    public function __construct(
        /** The seat that made it. */
        public int $by,
        /** The seat it named. */
        public int $to,
    ) {
    }

    /** @param array<mixed> $map */
    public static function from(array $map): self
    {
        return new self(
            $map['by'],
            $map['to'],
        );
    }
}

/** A turn that a seat has finished. */
final readonly class NopeTurn
{
    public function __construct(
        /** Counted from 1, over the turns of all seats. */
        public int $number,
        /** Of the demand. */
        public int $count,
        /** Of the demand. */
        public string $colours,
        /** How many cards were drawn. */
        public int $drawn,
        /**
         * @var list<string> Each card laid, in order, none being Nope; and the choice for a select,
         * if one was made.
         */
        public array $laid,
    ) {
    }

    /** @param array<mixed> $list */
    public static function from(array $list): self
    {
        return new self(
            $list[0],
            $list[1],
            $list[2],
            $list[3],
            array_slice($list, 4),
        );
    }
}

/** A view of nope. */
final readonly class NopeView
{
    public function __construct(
        /** `nope`. */
        public string $game,
        /** How many sit at the table. */
        public int $seats,
        /** Your seat, from 0. */
        public int $seat,
        /** @var array<mixed> Every option of 12.8 with the value in force. */
        public array $options,
        /**
         * `lay`: a turn (12.4); `set`: you have begun a set, which only you see yet; `choose`: a
         * select asks for its choice (12.5); `over`.
         */
        public string $phase,
        /** The dealer; the next seat began. */
        public int $dealer,
        /** The seat that owes a decision; null when over. */
        public ?int $turn,
        /** Turns finished so far, by all seats together. */
        public int $turns,
        /** @var list<string> Your cards, in the order of 12.10, copies repeated. */
        public array $hand,
        /** @var list<string> The cards of your set so far, no longer in `hand`. */
        public array $chosen,
        /** @var list<int> By seat, the cards held, those in `chosen` included. */
        public array $handSizes,
        /**
         * What must be laid (12.3): `{"count":2,"colours":"RG"}`, colours in the order `RGBY`; null
         * while a choice is open, and when over.
         */
        public ?Demand $demand,
        /**
         * The choice that made this demand: `{"by":0,"to":2}`, the seat that made it and the seat
         * it named; it stays under see-throughs, though another seat plays; null where a card made
         * it.
         */
        public ?Choice $choice,
        /** @var list<string> The whole discard pile, bottom to top. */
        public array $discard,
        /** How many cards the draw pile has. */
        public int $drawPile,
        /** @var list<int> The seats that are out, in the order they went. */
        public array $out,
        /**
         * Cards drawn so far in the turn being taken; in phase `choose` those drawn in the turn
         * that laid the select, 0 if it was opened first; 0 when over.
         */
        public int $drew,
        /**
         * @var list<list<NopeTurn>> By seat, its last four turns, oldest first. A turn is a list:
         * its number, counted from 1 over the turns of all seats as `turns` is; the count and the
         * colours demanded; how many cards were drawn; each card laid, in order, none being Nope;
         * and the choice for a select, if one was made: `[17,2,"RG",0,"SR","to2:3"]`.
         */
        public array $recent,
        /** @var ?list<int> By seat, its place, from 1; null until over. */
        public ?array $places,
        /** How the match ended (10.1); null until over. */
        public ?string $ending,
    ) {
    }

    /** @param array<mixed> $map */
    public static function from(array $map): self
    {
        return new self(
            $map['game'],
            $map['seats'],
            $map['seat'],
            $map['options'],
            $map['phase'],
            $map['dealer'],
            $map['turn'] ?? null,
            $map['turns'],
            $map['hand'],
            $map['chosen'],
            $map['hand_sizes'],
            isset($map['demand']) ? Demand::from($map['demand']) : null,
            isset($map['choice']) ? Choice::from($map['choice']) : null,
            $map['discard'],
            $map['draw_pile'],
            $map['out'],
            $map['drew'],
            array_map(
                fn (array $list): array => array_map(NopeTurn::from(...), $list),
                $map['recent'],
            ),
            $map['places'] ?? null,
            $map['ending'] ?? null,
        );
    }
}

final class Views
{
    /**
     * A view as one of TrickView, NopeView; null where its game is none of theirs.
     *
     * @param array<mixed> $map
     */
    public static function of(array $map): TrickView|NopeView|null
    {
        return match ($map['game'] ?? null) {
            'nyet', 'njet', 'njet-it' => TrickView::from($map),
            'nope' => NopeView::from($map),
            default => null,
        };
    }
}
