"""The site: `make site` builds it from the pages of this folder, without a network."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
sys.path.insert(0, str(HERE.parent / "src"))

import headcount  # noqa: E402

project = "headcount"
author = "the headcount authors"
copyright = "the headcount authors, MIT licence"
version = release = headcount.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_design",
    "sphinx_copybutton",
    "how_wrong",
]
exclude_patterns = ["**.ipynb_checkpoints"]
source_suffix = {".md": "markdown"}
nitpicky = False

myst_enable_extensions = ["colon_fence", "deflist", "attrs_block"]
myst_heading_anchors = 4
suppress_warnings = ["myst.xref_ambiguous"]

# Docstrings are written for people in an editor: names stand between single backticks.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints = "none"  # types stand in the Parameters, where they are explained
autodoc_default_options = {"members": True, "show-inheritance": False}
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_custom_sections = [("Attributes", "params_style")]

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True
pygments_style = "default"

html_theme = "pydata_sphinx_theme"
html_title = f"headcount {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_copy_source = False
html_theme_options: dict[str, Any] = {
    "logo": {"text": "headcount"},
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "show_prev_next": True,
    "navigation_depth": 3,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
    "search_as_you_type": False,
}
html_context = {"default_mode": "auto"}  # as the reader's machine is set
html_sidebars = {"index": [], "search": [], "genindex": []}


def _member(owner: Any, name: str, *default: Any) -> Any:
    """A public name; a room that shares its name with its function is documented as that."""
    found = getattr(owner, name, *default)
    if owner is headcount and isinstance(found, ModuleType) and name in vars(found):
        return vars(found)[name]
    return found


def _settings(_app: Any, kind: str, _name: str, obj: Any, _options: Any, lines: list[str]) -> None:
    """The options of a recipe, from where their help is stated."""
    if kind != "class" or not hasattr(obj, "settings") or getattr(obj, "about", None) is None:
        return
    lines += ["", ":Options:"]
    for each in obj.settings():
        lines += [f"  * ``{each.name}`` ({each.default!r}): {each.help}"]
    lines += [""]


def setup(app: Any) -> None:
    """Teach autodoc what is particular to this package."""
    app.add_autodoc_attrgetter(ModuleType, _member)
    app.connect("autodoc-process-docstring", _settings, priority=900)
