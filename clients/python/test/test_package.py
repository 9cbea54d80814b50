"""The package as it is installed: built from source, without a network, and used as its README says."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import venv
import zipfile
from pathlib import Path
from typing import Any, List

from support import CLIENT, ServerTest, blocks_in, eventually, kill

#: The oldest Python that the package says it needs.
OLDEST = (3, 9)

PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
OFFLINE = ["--no-index", "--no-deps", "--no-cache-dir"]


class Sources(unittest.TestCase):
    def test_all_files_are_in_the_language_of_the_oldest_python(self) -> None:
        paths = [path for path in CLIENT.rglob("*.py")]
        self.assertGreater(len(paths), 12)
        for path in paths:
            ast.parse(path.read_text(encoding="utf-8"), str(path), feature_version=OLDEST)

    def test_annotations_are_not_evaluated(self) -> None:
        # Otherwise the oldest Python fails on types that are newer than it.
        for path in CLIENT.rglob("*.py"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            imports = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
            if path.name != "__init__.py":
                self.assertEqual([each.names[0].name for each in imports], ["annotations"], path)

    def test_the_version_is_that_of_the_repository(self) -> None:
        repository = json.loads((CLIENT.parent.parent / "package.json").read_text(encoding="utf-8"))
        sys.path.insert(0, str(CLIENT))
        import build_backend

        self.assertEqual(build_backend.version(), repository["version"])


class Installed(ServerTest):
    directory: Path
    python: str

    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        cls.directory = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.directory)
        sources = cls.directory / "sources"
        # The build must not leave anything in the repository.
        shutil.copytree(CLIENT, sources, ignore=shutil.ignore_patterns("node_modules", "test", "__pycache__"))
        build = "import build_backend; print(build_backend.build_sdist('..'))"
        subprocess.run([sys.executable, "-c", build], cwd=sources, check=True, stdout=subprocess.DEVNULL)
        subprocess.run([*PIP, "wheel", *OFFLINE, "--wheel-dir", str(cls.directory), str(sources)], check=True)
        venv.create(cls.directory / "venv", with_pip=True)
        cls.python = str(cls.directory / "venv/bin/python")
        cls.install(cls.file("*.whl"))

    @classmethod
    def install(cls, file: Path) -> None:
        pip = [cls.python, "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
        subprocess.run([*pip, *OFFLINE, "--force-reinstall", str(file)], check=True)

    @classmethod
    def file(cls, pattern: str) -> Path:
        [file] = cls.directory.glob(pattern)
        return file

    def run_there(self, *arguments: str) -> str:
        """Runs Python elsewhere, with only what is installed."""
        command = [self.python, "-I", *arguments]
        return subprocess.run(command, cwd=self.directory, check=True, capture_output=True, text=True).stdout

    def readme(self) -> List[str]:
        blocks = blocks_in((CLIENT / "README.md").read_text(encoding="utf-8"))
        return [block.replace("http://127.0.0.1:8080", self.server.url) for block in blocks]

    def test_the_wheel_has_only_the_package_and_its_metadata(self) -> None:
        with zipfile.ZipFile(self.file("*.whl")) as wheel:
            folders = {name.split("/")[0] for name in wheel.namelist()}
            self.assertEqual(len(folders), 2)
            self.assertIn("collaboration_spaces/py.typed", wheel.namelist())
        self.assertIn("Requires-Python: >=3.9", self.metadata())
        self.assertNotIn("Requires-Dist", self.metadata())

    def metadata(self) -> str:
        return self.run_there("-c", "import importlib.metadata as m; print(m.metadata('collaboration-spaces'))")

    def test_the_source_archive_builds_the_same_wheel(self) -> None:
        archive = self.file("*.tar.gz")
        with tempfile.TemporaryDirectory() as again:
            subprocess.run([*PIP, "wheel", *OFFLINE, "--wheel-dir", again, str(archive)], check=True)
            [wheel] = Path(again).iterdir()
            self.assertEqual(wheel.read_bytes(), self.file("*.whl").read_bytes())
        with tarfile.open(archive) as packed:
            self.assertEqual({name.split("/")[0] for name in packed.getnames()}, {archive.name[: -len(".tar.gz")]})
        self.install(archive)
        self.assertIn("Name: collaboration-spaces", self.metadata())

    def test_the_readme_runs(self) -> None:
        program, agent = self.readme()
        output = self.run_there("-c", program)
        self.assertEqual(output, "Ada: Where shall we go?\n409 space_id is already taken\n")

        grace: Any = self.human("Grace")
        scout = self.agent(grace)
        spaces = self.client(grace["api_key"])
        spaces.event.speech("plans", text="To the sea?", metadata={"mentions": [scout["actor_id"]]})
        (self.directory / "agent.py").write_text(agent, encoding="utf-8")
        environment = {"PATH": os.environ["PATH"], "SPACES_URL": self.server.url, "SPACES_TOKEN": scout["api_key"]}
        process = subprocess.Popen([self.python, str(self.directory / "agent.py")], env=environment)
        self.addCleanup(kill, process)
        eventually(lambda: "You said: To the sea?" in [event["text"] for event in spaces.events("plans")])


if __name__ == "__main__":
    unittest.main()
