"""App files: what is wrong in them is reported with its location, and nothing in them is executed."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest

from garabench.core.yamldoc import parse_yaml
from garabench.errors import CombinedInputError, InputError
from garabench.virtual.app_files import app_loader
from garabench.virtual.app_files.app_loader import app_files, parse_app, read_app, read_apps
from garabench.virtual.app_files.app_schema import app_file_schema

TEA_SHOP = Path(__file__).parents[3] / "docs" / "examples" / "tea-shop"
HEAD = "package: org.example.notes\nname: Notes\n"
SCREEN = "screens:\n  main:\n"


def mistakes(text: str) -> list[str]:
    with pytest.raises(CombinedInputError) as raised:
        parse_app(text, "a.yaml")
    return [f"{each.place}: {each.message} | {each.hint}" for each in raised.value.errors]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    body: [{txt: hi}]", "a.yaml:5:12: unknown widget 'txt' | Did you mean 'text'?"),
        ("    body: [{text: '{cuont}'}]", "a.yaml:5:19: unknown name {cuont}"),
        ("    body: [{text: 'a {b'}]", "a.yaml:5:19: not a placeholder: 'a {b'"),
        ("    body: [{text: '{0.__class__}'}]", "a.yaml:5:19: not a placeholder"),
        ("    body: [{icon: cartt}]", "a.yaml:5:19: unknown icon 'cartt' | Did you mean 'cart'?"),
        ("    body: [{field: {var: query}}]", "a.yaml:5:26: 'query' is not a variable of `state`"),
        ("    vars: {n: 1}\n    body: [{field: {var: n}}]", "a.yaml:6:26: 'n' holds no text"),
        ("    vars: {n: ''}\n    enter: [{toggle: n}]", "a.yaml:6:22: 'n' holds no switch"),
        ("    enter: [{go: mian}]", "a.yaml:5:18: unknown screen 'mian' | Did you mean 'main'?"),
        (
            "    enter: [{go: {screen: main, with: {a: 1}}}]",
            "a.yaml:5:43: the screen 'main' has no argument 'a'",
        ),
        ("    enter: [{dialog: ask}]", "a.yaml:5:22: unknown dialog 'ask'"),
        ("    enter: [{clear: rows}]", "a.yaml:5:21: 'rows' is not in `lists`"),
        ("    enter: [{call: os.system}]", "a.yaml:5:20: string should match pattern"),
        ("    enter: [{call: system}]", "a.yaml:5:20: unknown Python function 'system'"),
        (
            "    enter: [{ask_permission: android.permission.CAMERA}]",
            "a.yaml:5:30: the app does not declare the permission",
        ),
        ("    vars: {t: 1}", "a.yaml:5:12: the name 't' is already in use"),
        ("    values: {a: '{b}', b: 1}", "a.yaml:5:17: unknown name {b} |"),
        ("    values: {a: {sum: {of: teas, field: x}}}", "a.yaml:5:28: 'teas' is not in `data` or `lists`"),
        ("    body: [{text: {value: hi, when: {exist: 1}}}]", "a.yaml:5:37: unknown condition 'exist'"),
        ("    body: [{text: {fr: bonjour}}]", "unknown key 'fr'"),
        ("    body: [{text: hi, button: {text: x}}]", "a.yaml:5:12: a widget is one of"),
        ("    enter: [{explode: 1}]", "a.yaml:5:13: unknown step 'explode'"),
    ],
)
def test_mistakes_are_located(body: str, expected: str) -> None:
    assert any(expected in each for each in mistakes(f"{HEAD}{SCREEN}{body}\n")), mistakes(
        f"{HEAD}{SCREEN}{body}\n"
    )


def test_fields_of_rows_are_checked() -> None:
    text = f"""{HEAD}data:
  teas: [{{id: a, price: 1}}]
lists:
  cart: {{fields: [tea]}}
{SCREEN}    enter:
      - append: {{to: cart, row: {{tee: a}}}}
      - remove: {{of: teas}}
    body:
      - list: {{of: teas, as: tea, each: [{{text: '{{tea.prise}}'}}]}}
      - text: '{{tea.price}}'
      - row: [{{text: '{{teas}} {{teas.count}} {{teas.id}}'}}]
