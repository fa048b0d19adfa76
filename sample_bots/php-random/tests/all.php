<?php

declare(strict_types=1);

// Runs every test of this folder: `php tests/all.php`.

ini_set('display_errors', 'stderr');
ini_set('log_errors', '0');
// A warning is a failure.
set_error_handler(function (int $level, string $text, string $file, int $line): bool {
    if ((error_reporting() & $level) === 0) {
        return false; // Suppressed with @.
    }
    throw new ErrorException($text, 0, $level, $file, $line);
});

require_once __DIR__ . '/harness.php';
foreach (glob(__DIR__ . '/*_test.php') as $file) {
    require_once $file;
}
echo Results::$run . ' tests, ' . Results::$failed . " failed\n";
exit(Results::$failed > 0 || Results::$run === 0 ? 1 : 0);
