"""Says where the project is, and compiles the pipeline where `HATCH_BUILD_HOOK_ENABLE_CUSTOM=1` asks for it.

The wheel holds the sources too, and Python reads those where it cannot load what was compiled. Without a compiler the
wheel is the pure one, except where wheels are made to be published.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


def translated(folder: str) -> list[Any]:
    """The pipeline as extension modules, whose C code is written into a folder."""
    from mypyc.build import mypycify

    sources = [str(path) for path in sorted(Path("tfdata_lint/pipeline").rglob("*.py")) if path.stat().st_size]
    # Of the other modules only the types are of interest, and some import what is not installed here.
    options = ["--follow-imports=silent", "--ignore-missing-imports", f"--cache-dir={folder}"]
    # One file of C for each module: as one, they kept a compiler busy for more than twenty minutes. A group with a dot
    # in its name would not find its own header then.
    return mypycify(
        [*options, *sources],
        group_name="tfdata_lint_pipeline",
        multi_file=True,
        opt_level="2",
        debug_level="0",
        target_dir=folder,
    )


class Addresses(MetadataHookInterface):
    def update(self, metadata: dict[str, Any]) -> None:
        text = Path(self.root, "tfdata_lint", "__init__.py").read_text(encoding="utf-8")
        found = re.findall(r'^(DOCUMENTATION|REPOSITORY) = "(.+)"$', text, re.MULTILINE)
        metadata["urls"] = {name.capitalize(): address for name, address in found}


class CompiledPipeline(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":  # what is worked on stays what is run
            return
        from setuptools import Distribution
        from setuptools.errors import BaseError, CCompilerError

        self.folder = TemporaryDirectory()
        built = f"{self.folder.name}/built"
        compiler = Distribution({"ext_modules": translated(self.folder.name)}).get_command_obj("build_ext")
        compiler.build_lib, compiler.build_temp = built, self.folder.name
        compiler.ensure_finalized()
        try:
            compiler.run()
        except (CCompilerError, BaseError) as error:
            if "CIBUILDWHEEL" in os.environ:
                raise
            self.app.display_warning(f"the pipeline is not compiled, and works all the same: {error}")
            return
        compiled = {path: str(Path(path).relative_to(built)) for path in compiler.get_outputs()}
        build_data.update(infer_tag=True, pure_python=False)
        build_data["force_include"].update(compiled)

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self.folder.cleanup()
