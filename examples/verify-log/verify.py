#!/usr/bin/env python3
"""verify.py FILE KEY [ACTION]: checks an exported log or a receipt, with nothing of Collaboration Spaces.

Python's standard library, and openssl for the signatures. FILE is what `spaces log export`, `spaces audit export` or
`spaces log receipt` printed, KEY the line at /log/keys of the server. ACTION is a file with the JSON of an action: the one
that the decision of the receipt has to authorize.
"""

import base64
import decimal
import hashlib
import json
import os
import subprocess
import sys
import tempfile


def fail(why):
    sys.exit(f"NOT PROVED: {why}")


def sha256(data):
    return hashlib.sha256(data).digest()


def leaf(data):
    return sha256(b"\x00" + data)


def node(left, right):
    return sha256(b"\x01" + left + right)


def split(size):
    half = 1
    while half * 2 < size:
        half *= 2
    return half


def root_of(leaves):
    """As RFC 6962 defines it: layer by layer, where the last one without a neighbour rises as it is."""
    if not leaves:
        return sha256(b"")
    while len(leaves) > 1:
        pairs = [node(leaves[at], leaves[at + 1]) for at in range(0, len(leaves) - 1, 2)]
        leaves = pairs + (leaves[-1:] if len(leaves) % 2 else [])
    return leaves[0]


def root_by_path(hash_, index, size, path):
    """As RFC 9162 verifies an inclusion proof."""
    if not 0 <= index < size:
        fail("a position is beyond the checkpoint")
    at, last = index, size - 1
    for other in path:
        if last == 0:
            fail("a proof is too long")
        if at % 2 == 1 or at == last:
            hash_ = node(other, hash_)
            while at % 2 == 0 and at != 0:
                at, last = at // 2, last // 2
        else:
            hash_ = node(hash_, other)
        at, last = at // 2, last // 2
    if last != 0:
        fail("a proof is too short")
    return hash_


def decode(text):
    """Base64 in its one spelling: no other character, and no bits to spare."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        fail("something in it is no base64")
    if base64.b64encode(data).decode() != text:
        fail("something in it is no base64")
    return data


def dump(value):
    """JSON in the one spelling that is signed."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def key_of(text):
    name, key_id, encoded = text.strip().split("+", 2)
    key = decode(encoded)
    if key[0] != 1 or len(key) != 33 or sha256(f"{name}\n".encode() + key)[:4].hex() != key_id:
        fail("KEY is no key of a signed note")
    return name, bytes.fromhex(key_id), key[1:]


def open_note(note, key_text):
    """The text of a signed note."""
    name, key_id, key = key_of(key_text)
    text, _, signature = note.rpartition("\n\n")
    encoded = signature.rstrip("\n").rpartition(" ")[2]
    signed = decode(encoded)
    if signature != f"\u2014 {name} {encoded}\n" or signed[:4] != key_id:
        fail("it is signed with another key")
    text += "\n"
    with tempfile.TemporaryDirectory() as place:
        files = {
            "key": bytes.fromhex("302a300506032b6570032100") + key,
            "text": text.encode(),
            "signature": signed[4:],
        }
        for file, content in files.items():
            with open(os.path.join(place, file), "wb") as out:
                out.write(content)
        command = "openssl pkeyutl -verify -pubin -keyform DER -inkey key -rawin -in text -sigfile signature"
        if subprocess.run(command.split(), cwd=place, capture_output=True).returncode != 0:
            fail("a signature is wrong")
    return text


def checkpoint_of(note, key):
    origin, size, root = open_note(note, key).split("\n")[:3]
    return origin, int(size), decode(root)


def require_sealed(note, content, key):
    wanted = "collaboration-spaces/file\n" + base64.b64encode(sha256(content)).decode() + "\n"
    if open_note(note, key) != wanted:
        fail("what stands beside its entries was changed")


# The fields of an act that people have written, by its kind.
WRITTEN = {
    "proposed": ("text", "proposed_by"),
    "reviewed": ("note",),
    "settled": ("resolution", "resolved_by"),
    "used": ("digest",),
}
# What stands for the further fields that only some acts have.
REPLACEMENTS = {
    "options": [],
    "action": {
        "type": "[redacted]",
        "title": None,
        "arguments": {},
        "digest": "[redacted]",
        "editable": False,
        "used_by": [],
    },
    "option": "[redacted]",
    "edit": {"arguments": {}, "digest": "[redacted]"},
}
SPEAKER_TYPES = ("human", "agent", "transcript", "system", "[redacted]")


def is_id(value):
    return isinstance(value, str) and value.split() == [value]


def require_silent(tree, line, position):
    """Of a redacted entry only the place is proved, so what is left of it must say nothing."""
    sealed = json.loads(line)
    entry = sealed["entry"]
    if tree == "events":
        metadata = entry["metadata"] or {"mentions": []}
        names = metadata.get("mentions")
        is_silent = (
            entry["text"] == "[redacted]"
            and entry["references"] == []
            and "files" not in entry
            and "redacted_at" in entry
            and is_id(entry["speaker_id"])
            and entry["speaker_name"] in ("[redacted]", entry["posted_by_name"])
            and entry["speaker_type"] in SPEAKER_TYPES
            and set(metadata) == {"mentions"}
            and isinstance(names, list)
            and all(is_id(name) for name in names)
        )
    else:
        fields = WRITTEN.get(entry.get("kind"))
        is_replaced = all(entry.get(field, value) == value for field, value in REPLACEMENTS.items())
        is_silent = fields is not None and all(entry.get(field) == "[redacted]" for field in fields) and is_replaced
    if sealed.get("nonce") != "" or not is_silent:
        fail(f"position {position} should be redacted, and still says something")


