# SPDX-License-Identifier: BSD-3-Clause
"""How Sphinx makes the site: Markdown by MyST, C++ and C from Doxygen's XML by Breathe, Python by autodoc.

scripts/build-docs runs Doxygen first and then Sphinx. Nothing is fetched, neither here nor by a reader's browser.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "docs"), str(ROOT / "python")]

project = "sixstep"
author = "the sixstep developers"
copyright = "the sixstep developers, BSD-3-Clause"
version = re.search(r"project\(sixstep VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
release = version

extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
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
html_title = f"sixstep {version}"
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"footer_icons": []}
pygments_style = "default"
