import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from erqiwang_runner.graph import components, reachable, strong_components


@st.composite
def graphs(draw):
    size = draw(st.integers(1, 9))
    edges = draw(st.sets(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), max_size=20))
    matrix = np.zeros((size, size), dtype=np.bool_)
    for edge in edges:
        matrix[edge] = True
    return matrix


def closure(matrix):
    """Reachability by repeated squaring."""
    reach = matrix | np.eye(len(matrix), dtype=np.bool_)
    for _ in range(len(matrix)):
        reach = reach | ((reach.astype(int) @ reach.astype(int)) > 0)
    return reach


def classes(relation):
    return sorted({tuple(np.flatnonzero(row).tolist()) for row in relation})


@given(graphs())
def test_components_are_the_classes_of_being_joined(matrix):
    assert [tuple(each) for each in components(matrix)] == classes(closure(matrix | matrix.T))


@given(graphs())
def test_strong_components_are_the_classes_of_reaching_each_other(matrix):
    reach = closure(matrix)
    assert sorted(tuple(each) for each in strong_components(matrix)) == classes(reach & reach.T)


@given(graphs())
def test_no_edge_leads_back_to_an_earlier_strong_component(matrix):
    order = {node: place for place, each in enumerate(strong_components(matrix)) for node in each}
    assert all(order[a] <= order[b] for a, b in zip(*np.nonzero(matrix), strict=True))


@given(graphs(), st.data())
def test_reachable(matrix, data):
    sources = data.draw(st.lists(st.integers(0, len(matrix) - 1), min_size=1, max_size=3))
    expected = np.flatnonzero(closure(matrix)[sources].any(axis=0)).tolist()
    assert reachable(matrix, sources) == expected


def test_a_long_chain_does_not_recurse():
    matrix = np.eye(3000, k=1, dtype=np.bool_)
    assert len(strong_components(matrix)) == 3000
    assert len(components(matrix)) == 1
