# SPDX-License-Identifier: BSD-3-Clause
"""How Sphinx makes the site: Markdown by MyST, C++ and C from Doxygen's XML by Breathe, Python by autodoc.

scripts/build-docs runs Doxygen first and then Sphinx. Nothing is fetched, neither here nor by a reader's browser.
"""

import __future__
import pathlib
import re
import sys
import types

import docutils.nodes
from sphinx.ext.napoleon import NumpyDocstring

ROOT = pathlib.Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "docs"), str(ROOT / "python")]

project = "sixstep"
author = "the sixstep developers"
copyright = "the sixstep developers, BSD-3-Clause"
version = re.search(r"project\(sixstep VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
release = version

extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc"]
exclude_patterns = ["_*"]
myst_heading_anchors = 4
nitpicky = False

breathe_projects = {"sixstep": str(ROOT / "build" / "docs" / "doxygen" / "xml")}
breathe_default_project = "sixstep"
breathe_show_include = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
add_module_names = False

html_theme = "furo"
html_search_scorer = str(ROOT / "docs" / "scorer.js")
html_title = f"sixstep {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"footer_icons": []}
pygments_style = "default"


PUBLIC = ("DeviceArray", "Layout")


def extension_module():
    """The extension module as its stub tells it: the package can be imported without being built."""
    path = ROOT / "docs" / "_core.pyi"
    module = types.ModuleType("sixstep._core")
    exec(compile(path.read_text(), path, "exec", flags=__future__.annotations.compiler_flag), vars(module))
    for value in vars(module).values():
        if isinstance(value, type) and value.__module__ == "sixstep._core" and value.__name__ in PUBLIC:
            value.__module__ = "sixstep"  # where users find it
    module.Calls = lambda *arguments: None  # sixstep.fft makes one when it is imported
    return module


sys.dont_write_bytecode = True
sys.modules["sixstep._core"] = sys.modules["sixstep._serial"] = extension_module()


def links_to_pages(app, name, source):
    """The benchmarks' page is the README beside them, and what links to that links to the page."""
    if name == "bench":
        text = (ROOT / "bench" / "README.md").read_text()
        source[0] = text.replace("](../docs/", "](").replace("](solver/", "](../bench/solver/")
    source[0] = source[0].replace("](../bench/README.md", "](bench.md")


def plain_docstring(app, what, name, thing, options, lines):
    """Docstrings are plain text: what is indented behind an empty line is code, and a bar is a bar. Only classes and
    functions have NumPy's sections ("Parameters"); in a property's sentence, a colon is a colon."""
    found, code = [], False
    for before, line in zip([None, *lines], lines):
        if not code and before == "" and line.startswith("    "):
            found += ["::", ""]
            code = True
        elif code and line and not line.startswith(" "):
            code = False
        found.append(line if code else line.replace("|", r"\|"))
    in_sections = what in ("class", "function", "method")
    lines[:] = NumpyDocstring(found, what=what, name=name).lines() if in_sections else found


def link_to_whole_image(app, tree):
    """A figure of measurements is as wide as its page allows, and leads to the file in its full size."""
    for image in tree.findall(docutils.nodes.image):
        if image["uri"].endswith(".png"):
            image["scale"] = 100


def setup(app):
    app.connect("autodoc-process-docstring", plain_docstring)
    app.connect("doctree-read", link_to_whole_image)
    app.connect("source-read", links_to_pages)
