<?php

declare(strict_types=1);

// The loop of messages: hello, then an action for every request, until bye. Your idea goes into
// decide.php; wire.php brings the messages. Numbers in comments are sections of SPEC.md.

ini_set('display_errors', 'stderr');
ini_set('log_errors', '0'); // Or they would come twice.
ini_set('memory_limit', '-1'); // The league has a limit of its own (2.4).

require_once __DIR__ . '/wire.php';
require_once __DIR__ . '/request.php';
require_once __DIR__ . '/decide.php';

/**
 * One connection, from hello to bye.
 *
 * @return array<mixed> The bye.
 */
function play(Link $link, string $token): array
{
    // 4.1: the token says which entrant this is; the rest is for people.
    $link->say([
        'type' => 'hello', 'protocol' => 1, 'token' => $token,
        'version' => '1.0', 'language' => 'PHP',
    ]);
    while (true) {
        $message = $link->hear();
        switch ($message['type'] ?? null) {
            case 'request': // 4.4: a decision is owed, and the clock runs.
                $request = Request::from($message);
                $link->say([
                    'type' => 'action', 'match' => $request->match, 'id' => $request->id,
                    'action' => decide($request),
                ]);
                break;
            case 'fault': // 4.6: what this bot did wrong, in words. It wants no answer.
                fwrite(STDERR, $message['text'] . "\n");
                break;
            case 'bye': // 4.8: the server hangs up, and says why.
                return $message;
        }
        // 4: everything else may be passed over, also what is not invented yet.
    }
}

/**
 * Connects and plays. Where the connection fails, the reason is "lost" and the text says how.
 *
 * @return array<mixed> The bye.
 */
function session(string|false $address, string $token): array
{
    try {
        return play(Link::dial($address), $token);
    } catch (Lost $lost) {
        return ['reason' => 'lost', 'text' => $lost->getMessage()];
    }
}

const WELL = ['done', 'stopping', 'replaced']; // 4.8: the session went well.
const AGAIN = ['lost', 'stopping', 'hung', 'token-in-use']; // 2.5: a bot that dials in comes again.

/** Returns the exit code. */
function main(): int
{
    $token = Settings::token(getenv('ARENA_TOKEN'));
    $pause = Settings::pause(getenv('ARENA_RETRY_S')); // 2.5: only bots that dial in have it.
    while (true) {
        $bye = session(getenv('ARENA_CONNECT'), $token);
        $isWell = in_array($bye['reason'], WELL, true);
        if (!$isWell) {
            fwrite(STDERR, $bye['text'] . "\n");
        }
        if ($pause === null || !in_array($bye['reason'], AGAIN, true)) {
            return $isWell ? 0 : 1;
        }
        usleep((int) ($pause * 1_000_000));
    }
}

try {
    exit(main());
} catch (BadSetting $bad) {
    fwrite(STDERR, $bad->getMessage() . "\n");
    exit(1);
}
