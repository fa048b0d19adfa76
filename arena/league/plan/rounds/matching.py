"""Pairs of least total cost, exact, for tables of two.

Edmonds' algorithm with dual variables. Each vertex has a price, and a pair can be matched only when
its cost equals the prices of the two (a tight pair). From every vertex that is still single a tree
of alternating tight pairs grows: its even vertices are those that a path from the root reaches by a
matched pair, and the root. A tight pair between two trees makes a path along which pairs are
exchanged, so that two more vertices are matched. An odd cycle of tight pairs in one tree is shrunk
to a blossom, which then counts as one vertex. When no pair is tight, the prices of even vertices
rise and those of odd ones fall until one is. No price ever lets a pair cost less than the two
prices, so the pairs matched at the end are the cheapest there are.

A round of 100 bots takes some hundredths of a second.
"""

from __future__ import annotations

import numpy as np

from arena.league.plan.counts import Ints

EVEN, ODD, NO_TREE = 1, -1, 0

FAR = 1 << 61
"""The cost of two that cannot be matched; no sum of costs and prices comes near."""


class NoPairs(ValueError):
    """The vertices cannot all be matched."""


def cheapest_pairs(cost: Ints, forbidden: np.typing.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Match all vertices in pairs of least total cost. `cost`: symmetric, from 0 to 2**51, for an
    even number of vertices. Raises NoPairs if `forbidden` leaves no way."""
    matching = Matching(cost, forbidden)
    for _ in range(len(cost) // 2):
        matching.match_two_more()
    return [(one, int(other)) for one, other in enumerate(matching.mate) if one < other]


class Matching:
    """A matching that grows by two vertices at a time. Vertices and blossoms share their numbers:
    those from len(cost) on are blossoms."""

    def __init__(self, cost: Ints, forbidden: np.typing.NDArray[np.bool_]):
        vertices = len(cost)
        self._vertices = vertices
        # Twice the cost, so that prices, which meet in the middle, stay whole numbers.
        self._cost = np.where(forbidden | np.eye(vertices, dtype=bool), FAR, 2 * cost)
        lowest = int(self._cost.min(initial=FAR))
        self._price = np.full(vertices, lowest // 2 if lowest < FAR else 0)
        self.mate = np.full(vertices, -1)
        self._top = np.arange(vertices)  # by vertex: the outermost blossom around it, or itself
        self._label = np.zeros(2 * vertices, np.int64)
        self._base = list(range(2 * vertices))  # the vertex that is matched outside, or single
        self._via: dict[int, tuple[int, int]] = {}  # of odd tops: the edge to it, from its parent
        self._children: dict[int, list[int]] = {}  # of blossoms: a cycle that begins at the base
        self._edges: dict[int, list[tuple[int, int]]] = {}  # from each child to the next
        self._surplus: dict[int, int] = {}  # of blossoms: the price for leaving it by two pairs
        self._free = list(range(2 * vertices - 1, vertices - 1, -1))  # numbers for blossoms

    def __repr__(self) -> str:
        return f"<Matching of {self._vertices} vertices>"

    def match_two_more(self) -> None:
        """Grow trees until a path joins two single vertices, and exchange the pairs along it."""
        self._label[:] = NO_TREE
        self._via.clear()
        self._label[self._top[self.mate < 0]] = EVEN
        while True:
            edge, blossom = self._next_event()
            if blossom is not None:
                self._expand(blossom)
                continue
            one, other = edge
            if self._label[self._top[other]] == NO_TREE:
                self._grow(one, other)
                continue
            paths = self._path(one), self._path(other)
            if paths[0][-1] != paths[1][-1]:
                self._augment(one, other)
                self._augment(other, one)
                return
            self._shrink(one, other, *paths)

    def _next_event(self) -> tuple[tuple[int, int], int | None]:
        """Change the prices until something can happen; return a tight pair from an even vertex, or
        an odd blossom that has no surplus left and must open."""
        label = self._label[self._top]
        even = np.flatnonzero(label == EVEN)
        slack = self._cost[even] - self._price[even, None] - self._price
        slack[:, label == EVEN] //= 2  # both ends rise
        slack[(label == ODD) | (self._top[even, None] == self._top)] = FAR
        at = int(slack.argmin())
        row, other = divmod(at, self._vertices)
        step, blossom = int(slack[row, other]), None
        for number, surplus in self._surplus.items():
            if self._label[number] == ODD and surplus // 2 < step and self._is_top(number):
                step, blossom = surplus // 2, number
        if step > FAR // 4:
            raise NoPairs("no way to match all")
        if step:
            self._price += step * label
            for number in self._surplus:
                if self._is_top(number):
                    self._surplus[number] += 2 * step * int(self._label[number])
        return (int(even[row]), other), blossom

    def _is_top(self, blossom: int) -> bool:
        return bool(self._top[self._base[blossom]] == blossom)

    def _grow(self, even: int, other: int) -> None:
        """Add a matched pair of no tree to the tree of `even`, by the edge to `other`."""
        top = int(self._top[other])
        self._label[top] = ODD
        self._via[top] = even, other
        self._label[self._top[self.mate[self._base[top]]]] = EVEN

    def _path(self, vertex: int) -> list[int]:
        """Return the tops from that of an even vertex to the root of its tree."""
        path = [int(self._top[vertex])]
        while (mate := int(self.mate[self._base[path[-1]]])) >= 0:
            odd = int(self._top[mate])
            path += [odd, int(self._top[self._via[odd][0]])]
        return path

    def _augment(self, vertex: int, partner: int) -> None:
        """Match an even vertex with `partner`, and exchange the pairs from there to the root."""
        while True:
            top = int(self._top[vertex])
            before = int(self.mate[self._base[top]])
            self._turn(top, vertex)
            self.mate[vertex] = partner
            if before < 0:
                return
            odd = int(self._top[before])
            vertex, partner = self._via[odd]
            self._turn(odd, partner)
            self.mate[partner] = vertex

    def _turn(self, top: int, vertex: int) -> None:
        """Exchange the pairs inside a blossom so that `vertex` becomes its base."""
        if top < self._vertices:
            return
        children, edges = self._children[top], self._edges[top]
        at = self._child_with(top, vertex)
        self._turn(children[at], vertex)
        # From the child to the base of now, along the side of the cycle with an even number of
        # edges; the cycle is matched in pairs from its base on.
        exchanged = edges[at + 1 :: 2] if at % 2 else edges[0:at:2]
        for one, other in exchanged:
            for end in (one, other):
                self._turn(children[self._child_with(top, end)], end)
            self.mate[one], self.mate[other] = other, one
        self._children[top] = children[at:] + children[:at]
        self._edges[top] = edges[at:] + edges[:at]
        self._base[top] = vertex

    def _child_with(self, blossom: int, vertex: int) -> int:
        return next(
            at for at, child in enumerate(self._children[blossom]) if vertex in self._members(child)
        )

    def _members(self, top: int) -> list[int]:
        """Return the vertices of a blossom."""
        if top < self._vertices:
            return [top]
        return [vertex for child in self._children[top] for vertex in self._members(child)]

    def _shrink(self, one: int, other: int, to_one: list[int], to_other: list[int]) -> None:
        """Make a blossom of the cycle that an edge between two even vertices of a tree closes.

        `to_one`, `to_other`: the tops from each end of the edge to the root.
        """
        while len(to_one) > 1 and len(to_other) > 1 and to_one[-2] == to_other[-2]:
            to_one.pop()
            to_other.pop()
        blossom = self._free.pop()
        down, up = to_one[::-1], to_other[:-1]
        self._children[blossom] = down + up
        forward = [(a, b) for b, a in self._edges_up(to_one)][::-1]
        self._edges[blossom] = [*forward, (one, other), *self._edges_up(to_other)]
        self._base[blossom] = self._base[down[0]]
        self._surplus[blossom] = 0
        self._label[blossom] = EVEN
        self._top[self._members(blossom)] = blossom

    def _edges_up(self, path: list[int]) -> list[tuple[int, int]]:
        """Return the edges along a path of tops towards the root."""
        edges = []
        for even, odd in zip(path[:-1:2], path[1::2], strict=True):
            base = self._base[even]
            parent, end = self._via[odd]
            edges += [(base, int(self.mate[base])), (end, parent)]
        return edges

    def _expand(self, blossom: int) -> None:
        """Open an odd blossom; the part of its cycle from its parent to its base stays in the
        tree, the rest leaves it."""
        children, edges = self._children.pop(blossom), self._edges.pop(blossom)
        parent, vertex = self._via.pop(blossom)
        for child in children:
            self._top[self._members(child)] = child
            self._label[child] = NO_TREE
        del self._surplus[blossom]
        self._label[blossom] = NO_TREE
        self._free.append(blossom)
        at = children.index(int(self._top[vertex]))
        if at % 2:  # forward to the base, which is behind the last
            along = [*children[at:], children[0]]
            steps = edges[at:]
        else:
            along = children[at::-1]
            steps = [(b, a) for a, b in edges[:at]][::-1]
        for place, child in enumerate(along):
            self._label[child] = EVEN if place % 2 else ODD
            if not place % 2:
                self._via[child] = (parent, vertex) if place == 0 else steps[place - 1]
