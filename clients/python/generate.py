#!/usr/bin/env python3
"""generate.py URL|FILE: prints collaboration_spaces/operations.py, made of a server's /openapi.json."""

from __future__ import annotations

import json
import keyword
import re
import sys
import textwrap
import urllib.request
from typing import Any, Dict, Iterable, Iterator, List, Set, Tuple

Schema = Dict[str, Any]

WIDTH = 120

HEADER = '''# mypy: disable-error-code="no-any-return"
"""The operations of the service. Written by generate.py from /openapi.json: do not edit."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Literal, Optional, TypedDict, Union

from .transport import OMITTED, Operation, Transport

'''

#: Objects that several others contain, by their fields.
SHARED_NAMES = {
    ("agent_adapter", "connected_at", "installation_id"): "Connection",
    ("claim_id", "fence"): "HeldClaim",
    ("event_id", "space_id"): "Place",
    ("from", "until"): "QuietHours",
    ("reason", "stopped_at", "stopped_by"): "Stopped",
}

#: Longer choices between words get a name.
MAX_LITERAL = 70

ALL_OPERATIONS = '''class Operations:
    """All operations, by noun."""

    def __init__(self, transport: Transport) -> None:
'''

SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def pascal(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))


def argument(name: str) -> str:
    """Returns the name of an argument, which is no keyword of Python, for a field or a header."""
    plain = snake(re.sub("^X-", "", name).replace("-", "_"))
    return f"{plain}_" if keyword.iskeyword(plain) else plain


def string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def comment(text: str, indent: str) -> Iterator[str]:
    return (f"{indent}#: {line}" for line in textwrap.wrap(" ".join(text.split()), WIDTH - len(indent) - 3))


def documentation(paragraphs: List[str], notes: List[str], indent: str) -> str:
    """Returns the docstring of a method: paragraphs, and a note for each argument that has one."""
    width = WIDTH - len(indent)
    lines: List[str] = []
    for paragraph in paragraphs:
        # The first line begins after the quotes.
        lines += [*([""] if lines else []), *wrapped(paragraph, width if lines else width - 3)]
    if notes:
        lines.append("")
    for note in notes:
        first, *others = wrapped(note, width - 4)
        lines += [first, *(f"    {line}" for line in others)]
    text = "\n".join(indent + line if line and at else line for at, line in enumerate(lines)).replace("\\", "\\\\")
    return f'{indent}"""{text}' + (f'\n{indent}"""' if len(lines) > 1 else '"""')


def wrapped(text: str, width: int) -> List[str]:
    return textwrap.wrap(text, width, break_on_hyphens=False, break_long_words=False)


class Types:
    """The types of schemas: classes for objects, aliases for choices between them."""

    def __init__(self, schemas: Dict[str, Schema]) -> None:
        self._schemas = schemas
        self.definitions: Dict[str, List[str]] = {}
        #: After all classes, which they name.
        self.aliases: List[str] = []
        self._names_by_shape: Dict[str, str] = {}

    def of(self, schema: Schema, name: str) -> str:
        """Returns the annotation of a schema; an object without a name of its own gets this one."""
        if "$ref" in schema:
            return self._named(schema["$ref"].rsplit("/", 1)[1])
        choices = schema.get("anyOf") or schema.get("oneOf")
        if choices:
            return self._union([self.of(choice, self._choice_name(choice, name)) for choice in choices])
        if "const" in schema or "enum" in schema:
            return self._literal(schema.get("enum", [schema.get("const")]), name)
        kind = schema.get("type")
        if isinstance(kind, list):
            return self._union([self.of({**schema, "type": each}, name) for each in kind])
        if kind == "array":
            return f"List[{self.of(schema['items'], name)}]"
        if kind == "object":
            return self._object(schema, name)
        return SCALARS.get(kind or "", "Any")

    def _literal(self, values: List[Any], name: str) -> str:
        text = f"Literal[{', '.join(string(value) if isinstance(value, str) else repr(value) for value in values)}]"
        if len(text) <= MAX_LITERAL:
            return text
        if text not in self._names_by_shape:
            self._names_by_shape[text] = name
            self.aliases.append(f"{name} = {text}")
        return self._names_by_shape[text]

    def _named(self, reference: str) -> str:
        # What is both input and output is there twice. Inputs are arguments here.
        name = re.sub("Output$", "", reference)
        schema = self._schemas[reference]
        if name in self.definitions:
            return name
        if schema.get("type") == "object" and not schema.get("oneOf"):
            return self._object(schema, name)
        self.definitions[name] = []
        self.aliases.append(f"{name} = {self.of(schema, name)}")
        return name

    @staticmethod
    def _choice_name(choice: Schema, name: str) -> str:
        kind = choice.get("properties", {}).get("kind", {}).get("const")
        return f"{name}{pascal(kind)}" if kind else name

    @staticmethod
    def _union(types: List[str]) -> str:
        others = [each for each in dict.fromkeys(types) if each != "None"]
        inner = others[0] if len(others) == 1 else f"Union[{', '.join(others)}]"
        return inner if len(others) == len(set(types)) else f"Optional[{inner}]"

    def _object(self, schema: Schema, name: str) -> str:
        properties: Dict[str, Schema] = schema.get("properties", {})
        if not properties:
            values = schema.get("additionalProperties")
            return f"Dict[str, {self.of(values, name) if isinstance(values, dict) and values else 'Any'}]"
        name = SHARED_NAMES.get(tuple(sorted(properties)), name)
        types = {field: self.of(schema, name + pascal(field)) for field, schema in properties.items()}
        required = set(schema.get("required", []))
        # The same object stands in several places under the same field.
        shape = json.dumps([types, sorted(required)])
        known = self._names_by_shape.get(shape)
        if known is not None and name not in self._schemas:
            return known
        if name in self.definitions:
            raise SystemExit(f"Two objects are called {name}")
        self._names_by_shape.setdefault(shape, name)
        self.definitions[name] = list(self._class(properties, types, required, name))
        return name

    def _class(
        self, properties: Dict[str, Schema], types: Dict[str, str], required: Set[str], name: str
    ) -> Iterator[str]:
        if any(keyword.iskeyword(field) for field in types):
            fields = ", ".join(f"{string(field)}: {string(each)}" for field, each in types.items())
            yield f"{name} = TypedDict({string(name)}, {{{fields}}})\n"
            return
        always = [field for field in types if field in required]
        sometimes = [field for field in types if field not in required]
        base = "TypedDict"
        if always and sometimes:
            base = f"_{name}"
            yield f"class {base}(TypedDict):\n{self._fields(always, types, properties)}\n\n"
        last = sometimes or always
        total = ", total=False" if sometimes else ""
        yield f"class {name}({base}{total}):\n{self._fields(last, types, properties)}\n"

    @staticmethod
    def _fields(names: List[str], types: Dict[str, str], properties: Dict[str, Schema]) -> str:
        lines: List[str] = []
        for name in names:
            lines += comment(properties[name].get("description", ""), "    ")
            lines.append(f"    {name}: {types[name]}")
        return "\n".join(lines) + "\n"


