<?php

declare(strict_types=1);

require_once __DIR__ . '/cards.php';
require_once __DIR__ . '/request.php';

/**
 * A rule of thumb for the tricks of the trick games; tokens, teams, discards and NOPE! go by lot.
 *
 * Lead the strongest card. Take a trick with the weakest card that takes it; if a teammate has it,
 * or if it cannot be had, play the weakest card. In a round in which tricks cost points, lead low
 * and stay below the trick with the strongest card that does not take it.
 */
function high(Request $request): string
{
    $view = $request->view();
    $legal = $request->legal;
    if (!$view instanceof TrickView || $view->phase !== 'play') {
        return $legal[array_rand($legal)];
    }

    $trick = Cards::openTrick($view);
    $strength = fn (string $card): int => Cards::strength($card, $trick[0] ?? $card, $view);
    usort($legal, fn (string $a, string $b): int => $strength($a) <=> $strength($b));
    $weakest = $legal[0];
    $strongest = $legal[array_key_last($legal)];
    $costly = $view->points < 0;
    if ($trick === []) {
        return $costly ? $weakest : $strongest;
    }

    $toBeat = max(array_map($strength, $trick));
    // Of two equally strong cards the later takes the trick (11.5).
    $taking = array_filter($legal, fn (string $card): bool => $strength($card) >= $toBeat);
    $losing = array_filter($legal, fn (string $card): bool => $strength($card) < $toBeat);
    if ($costly) {
        return $losing === [] ? $strongest : end($losing);
    }
    if ($taking === [] || Cards::isWithMe(Cards::taker($view), $view)) {
        return $weakest;
    }
    return reset($taking);
}
