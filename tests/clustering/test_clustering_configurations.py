"""The published configurations against a literal transcription of the layer, token by token."""

import numpy as np
import pytest

from hardmax.clustering.configurations import CONFIGURATIONS, panels
from hardmax.errors import InputError

LAYERS = [0, 1, 2, 5, 30]


def literal_followed(x: np.ndarray) -> list[list[int]]:
    """C_i by the definition, scores within rounding of the largest counted as ties."""
    sets = []
    for z in x:
        scores = [float(sum(a * b for a, b in zip(z, w, strict=True))) for w in x]
        sets.append([j for j, score in enumerate(scores) if score >= max(scores) - 1e-12])
    return sets


def literal_layers(x: np.ndarray, alpha: float, layers: int) -> list[np.ndarray]:
    run = [x]
    for _ in range(layers):
        sets = literal_followed(x)
        x = np.array([(z + alpha * np.mean([x[j] for j in followed], axis=0)) / (1 + alpha) for z, followed in zip(x, sets, strict=True)])
        run.append(x)
    return run


@pytest.fixture(scope="module")
def table():
    return panels(np.random.default_rng(3), alpha=0.5, layers=LAYERS)


@pytest.mark.parametrize("name", [configuration.name for configuration in CONFIGURATIONS])
def test_layers_are_those_of_the_literal_rule(table, name):
    rows = table[table["configuration"] == name]
    start = rows[rows["layer"] == 0][["x", "y"]].to_numpy()
    run = literal_layers(start, 0.5, 30)
    for layer in LAYERS:
        found = rows[rows["layer"] == layer]
        np.testing.assert_allclose(found[["x", "y"]].to_numpy(), run[layer], atol=1e-12)
        if layer < 30:
            sets = [" ".join(map(str, followed)) for followed in literal_followed(run[layer])]
            assert found["follows"].tolist() == sets
            assert found["leader"].tolist() == [text == str(token) for token, text in enumerate(sets)]


def test_what_each_configuration_is_named_after(table):
    def of(name, layer):
        return table[(table["configuration"] == name) & (table["layer"] == layer)].set_index("token")

    assert of("triangle", 30)["leader"].sum() == 3
    emerging = of("emerging leader", 0), of("emerging leader", 30)
    assert not emerging[0].loc[1, "leader"] and emerging[1].loc[1, "leader"]
    assert of("square", 30)["leader"].tolist() == [True] * 4 + [False] * 6
    last = of("clusters that are not leaders", 30)
    for token, x in ((4, -1.0), (5, 1.0)):
        assert not last.loc[token, "leader"]
        assert len(last.loc[token, "follows"].split()) == 2
        np.testing.assert_allclose(last.loc[token, ["x", "y"]].astype(float), [x, 0.0], atol=1e-5)


def test_drawn_tokens_lie_in_their_boxes_and_come_from_the_stream(table):
    for configuration in CONFIGURATIONS:
        tokens = configuration.tokens(np.random.default_rng(0))
        np.testing.assert_array_equal(tokens[: len(configuration.fixed)], configuration.fixed)
        at = len(configuration.fixed)
        for low, high, count in configuration.boxes:
            assert ((tokens[at : at + count] >= low) & (tokens[at : at + count] <= high)).all()
            at += count
        assert at == len(tokens)
    assert panels(np.random.default_rng(3), alpha=0.5, layers=LAYERS).equals(table)


def test_no_layers_is_said():
    with pytest.raises(InputError, match=r"clustering\.panels\.layers"):
        panels(np.random.default_rng(0), alpha=0.5, layers=[])