#: The media type of files.
BYTES = "application/octet-stream"


class Method:
    """A method of a noun for one operation."""

    def __init__(self, path: str, verb: str, described: Schema, types: Types, schemas: Dict[str, Schema]) -> None:
        self.noun, self.name = described["operationId"].split("_")
        self._path, self._verb, self._described = path, verb.upper(), described
        self._types = types
        takes = described.get("requestBody", {}).get("content", {})
        self._uploads = BYTES in takes
        content = takes.get("application/json")
        reference = content["schema"]["$ref"].rsplit("/", 1)[1] if content else None
        self._body: Schema = schemas[reference] if reference else {}
        self._title = pascal(self.noun) + pascal(self.name)
        answer = described["responses"]["200"]["content"]
        self._lines = "application/x-ndjson" in answer
        if self._lines:
            self._call, self._returns = "lines", "Iterator[str]"
        elif BYTES in answer:
            self._call, self._returns = "content", "bytes"
        else:
            self._call, self._returns = "call", types.of(answer["application/json"]["schema"], self._title)

    def text(self) -> str:
        fields = self._fields()
        keywords = [self._field(name, fields[name]) for name in fields]
        keywords += [self._parameter(each) for each in self._in("query") + self._in("header")]
        if self._uploads:
            keywords += ["content: bytes", "content_type: Optional[str] = None"]
        # Those without a default come first.
        keywords.sort(key=lambda text: " = " in text)
        arguments = ["self", *(f"{each['name']}: str" for each in self._in("path"))]
        arguments += ["*", *keywords] if keywords else []
        start = f"    def {argument(self.name)}({', '.join(arguments)}) -> {self._returns}:"
        if len(start) > WIDTH:
            inner = "".join(f"        {each},\n" for each in arguments)
            start = f"    def {argument(self.name)}(\n{inner}    ) -> {self._returns}:"
        paragraphs = [f"{self._described['summary']}.", self._described.get("description", "")]
        paragraphs.append(f"`{self._verb} {self._path}`")
        text = documentation([each for each in paragraphs if each], self._notes(fields), "        ")
        lines = [start, text, statement("operation = Operation", self._operation(fields))]
        lines.append(statement(f"return self._transport.{self._call}", ["operation", *self._sent(fields)]))
        return "\n".join(lines) + "\n"

    def _in(self, place: str) -> List[Schema]:
        return [each for each in self._described.get("parameters", []) if each["in"] == place]

    def _fields(self) -> Dict[str, Schema]:
        """Returns the fields of the body, without those that the server ignores, which have no type."""
        properties: Dict[str, Schema] = self._body.get("properties", {})
        return {name: schema for name, schema in properties.items() if schema.keys() - {"description"}}

    def _sent(self, fields: Dict[str, Schema]) -> List[str]:
        """Returns what a call passes on: the places of the arguments in the request."""
        sent = [mapping((each["name"], each["name"]) for each in self._in("path"))]
        query = mapping((each["name"], argument(each["name"])) for each in self._in("query"))
        if self._lines:
            sent.append(query)
        elif self._in("query"):
            sent.append(f"query={query}")
        if self._body:
            sent.append(f"body={mapping((name, argument(name)) for name in fields)}")
        if self._uploads:
            sent.append("content=content")
        headers = [each["name"] for each in self._in("header")] + ["Content-Type"] * self._uploads
        if headers:
            sent.append(f"headers={mapping((name, argument(name)) for name in headers)}")
        return sent

    def _operation(self, fields: Dict[str, Schema]) -> List[str]:
        parts = [string(f"{self.noun}.{self.name}"), string(self._verb), string(self._path)]
        if self._verb == "GET" or self._described.get("x-idempotent"):
            parts.append("is_idempotent=True")
        if any(each["name"] == "Idempotency-Key" for each in self._in("header")):
            parts.append("is_keyed=True")
        for name, schema in fields.items():
            if "idempotency_key" in (schema.get("items") or {}).get("properties", {}):
                parts.append(f"keyed_list={string(name)}")
        return parts

    def _field(self, name: str, schema: Schema) -> str:
        annotation = self._types.of(schema, self._title + pascal(name))
        is_required = name in self._body.get("required", [])
        return f"{argument(name)}: {annotation}" + ("" if is_required else " = OMITTED")

    def _parameter(self, parameter: Schema) -> str:
        annotation = self._types.of(parameter["schema"], self._title + pascal(argument(parameter["name"])))
        if parameter.get("required"):
            return f"{argument(parameter['name'])}: {annotation}"
        return f"{argument(parameter['name'])}: Optional[{annotation}] = None"

    def _notes(self, fields: Dict[str, Schema]) -> List[str]:
        described = [(name, schema.get("description")) for name, schema in fields.items()]
        described += [(each["name"], each.get("description")) for each in self._in("query") + self._in("header")]
        return [f"{argument(name)}: {text}" for name, text in described if text]


