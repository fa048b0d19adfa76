"""Who stands how against whom. A hundred bots make ten thousand cells, so they are put together
here and not in a template."""

from __future__ import annotations

from markupsafe import Markup

from arena.league.standings import Standings
from arena.outputs.pages.words import likelihood, number, whole

# Cells are tinted in so many steps to each side of one half; the number stands in each as well.
STEPS = 5

_SAME = Markup('<td class="same"></td>')
_NEVER = Markup('<td class="never"><span class="offscreen">never met</span></td>')
_CELL = Markup(
    '<td class="{}"><span class="ahead">{}</span><span class="meetings">{}</span>'
    '<span class="better">{}</span></td>'
)


def tint(share: float) -> str:
    """The class of a share: `u1` to `u5` above one half, `d1` to `d5` below, `even`."""
    step = min(STEPS, round(abs(share - 0.5) * 2 * STEPS + 0.2))
    return f"{'u' if share > 0.5 else 'd'}{step}" if step else "even"


def cells(standings: Standings) -> list[Markup]:
    """A row of cells for each bot, in the order of the table."""
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
