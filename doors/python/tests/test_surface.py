"""The public surface: no parameter has the type `Any`, and every object has a docstring."""

from __future__ import annotations

import ast
import pathlib
from collections.abc import Iterator

import tagwise

ROOM = pathlib.Path(tagwise.__file__).parent
#: Modules whose names begin with an underscore and that public modules take their objects from.
INNER = ("asn1/", "krb5/", "gss/", "x509/_scan", "x509/_diff", "x509/_extension", "x509/_frame", "x509/_entry", "_budget", "_errors", "_revocation", "_trust")


def modules() -> Iterator[tuple[str, ast.Module]]:
    for file in sorted(ROOM.rglob("*.py")):
        name = file.relative_to(ROOM).as_posix()
        if file.name.startswith("_") and file.name != "__init__.py" and not name.startswith(INNER):
            continue
        yield name, ast.parse(file.read_text(encoding="utf-8"))


def public(node: ast.Module | ast.ClassDef, path: str) -> Iterator[tuple[str, ast.FunctionDef | ast.ClassDef]]:
    for one in node.body:
        if not isinstance(one, (ast.FunctionDef, ast.ClassDef)) or (one.name.startswith("_") and one.name != "__init__"):
            continue
        decorators = [ast.unparse(decorator) for decorator in one.decorator_list]
        if "overload" in decorators or any(decorator.endswith(".setter") for decorator in decorators):
            continue
        yield f"{path}{one.name}", one
        if isinstance(one, ast.ClassDef):
            yield from public(one, f"{path}{one.name}.")


def test_parameters_have_types() -> None:
    found = []
    for module, tree in modules():
        for path, one in public(tree, f"{module}: "):
            if isinstance(one, ast.FunctionDef):
                for parameter in (*one.args.posonlyargs, *one.args.args, *one.args.kwonlyargs):
                    if parameter.annotation is not None and ast.unparse(parameter.annotation) == "Any":
                        found.append(f"{path}({parameter.arg})")
    assert not found, "\n".join(found)


def test_objects_have_docstrings() -> None:
    found = [
        path
        for module, tree in modules()
        for path, one in public(tree, f"{module}: ")
        if not path.endswith("__init__") and not ast.get_docstring(one)
    ]
    assert not found, "\n".join(found)
