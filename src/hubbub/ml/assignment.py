"""The assignment problem: the pairing of rows with columns that has the largest sum.

Exact, by the Hungarian method on each connected part of a sparse table: O(rows^2 * columns) a part.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def max_assignment(table: Mapping[tuple[int, int], int]) -> int:
    """The largest sum of cells of which no two share a row or a column; `table` holds the cells above zero."""
    return sum(_best_of_part(part) for part in _parts(table))


def _parts(table: Mapping[tuple[int, int], int]) -> list[dict[tuple[int, int], int]]:
    """The table cut into parts that share neither rows nor columns."""
    columns_of: dict[int, list[int]] = {}
    rows_of: dict[int, list[int]] = {}
    for row, column in table:
        columns_of.setdefault(row, []).append(column)
        rows_of.setdefault(column, []).append(row)
    parts = []
    while columns_of:
        rows, waiting = set(), [next(iter(columns_of))]
        cells: dict[tuple[int, int], int] = {}
        while waiting:
            row = waiting.pop()
            if row not in rows:
                rows.add(row)
                for column in columns_of.pop(row):
                    cells[row, column] = table[row, column]
                    waiting.extend(rows_of.pop(column, ()))
        parts.append(cells)
    return parts


def _best_of_part(cells: Mapping[tuple[int, int], int]) -> int:
    rows = {row: number for number, row in enumerate(dict.fromkeys(row for row, _ in cells))}
    columns = {column: number for number, column in enumerate(dict.fromkeys(column for _, column in cells))}
    if min(len(rows), len(columns)) == 1:
        return max(cells.values())
    import numpy as np

    weights = np.zeros((len(rows), len(columns)))
    for (row, column), count in cells.items():
        weights[rows[row], columns[column]] = count
    if len(rows) > len(columns):
        weights = weights.T
    return int(sum(weights[row, column] for row, column in enumerate(assign_rows(weights))))


def assign_rows(weights: Any) -> list[int]:
    """The column of each row in the best pairing of a dense table that has no more rows than columns.

    Rows are added one after the other along shortest augmenting paths (Jonker and Volgenant 1987).
    """
    import numpy as np

    cost = -np.asarray(weights, dtype=float)
    rows, columns = cost.shape
    row_dual, column_dual = np.zeros(rows), np.zeros(columns)
    owner = np.full(columns, -1)
    for start in range(rows):
        distance, via = np.full(columns, np.inf), np.full(columns, -1)
        visited = np.zeros(columns, dtype=bool)
        row, column, path_cost = start, -1, 0.0
        # Dijkstra over reduced costs, which the dual variables keep non-negative.
        while row >= 0:
            reduced = path_cost + cost[row] - row_dual[row] - column_dual
            nearer = ~visited & (reduced < distance)
            distance[nearer], via[nearer] = reduced[nearer], column
            column = int(np.where(visited, np.inf, distance).argmin())
            visited[column], path_cost, row = True, distance[column], int(owner[column])
        done = visited & (owner >= 0)
        row_dual[start] += path_cost
        row_dual[owner[done]] += path_cost - distance[done]
        column_dual[visited] += distance[visited] - path_cost
        # Gives each column along the path to the row before it, and the first one to the row that entered.
        while via[column] >= 0:
            owner[column] = owner[via[column]]
            column = int(via[column])
        owner[column] = start
    place = {int(row): column for column, row in enumerate(owner) if row >= 0}
    return [place[row] for row in range(rows)]
