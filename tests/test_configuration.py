import pytest

from hardmax.configuration import load_yaml, validate
from hardmax.errors import InputError

SCHEMA = {
    "type": "object",
    "additionalProperties": False,
    "required": ["seed", "data"],
    "properties": {
        "seed": {"type": "integer", "minimum": 0},
        "data": {
            "type": "object",
            "additionalProperties": False,
            "required": ["source"],
            "properties": {
                "source": {"enum": ["embedded", "csv"]},
                "rates": {"type": "array", "items": {"type": "number", "exclusiveMaximum": 1}},
            },
        },
    },
}


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"seed": -1, "data": {"source": "csv"}}, "config: key seed: found -1; allowed: integer, >= 0"),
        ({"seed": "7", "data": {"source": "csv"}}, "config: key seed: found '7'; allowed: integer, >= 0"),
        ({"seed": 7, "data": {"source": "web"}}, "config: key data.source: found 'web'; allowed: one of 'embedded', 'csv'"),
        ({"seed": 7, "data": {"source": "csv", "rates": [0.5, 2]}}, "config: key data.rates.1: found 2; allowed: number, < 1"),
        ({"seed": 7, "data": {"source": "csv"}, "sead": 1}, "config: key (top level): unknown key 'sead'; allowed: data, seed"),
        ({"seed": 7}, "config: key (top level): missing 'data'"),
    ],
)
def test_one_line_names_key_value_and_what_is_allowed(config: dict, message: str) -> None:
    with pytest.raises(InputError) as caught:
        validate(config, SCHEMA)
    assert str(caught.value) == message


def test_a_right_configuration_passes() -> None:
    validate({"seed": 7, "data": {"source": "csv", "rates": [0.1]}}, SCHEMA)


@pytest.mark.parametrize("content", [b"a: [1, 2", b"\xff\xfe\x00", None])
def test_unreadable_yaml_is_one_line(tmp_path, content) -> None:
    path = tmp_path / "c.yaml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        load_yaml(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
