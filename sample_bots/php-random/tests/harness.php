<?php

declare(strict_types=1);

// A few functions instead of a framework, so that the tests need nothing but PHP.

/** Runs a test; what it throws is its failure. */
function test(string $name, callable $body): void
{
    Results::$run++;
    try {
        $body();
    } catch (Throwable $problem) {
        Results::$failed++;
        $where = basename($problem->getFile()) . ':' . $problem->getLine();
        echo "FAILED  $name\n        {$problem->getMessage()} ($where)\n";
    }
}

final class Results
{
    public static int $run = 0;
    public static int $failed = 0;
}

function check(bool $holds, string $otherwise): void
{
    if (!$holds) {
        throw new Exception($otherwise);
    }
}

/** Whether two values are the same; the order of the keys of a map does not matter. */
function same(mixed $expected, mixed $came): void
{
    $words = json_encode($came) . "\n        instead of " . json_encode($expected);
    check(sorted($expected) === sorted($came), $words);
}

function sorted(mixed $value): mixed
{
    if (!is_array($value)) {
        return $value;
    }
    if (!array_is_list($value)) {
        ksort($value);
    }
    return array_map(sorted(...), $value);
}

/** @return Throwable What the body throws, which must be of this class. */
function thrown(string $class, callable $body): Throwable
{
    try {
        $body();
    } catch (Throwable $problem) {
        check($problem instanceof $class, get_class($problem) . " instead of $class");
        return $problem;
    }
    throw new Exception("nothing was thrown instead of $class");
}

/**
 * All vectors of a file: in the folder that ARENA_VECTORS names, else in `vectors` of this bot,
 * else where they are in arena's repository.
 *
 * @return list<array<mixed>>
 */
function vectors(string $file): array
{
    $here = dirname(__DIR__);
    $folders = ["$here/vectors", "$here/../../protocol/vectors"];
    $folder = getenv('ARENA_VECTORS') ?: current(array_filter($folders, is_dir(...)));
    if ($folder === false) {
        fwrite(STDERR, "no vectors: set ARENA_VECTORS to arena's folder protocol/vectors\n");
        exit(1);
    }
    $text = @file_get_contents("$folder/$file.json");
    if ($text === false) {
        fwrite(STDERR, "$folder/$file.json is not there:"
            . " ARENA_VECTORS should be arena's folder protocol/vectors\n");
        exit(1);
    }
    return json_decode($text, true, flags: JSON_THROW_ON_ERROR)['vectors'];
}
