"""Who met whom, and who ever scored against whom: when a comparison of ratings has an answer.

Two bots without a chain of meetings between them share no scale. The maximum-likelihood strengths without a
prior exist if and only if the directed graph "i scored something against j" is strongly connected.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

BoolMatrix: TypeAlias = NDArray[np.bool_]


def components(met: BoolMatrix) -> list[list[int]]:
    """Split the nodes into the components of an undirected graph, ordered by their first nodes."""
    rows = _bit_rows(met | met.T)
    unseen = (1 << len(rows)) - 1
    found: list[list[int]] = []
    while unseen:
        reached = _reach(rows, _lowest(unseen), unseen)
        unseen &= ~reached
        found.append(_members(reached))
    return found


def strong_components(scored: BoolMatrix) -> list[list[int]]:
    """Split the nodes into strongly connected components; no edge leads from a later one to an earlier one.

    Kosaraju's two depth-first passes over rows of bits: every node costs a few operations on an integer of N
    bits.
    """
    forward, backward = _bit_rows(scored), _bit_rows(scored.T)
    unseen = (1 << len(forward)) - 1
    found: list[list[int]] = []
    for node in reversed(_finishing_order(forward)):
        if unseen >> node & 1:
            reached = _reach(backward, node, unseen)
            unseen &= ~reached
            found.append(_members(reached))
    return found


def reachable(edges: BoolMatrix, sources: list[int]) -> list[int]:
    """List the nodes that can be reached from the sources, these included."""
    rows = _bit_rows(edges)
    everything = (1 << len(rows)) - 1
    reached = 0
    for source in sources:
        if not reached >> source & 1:
            reached |= _reach(rows, source, everything & ~reached)
    return _members(reached)


def _bit_rows(matrix: BoolMatrix) -> list[int]:
    packed = np.packbits(matrix, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


def _members(bits: int) -> list[int]:
    return [node for node, bit in enumerate(reversed(f"{bits:b}")) if bit == "1"]


def _reach(rows: list[int], start: int, allowed: int) -> int:
    reached = 1 << start
    front = reached
    while front:
        node = _lowest(front)
        front &= front - 1
        fresh = rows[node] & allowed & ~reached
        reached |= fresh
        front |= fresh
    return reached


def _finishing_order(rows: list[int]) -> list[int]:
    """List the nodes in the order in which a depth-first search leaves them."""
    unseen = (1 << len(rows)) - 1
    order: list[int] = []
    for start in range(len(rows)):
        path = [start] if unseen >> start & 1 else []
        unseen &= ~(1 << start)
        while path:
            fresh = rows[path[-1]] & unseen
            if fresh:
                path.append(_lowest(fresh))
                unseen &= ~(1 << path[-1])
            else:
                order.append(path.pop())
    return order
