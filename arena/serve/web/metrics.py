"""Figures for Prometheus: counts and times, never a name or an address of a visitor."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.process_collector import ProcessCollector

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class ServeMetrics:
    """The figures of one server."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self.requests = Counter(
            "arena_requests", "Requests answered", ["status"], registry=self._registry
        )
        self.seconds = Histogram(
            "arena_request_seconds",
            "From a request to the end of its answer, streams left out",
            registry=self._registry,
        )
        self.watchers = Gauge(
            "arena_watchers", "Open streams", ["league", "stream"], registry=self._registry
        )
        self.cursor = Gauge(
            "arena_last_event", "Number of the last event told", ["league"], registry=self._registry
        )
        self.behind = Gauge(
            "arena_seconds_since_look",
            "Since a league was last looked at with success",
            ["league"],
            registry=self._registry,
        )

    def text(self) -> bytes:
        """Return the page that Prometheus reads."""
        return generate_latest(self._registry)
