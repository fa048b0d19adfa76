"""Simulated machines that play simulated bots, for what decides about lanes and jobs."""

from __future__ import annotations

from dataclasses import dataclass

from arena.league.play.lanes.looks import LATER, Charged, Look, Used

SECONDS = 0.5
REFEREE_US = 30.0
DECISION_MS = 100


@dataclass(frozen=True)
class Bots:
    """What a decision of each bot takes: processor time here, and waiting."""

    burns_us: float = 0.0
    waits_us: float = 0.0
    long_us: float = 0.0  # burnt by one decision of a hundred, beside
    elsewhere: bool = False  # its processor time is not of this machine


QUICK = Bots(burns_us=10)
WAITING = Bots(burns_us=20, waits_us=20_000)
REMOTE = Bots(burns_us=50_000, elsewhere=True)
THINKING = Bots(burns_us=50_000)
SELDOM_THINKING = Bots(burns_us=10, long_us=60_000)
HALF_THINKING = Bots(burns_us=25_000, waits_us=25_000)


@dataclass
class Simulated:
    """Cores that are shared by a referee and its bots, without any loss."""

    cores: int
    bots: Bots
    noise: float = 0.0  # cores that other programs use

    def look(self, lanes: int) -> Look:
        """The next half second with so many lanes."""
        bots = self.bots
        mean_us = bots.burns_us + bots.long_us / 100
        here_us = 0.0 if bots.elsewhere else mean_us
        elsewhere_us = bots.waits_us + (mean_us if bots.elsewhere else 0.0)
        rate = min(
            lanes * 1e6 / (REFEREE_US + here_us + elsewhere_us),
            1e6 / REFEREE_US,  # it has one thread
            (self.cores - self.noise) * 1e6 / (REFEREE_US + here_us),
        )
        refereeing, thinking = rate * REFEREE_US / 1e6, rate * here_us / 1e6 + self.noise
        decisions = int(rate * SECONDS)
        charged_us = mean_us + bots.waits_us
        bound_us = 1000 * LATER * DECISION_MS
        slow = decisions if bots.burns_us + bots.waits_us > bound_us else 0
        slow_us = charged_us * slow
        if bots.long_us:
            slow, slow_us = decisions // 101, bots.long_us * decisions / 101
        charged = Charged(decisions, int(charged_us * decisions), slow, int(slow_us))
        idle = max(0.0, self.cores - refereeing - thinking)
        return Look(Used(SECONDS, idle, refereeing, thinking), charged, lanes)
