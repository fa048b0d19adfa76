<?php

declare(strict_types=1);

require_once __DIR__ . '/cards.php';
require_once __DIR__ . '/high.php';
require_once __DIR__ . '/request.php';

/**
 * Your idea goes here: a request comes in, one of the texts in `$request->legal` goes out.
 *
 * `$request->view()` is what your seat may know, with a property for each field that views.php
 * lists, and `$request->timeUs` how long you have, in microseconds (6.2). How a view is read:
 *
 *     $view = $request->view();
 *     if ($view instanceof TrickView && $view->phase === 'play') {
 *         // A card is asked for: $view->hand, $view->trump and Cards::taker($view) help to choose.
 *     }
 *
 * A view holds all that matters for the decision, so that nothing need be kept between two calls.
 */
function decide(Request $request): string
{
    return $request->legal[array_rand($request->legal)];
}