def verify_log(data, key):
    lines = data.split(b"\n")
    if len(lines) < 3 or lines[-1] != b"":
        fail("something stands after its end, or it has none")
    header = json.loads(lines[0])
    if header["after"] != 0:
        fail("this verifier reads whole logs only")
    origin, size, root = checkpoint_of(header["checkpoint"], key)
    leaves, redacted, erased = [], [], None
    for line in lines[1:-2]:
        if erased is not None:
            leaves.append(decode(erased["leaf_hash"]))
            redacted.append(len(leaves))
            require_silent(origin.split("/")[-2], line, len(leaves))
            erased = None
        elif line.startswith(b'{"redacted":'):
            erased = json.loads(line)["redacted"]
        elif line.startswith(b'{"tile":'):
            tile = json.loads(line)
            own = leaves[tile["tile"] * 256 :]
            if len(own) != 256 or root_of(own) != decode(tile["hash"]):
                fail(f"one of positions {tile['tile'] * 256 + 1} to {tile['tile'] * 256 + 256} is not what was sealed")
        elif not line.startswith(b'{"tail":'):
            leaves.append(leaf(line))
    if len(leaves) != size or root_of(leaves) != root:
        fail(f"its {len(leaves)} entries are not the {size} that were sealed")
    end = json.loads(lines[-2])["end"]
    if lines[-2] != dump({"end": end}).encode():
        fail("its last line was changed")
    require_sealed(end, data[: -len(lines[-2]) - 1], key)
    return origin, size, redacted


def verify_receipt(data, key):
    receipt = json.loads(data)
    if dump(receipt).encode() not in (data, data[:-1]) or data[-1:] not in (b"\n", b"}"):
        fail("it was changed")
    origin, size, root = checkpoint_of(receipt["checkpoint"], key)
    redacted = []
    for entry in receipt["entries"]:
        hash_ = leaf(entry["line"].encode())
        if entry["redacted"]:
            hash_ = decode(entry["redacted"]["leaf_hash"])
            redacted.append(entry["position"])
            require_silent(origin.split("/")[-2], entry["line"], entry["position"])
        path = [decode(hash_) for hash_ in entry["proof"]]
        if root_by_path(hash_, entry["position"] - 1, size, path) != root:
            fail(f"position {entry['position']} is not what was sealed")
        if not entry["redacted"] and receipt["subject_id"] not in json.loads(entry["line"])["entry"].values():
            fail(f"position {entry['position']} is about something else")
    content = {name: value for name, value in receipt.items() if name != "seal"}
    require_sealed(receipt["seal"], dump(content).encode(), key)
    return origin, size, redacted


def number(value):
    """As ECMAScript writes it."""
    kept = decimal.Decimal(repr(float(value)))
    if isinstance(value, int) and kept != value:
        fail(f"{value} in the action loses digits")
    sign, digits, exponent = kept.normalize().as_tuple()
    text = "".join(map(str, digits))
    point = len(text) + exponent
    if value == 0:
        return "0"
    if 0 < point <= 21:
        shown = text[:point].ljust(point, "0") + ("." + text[point:] if text[point:] else "")
    elif -6 < point <= 0:
        shown = "0." + "0" * -point + text
    else:
        shown = text[0] + ("." + text[1:] if text[1:] else "") + f"e{point - 1:+d}"
    return ("-" if sign else "") + shown


def canonical(value):
    """JSON in the form of RFC 8785."""
    if isinstance(value, dict):
        pairs = sorted(value.items(), key=lambda pair: pair[0].encode("utf-16-be"))
        return "{" + ",".join(f"{dump(name)}:{canonical(item)}" for name, item in pairs) + "}"
    if isinstance(value, list):
        return "[" + ",".join(canonical(item) for item in value) + "]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number(value)
    return dump(value)


def require_action(data, path):
    """Requires that a decision is resolved, by an option that permits, with the action in a file."""
    acts = [json.loads(entry["line"])["entry"] for entry in json.loads(data)["entries"]]
    proposed, settled = (
        next((act for act in acts if act.get("kind") == kind), {}) for kind in ("proposed", "settled")
    )
    with open(path, encoding="utf-8") as file:
        action = json.load(file)
    digest = sha256(canonical({"type": action["type"], "arguments": action["arguments"]}).encode()).hex()
    approved = settled.get("edit") or proposed.get("action") or {}
    options = proposed.get("options")
    is_denied = options is not None and not any(
        option["id"] == settled.get("option") and not option["denies"] for option in options
    )
    if settled.get("status") != "resolved" or is_denied or approved.get("digest") != f"sha-256:{digest}":
        fail(f"{path} is not the action that was approved")


def main():
    path, key = sys.argv[1:3]
    with open(path, "rb") as file:
        data = file.read()
    is_receipt = data.startswith(b'{"format":"collaboration-spaces-receipt"')
    origin, size, redacted = (verify_receipt if is_receipt else verify_log)(data, key)
    if len(sys.argv) > 3:
        if not is_receipt:
            fail("an action is proved by the receipt of a decision")
        require_action(data, sys.argv[3])
    print(f"PROVED: {origin}, {size} entries" + (f", redacted: {redacted}" if redacted else ""))


main()
