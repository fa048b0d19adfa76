<?php

declare(strict_types=1);

// The typed views, the questions about cards, and that decide and high play what is legal.

require_once __DIR__ . '/../cards.php';
require_once __DIR__ . '/../decide.php';
require_once __DIR__ . '/../high.php';
require_once __DIR__ . '/../wire.php';

function viewOf(string $hex): TrickView|NopeView|null
{
    return Views::of(Msgpack::unpack(hex2bin($hex)));
}

/** The maps and lists that objects were made from. */
function asItCame(mixed $value): mixed
{
    if ($value instanceof NopeTurn) {
        return [$value->number, $value->count, $value->colours, $value->drawn, ...$value->laid];
    }
    if (is_object($value)) {
        $fields = [];
        foreach (get_object_vars($value) as $name => $each) {
            $fields[strtolower(preg_replace('/[A-Z]/', '_$0', $name))] = $each;
        }
        $value = $fields;
    }
    return is_array($value) ? array_map(asItCame(...), $value) : $value;
}

foreach (vectors('following') as $vector) {
    test("following: $vector[name]", function () use ($vector) {
        $view = viewOf($vector['hex']);
        same($vector['view'], asItCame($view));
        $asked = Cards::suit(Cards::openTrick($view)[0], $view);
        $answers = fn (string $card): bool => Cards::suit($card, $view) === $asked;
        $answering = array_filter($view->hand, $answers);
        same($vector['may_play'], array_values($answering ?: $view->hand));
    });
}

foreach (vectors('tricks') as $vector) {
    test("tricks: $vector[name]", function () use ($vector) {
        $view = viewOf($vector['hex']);
        same($vector['view'], asItCame($view));
        same($vector['taken_by'], Cards::taker($view));
        same($vector['teammates'], Cards::teammates($view));
    });
}

foreach (vectors('showing') as $vector) {
    test("showing: $vector[name]", function () use ($vector) {
        ['card' => $card, 'colours' => $colours, 'number' => $number] = $vector;
        same($colours, Cards::colours($card));
        foreach (str_split('RGBY') as $colour) {
            same(str_contains($colours, $colour), Cards::shows($card, $colour));
        }
        same($number, Cards::number($card));
        if ($number === null) {
            // An action card laid alone (12.10) is the same card.
            same($colours, Cards::colours("$card!"));
            same(null, Cards::number("$card!"));
        }
    });
}

foreach (vectors('conversations') as $vector) {
    foreach ($vector['steps'] as $place => $step) {
        if ($step['from'] !== 'server' || $step['message']['type'] !== 'request') {
            continue;
        }
        foreach (['decide', 'high'] as $function) {
            $name = "$function answers $vector[name], step $place";
            test($name, function () use ($step, $function) {
                $body = substr(hex2bin($step['hex']), 4);
                $request = Request::from(Msgpack::unpackMap($body, later: 'view'));
                $action = $function($request);
                check(in_array($action, $request->legal, true), "$action is not legal");
                // Fields of a later server are passed over.
                $fields = asItCame($request->view());
                same($fields, array_intersect_key($step['message']['view'], $fields));
            });
        }
    }
}
