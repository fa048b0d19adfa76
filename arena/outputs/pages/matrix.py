"""The matrix of all pairs of bots: the share ahead of each against each.

A hundred bots make ten thousand cells, so they are put together here and not in a template.
"""

from __future__ import annotations

from markupsafe import Markup

from arena.league.table.standings import Standings
from arena.outputs.pages.words import likelihood, number, whole

# The tints of cells on each side of one half; each cell also shows its number.
STEPS = 5

_SAME = Markup('<td class="same"></td>')
_NEVER = Markup('<td class="never"><span class="offscreen">never met</span></td>')
_CELL = Markup(
    '<td class="{}"><span class="ahead">{}</span><span class="meetings">{}</span>'
    '<span class="better">{}</span></td>'
)


def tint(share: float) -> str:
    """Return the CSS class of a share: `u1` to `u5` above one half, `d1` to `d5` below, `even`."""
    step = min(STEPS, round(abs(share - 0.5) * 2 * STEPS + 0.2))
    return f"{'u' if share > 0.5 else 'd'}{step}" if step else "even"


def cells(standings: Standings) -> list[Markup]:
    """Return a row of cells for each bot, in the order of the table."""
    names = [row.name for row in standings.rows]
    rows = []
    for one in names:
        row = []
        for other in names:
            versus = standings.versus.get((one, other))
            if one == other:
                row.append(_SAME)
            elif versus is None:
                row.append(_NEVER)
            else:
                row.append(
                    _CELL.format(
                        tint(versus.ahead),
                        whole(versus.ahead),
                        number(versus.meetings),
                        likelihood(versus.superiority),
                    )
                )
        rows.append(Markup("").join(row))
    return rows
