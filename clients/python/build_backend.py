"""Builds the package, as PEP 517 has it: a wheel and a source archive, with nothing but Python.

Every build tool that installs from source would have to be fetched first. This package is a folder of Python files, so
an archive of it with its metadata is all there is to build. The same sources give the same bytes.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import io
import re
import tarfile
import zipfile
from pathlib import Path
from typing import Any, Dict, List, Optional

ROOT = Path(__file__).parent
PACKAGE = "collaboration_spaces"
SOURCES = ["README.md", "LICENSE", "pyproject.toml", "build_backend.py"]

#: The earliest time that a zip file can have.
EPOCH = (1980, 1, 1, 0, 0, 0)
EPOCH_SECONDS = 315_532_800


def version() -> str:
    found = re.search(r'^__version__ = "(.+)"$', (ROOT / PACKAGE / "__init__.py").read_text(encoding="utf-8"), re.M)
    assert found is not None
    return found[1]


def metadata() -> str:
    fields = [
        "Metadata-Version: 2.1",
        "Name: collaboration-spaces",
        f"Version: {version()}",
        "Summary: The client of Collaboration Spaces: typed calls, safe retries, streams that resume, and an inbox loop",
        "License: MIT",
        "Keywords: agents,client,collaboration,server-sent events",
        "Classifier: License :: OSI Approved :: MIT License",
        "Classifier: Operating System :: OS Independent",
        "Classifier: Programming Language :: Python :: 3 :: Only",
        "Classifier: Typing :: Typed",
        "Project-URL: Source, https://github.com/collab-spaces/collab-spaces",
        "Requires-Python: >=3.9",
        "Description-Content-Type: text/markdown",
    ]
    return "\n".join(fields) + "\n\n" + (ROOT / "README.md").read_text(encoding="utf-8")


def package_files() -> Dict[str, bytes]:
    paths = sorted((ROOT / PACKAGE).glob("*.py")) + [ROOT / PACKAGE / "py.typed"]
    return {f"{PACKAGE}/{path.name}": path.read_bytes() for path in paths}


def build_wheel(
    wheel_directory: str, config_settings: Optional[Dict[str, Any]] = None, metadata_directory: Optional[str] = None
) -> str:
    info = f"{PACKAGE}-{version()}.dist-info"
    files = package_files()
    files[f"{info}/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    files[f"{info}/METADATA"] = metadata().encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: build_backend\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = [f"{path},sha256={_digest(content)},{len(content)}\n" for path, content in files.items()]
    files[f"{info}/RECORD"] = "".join([*record, f"{info}/RECORD,,\n"]).encode()
    name = f"{PACKAGE}-{version()}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, EPOCH)
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return name


def build_sdist(sdist_directory: str, config_settings: Optional[Dict[str, Any]] = None) -> str:
    folder = f"{PACKAGE}-{version()}"
    files = {**{name: (ROOT / name).read_bytes() for name in SOURCES}, **package_files()}
    files["PKG-INFO"] = metadata().encode()
    name = f"{folder}.tar.gz"
    with open(Path(sdist_directory) / name, "wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive:
            for path, content in files.items():
                entry = tarfile.TarInfo(f"{folder}/{path}")
                entry.size, entry.mtime, entry.mode = len(content), EPOCH_SECONDS, 0o644
                archive.addfile(entry, io.BytesIO(content))
    return name


def get_requires_for_build_wheel(config_settings: Optional[Dict[str, Any]] = None) -> List[str]:
    return []


def get_requires_for_build_sdist(config_settings: Optional[Dict[str, Any]] = None) -> List[str]:
    return []


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
