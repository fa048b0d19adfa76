<?php

declare(strict_types=1);

require_once __DIR__ . '/msgpack.php';
require_once __DIR__ . '/views.php';

/** A request (SPEC 4.4), as `decide` gets it. */
final class Request
{
    /** @var ?array<mixed> */
    private ?array $fields = null;
    private TrickView|NopeView|null $view = null;

    public function __construct(
        /** The name of the match. */
        public readonly string $match,
        /** Counts up from 1 on each connection. */
        public readonly int $id,
        /** @var non-empty-list<string> The texts that you may answer with. */
        public readonly array $legal,
        /** Microseconds until you are late (6.2). */
        public readonly int $timeUs,
        /** Microseconds that your last decision was counted as. */
        public readonly int $chargedUs,
        private readonly Packed $packed,
    ) {
    }

    /** @param array<mixed> $message */
    public static function from(array $message): self
    {
        return new self(
            $message['match'],
            $message['id'],
            $message['legal'],
            $message['time_us'],
            $message['charged_us'],
            $message['view'],
        );
    }

    /**
     * What your seat may know (10.3): a TrickView (11.11), a NopeView (12.11), or null where
     * views.php does not know the game. It is unpacked when it is first asked for.
     */
    public function view(): TrickView|NopeView|null
    {
        return $this->view ??= Views::of($this->fields());
    }

    /**
     * The view as it came, with the fields of every game, also of one that is not invented yet.
     *
     * @return array<mixed>
     */
    public function fields(): array
    {
        return $this->fields ??= $this->packed->unpack();
    }
}