"""
    assert [each.split(" | ")[0] for each in mistakes(text)] == [
        "a.yaml:10:39: 'cart' has no field 'tee'",
        "a.yaml:11:22: 'teas' is a table of `data`, which never changes",
        "a.yaml:13:49: unknown field {tea.prise}",
        "a.yaml:14:15: unknown name {tea.price}",
        "a.yaml:15:22: 'teas' is a table, not a row",
    ]


@pytest.mark.parametrize("package", ["com.android.notes", "org.garabench.notes"])
def test_packages_of_the_system_are_refused(package: str) -> None:
    assert "reserved for the system" in mistakes(f"package: {package}\nname: N\n{SCREEN}    body: []\n")[0]


def test_untrusted_yaml_is_data(tmp_path: Path) -> None:
    for text, message in (
        ("!!python/object/apply:os.system ['true']", "tags (!name) are not supported"),
        ("a: &x [1]\nb: *x", "anchors (&name) are not supported"),
        ("package: a.b\npackage: a.c", "duplicate key 'package'"),
    ):
        assert any(message in each for each in mistakes(text))
    large = tmp_path / "large.yaml"
    large.write_bytes(b"#" * 3_000_000)
    with pytest.raises(InputError, match=r"large\.yaml:1:1: the file is larger than"):
        read_app(large)
    odd = tmp_path / "odd.yaml"
    odd.write_bytes(b"name: \xff")
    with pytest.raises(InputError, match="not UTF-8"):
        read_app(odd)


def test_files_are_found(tmp_path: Path) -> None:
    assert app_files(TEA_SHOP) == (TEA_SHOP / "apps" / "tea-shop.yaml",)
    with pytest.raises(InputError, match="no such file"):
        app_files(tmp_path / "none")
    with pytest.raises(InputError, match="contains no app file"):
        app_files(tmp_path)
    (tmp_path / "app.yaml").write_text(f"{HEAD}{SCREEN}    body: []\n")
    assert app_files(tmp_path) == (tmp_path / "app.yaml",)
    with pytest.raises(InputError, match=r"already in use by .*app\.yaml"):
        (tmp_path / "other.yaml").write_text(f"{HEAD}{SCREEN}    body: []\n")
        read_apps([tmp_path, tmp_path / "other.yaml"])


def test_plugins_are_reported_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    class Entry:
        name, value = "notes", "notes:APP"

        def load(self) -> object:
            raise ImportError("no module named notes")

    monkeypatch.setattr(app_loader.metadata, "entry_points", lambda group: [Entry()])
    with pytest.raises(InputError, match=r"the app 'notes' \(notes:APP\) failed: ImportError"):
        app_loader.installed_plugins()
    app = parse_app(f"{HEAD}{SCREEN}    body: []\n", "a.yaml")
    monkeypatch.setattr(Entry, "load", lambda self: lambda: app)
    assert app_loader.installed_plugins() == {"the app 'notes' (notes:APP)": app}
    twice = [Entry(), type("Other", (Entry,), {"name": "other"})()]
    monkeypatch.setattr(app_loader.metadata, "entry_points", lambda group: twice)
    with pytest.raises(InputError, match=r"'other' .* already in use by the app 'notes'"):
        app_loader.phone_apps()
    for wrong in (str, 5):
        monkeypatch.setattr(Entry, "load", lambda self, wrong=wrong: wrong)
        with pytest.raises(InputError, match=r"is not an App but (str|int)"):
            app_loader.installed_plugins()


def test_example_meets_the_schema() -> None:
    file = TEA_SHOP / "apps" / "tea-shop.yaml"
    schema = app_file_schema("app")
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    data = parse_yaml(file.read_text(encoding="utf-8"), "x").data
    assert list(validator.iter_errors(data)) == []
    data["screens"]["menu"]["body"].append({"txt": "no widget"})
    assert list(validator.iter_errors(data))