def mapping(pairs: Iterable[Tuple[str, str]]) -> str:
    return f"{{{', '.join(f'{string(name)}: {value}' for name, value in pairs)}}}"


def statement(head: str, arguments: List[str]) -> str:
    """Returns a call in one line, or with its arguments in one line each."""
    line = f"        {head}({', '.join(arguments)})"
    if len(line) <= WIDTH:
        return line
    return f"        {head}(\n{''.join(broken(each) for each in arguments)}        )"


def broken(part: str) -> str:
    """Returns an argument in a line, or in lines if it is a mapping that is too long for one."""
    if len(part) + 13 <= WIDTH or "{" not in part:
        return f"            {part},\n"
    head, rest = part.split("{", 1)
    inner = "".join(f"                {each},\n" for each in rest[:-1].split(", "))
    return f"            {head}{{\n{inner}            }},\n"


def methods_of(document: Schema, types: Types) -> Dict[str, List[Method]]:
    """Returns the methods by noun. Streams are not among them: they are classes written by hand."""
    schemas = document["components"]["schemas"]
    found: Dict[str, List[Method]] = {}
    for path, verbs in document["paths"].items():
        for verb, described in verbs.items():
            is_stream = "text/event-stream" in described["responses"]["200"].get("content", {})
            if is_stream or "_" not in described["operationId"]:
                continue
            method = Method(path, verb, described, types, schemas)
            found.setdefault(method.noun, []).append(method)
    return found


def noun_class(noun: str, texts: List[str]) -> str:
    head = f"class {pascal(noun)}Operations:\n    def __init__(self, transport: Transport) -> None:\n"
    return head + "        self._transport = transport\n\n" + "\n".join(texts)


def generate(document: Schema) -> str:
    types = Types(document["components"]["schemas"])
    types.of({"$ref": "#/components/schemas/Signal"}, "Signal")
    nouns = sorted(methods_of(document, types).items())
    classes = [noun_class(noun, [method.text() for method in methods]) for noun, methods in nouns]
    attributes = [f"        self.{argument(noun)} = {pascal(noun)}Operations(transport)\n" for noun, _ in nouns]
    every = "".join([ALL_OPERATIONS, *attributes])
    definitions = ["".join(lines).rstrip("\n") + "\n" for _, lines in sorted(types.definitions.items()) if lines]
    aliases = "".join(alias_text(alias) for alias in sorted(types.aliases))
    return HEADER + "\n" + "\n\n".join([*definitions, aliases, *classes, every])


def alias_text(alias: str) -> str:
    """Returns the definition of an alias, in one line or with its choices in one line each."""
    if len(alias) <= WIDTH:
        return f"{alias}\n"
    head, rest = alias.split("[", 1)
    inner = "".join(f"    {each},\n" for each in rest[:-1].split(", "))
    return f"{head}[\n{inner}]\n"


def read(source: str) -> bytes:
    if source.startswith(("http://", "https://")):
        with urllib.request.urlopen(source) as response:
            return bytes(response.read())
    with open(source, "rb") as file:
        return file.read()


if __name__ == "__main__":
    sys.stdout.write(generate(json.loads(read(sys.argv[1]))))
