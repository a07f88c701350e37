"""The recipes for emulators in containers are valid compose files, as far as their syntax goes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

PAGE = (Path(__file__).parents[2] / "docs" / "emulators.md").read_text(encoding="utf-8")
RECIPES = dict(re.findall(r"^```yaml file=(\S+)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE))
SERVICE_KEYS = {
    "image": str,
    "devices": list,
    "environment": dict,
    "ports": list,
    "volumes": list,
    "restart": str,
    "privileged": bool,
    "command": list,
}


def test_both_recipes_are_found() -> None:
    assert set(RECIPES) == {"docker-android.yaml", "redroid.yaml"}


@pytest.mark.parametrize("name", RECIPES)
def test_recipe_is_a_compose_file_that_publishes_adb_on_loopback(name: str) -> None:
    recipe = yaml.safe_load(RECIPES[name])
    assert set(recipe) == {"services", "volumes"}
    (service,) = recipe["services"].values()
    for key, value in service.items():
        assert isinstance(value, SERVICE_KEYS[key]), key
    assert re.fullmatch(r"[a-z0-9/-]+:[\w.-]+", service["image"])
    assert service["ports"] == ["127.0.0.1:5555:5555"]
    assert all(isinstance(value, str) for value in service.get("environment", {}).values())
    named = {volume.partition(":")[0] for volume in service["volumes"]}
    assert named == set(recipe["volumes"])
