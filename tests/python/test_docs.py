# SPDX-License-Identifier: BSD-3-Clause
"""What the documents show is compiled, run and printed; the site is complete, and needs no network."""

import html.parser
import json
import re
import subprocess
import urllib.parse

import documents
import pytest
from documents import COPY, NOT_RUN, OUTPUT, REGION, ROOT, RUN

HTML = ROOT / "build" / "docs" / "html"


def named(found):
    return pytest.mark.parametrize(("block", "match"), found, ids=[str(block) for block, _ in found])


def test_every_block_says_by_what_it_is_checked():
    for page in documents.PAGES:
        for block in documents.blocks(page):
            forms = (REGION, OUTPUT, RUN, COPY, NOT_RUN)
            assert any(re.fullmatch(form, block.marker) for form in forms), f"{block}: {block.marker!r}"


@named(documents.all_blocks(REGION))
def test_regions_are_those_of_what_is_built_and_run(block, match):
    name, path = match.groups()
    assert path.startswith(documents.CHECKED)
    assert block.code == documents.region(name, path)


@pytest.mark.parametrize(
    ("library", "program"),
    [("FFTW-MPI", "tests/others/fftw_mpi.cpp"), ("mpi4py-fft", "tests/package/beside_mpi4py_fft.py")],
)
def test_rows_of_a_library_stand_in_the_program_that_runs_beside_it(library, program):
    def squeezed(code):
        return re.sub(r"\s", "", code)

    page = (ROOT / "docs" / "from-others.md").read_text()
    section = page.split(f"## {library}\n")[1].split("\n## ")[0]
    rows = [line for line in section.splitlines() if line.startswith("| `") and "(not run" not in line]
    assert len(rows) > 7
    words = squeezed((ROOT / program).read_text())
    for code in re.findall(r"`([^`]+)`", "\n".join(rows)):
        for part in [code] if squeezed(code) in words else code.strip("{}").split("..."):
            assert squeezed(part.rstrip(") ")) in words, code


def test_programs_that_blocks_name_exist():
    for page in documents.PAGES:
        for block in documents.blocks(page):
            for path in re.findall(r"(?<![\w/])(?:bench|docs|examples|scripts|tests)/[\w./-]*\w", block.code):
                assert (ROOT / path).exists(), f"{block}: {path}"


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    if not (documents.BUILD / "sixstep").exists():
        pytest.skip("the preset mpich is not built")
    return documents.Shell(tmp_path_factory.mktemp("shell"))


@named(documents.all_blocks(OUTPUT))
def test_outputs_are_what_commands_print(shell, block, match):
    said = shell.run(match.group(1))
    assert documents.MASK.sub("#", block.code) == documents.MASK.sub("#", said)


@named(documents.all_blocks(RUN))
def test_command_lines_run(shell, block, match):
    in_the_tree, replacements = match.groups()
    shell.run(documents.replaced(block.code, replacements), ROOT if in_the_tree else None)


def headings(page):
    """The anchors that a repository's browser makes of a page's headings."""
    prose = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    words = (re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", line) for line in re.findall(r"(?m)^#+ +(.*)$", prose))
    return {re.sub(r"[^\w -]", "", line.lower()).replace(" ", "-") for line in words}


@pytest.mark.parametrize("page", documents.PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_link_to_files_and_headings_that_exist(page):
    prose = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    for link in re.findall(r"\]\(([^)]+)\)", prose):
        path, _, anchor = link.partition("#")
        if "://" in link:
            continue
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), f"{page}: {link}"
        assert not anchor or target.suffix != ".md" or anchor in headings(target), f"{page}: {link}"


class Html(html.parser.HTMLParser):
    """A page's anchors, links, and what it loads."""

    def __init__(self, page):
        super().__init__()
        self.ids, self.links, self.loaded = set(), [], []
        self.feed(page.read_text())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids.add(attributes.get("id"))
        self.links += [attributes["href"]] if tag == "a" and "href" in attributes else []
        self.loaded += [attributes[name] for name in ("src", "srcset", "data", "poster") if attributes.get(name)]
        self.loaded += [attributes["href"]] if tag == "link" and "href" in attributes else []


@pytest.fixture(scope="module")
def site():
    """The site's pages by path."""
    done = subprocess.run([ROOT / "scripts" / "build-docs"], text=True, capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return {page: Html(page) for page in HTML.rglob("*.html")}


def test_the_site_has_a_page_for_each_document(site):
    for page in documents.PAGES[1:]:
        built = HTML / page.relative_to(ROOT / "docs").with_suffix(".html")
        assert built in site, f"{page}"


def test_links_of_the_site_lead_somewhere(site):
    for page, parsed in site.items():
        for link in parsed.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc or "$" in link:
                continue
            target = (page.parent / urllib.parse.unquote(url.path)).resolve() if url.path else page
            assert target.exists(), f"{page}: {link}"
            if url.fragment and target in site:
                assert urllib.parse.unquote(url.fragment) in site[target].ids, f"{page}: {link}"


def test_the_site_loads_nothing_from_a_network(site):
    remote = re.compile(r"(https?:)?//")
    for page, parsed in site.items():
        assert not [what for what in parsed.loaded if remote.match(what)], page
    for sheet in HTML.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*['\"]?(https?:)?//", sheet.read_text()), sheet


def test_sentences_of_properties_are_whole(site):
    """Napoleon takes what stands before a colon for a type."""
    reference = (HTML / "api" / "python.html").read_text()
    assert "box of the input: slices of an array" in reference


@pytest.mark.parametrize("subject", ["convolution", "autocorrelation", "normalization", "power spectrum"])
def test_a_search_for_a_subject_finds_a_guide_with_that_title(site, subject):
    index = json.loads((HTML / "searchindex.js").read_text().removeprefix("Search.setIndex(").removesuffix(")"))
    titles = [title.lower() for title, places in index["alltitles"].items()
              if any(index["docnames"][page] == "spectra" for page, _ in places)]
    assert any(subject in title for title in titles)


def test_figures_lead_to_their_files(site):
    assert any(link.endswith("_images/node.png") for link in site[HTML / "performance.html"].links)


def test_every_symbol_of_the_headers_is_in_the_site(site):
    """Types and functions by their anchors; a header that no page shows would be missed."""
    anchors = "\n".join(str(name) for parsed in site.values() for name in parsed.ids)
    groups = (ROOT / "build" / "docs" / "doxygen" / "xml").glob("group__*.xml")
    for group in groups:
        for name in re.findall(r'<memberdef kind="\w+" id="(\w+)"', group.read_text()):
            assert name in anchors, f"{group.name}: {name}"


def test_glossary_gives_each_word_one_meaning_and_has_at_most_40():
    section = (ROOT / "docs/internals.md").read_text().split("\n## Words\n")[1].split("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| ")][1:]
    words = [word.strip() for row in rows for word in row.split(",")]
    assert 20 < len(words) <= 40
    assert len(set(words)) == len(words)


def test_lines_have_at_most_120_characters():
    """But for tables, addresses, markers and what commands print, in Markdown."""
    patterns = ["*.cpp", "*.hpp", "*.h", "*.c", "*.cu", "*.py", "*.f90", "*.md", "*.txt", "*.cmake", "scripts/*"]
    listed = subprocess.run(["git", "ls-files", "-z", "--", *patterns], cwd=ROOT, text=True, capture_output=True,
                            check=True)
    printed = {(block.page, block.line + i) for block, _ in documents.all_blocks(OUTPUT)
               for i in range(block.code.count("\n"))}
    long = []
    for name in filter(None, listed.stdout.split("\0")):
        for number, line in enumerate((ROOT / name).read_text().splitlines()):
            excepted = name.endswith(".md") and (line.lstrip().startswith(("|", "<!-- ")) or "](http" in line)
            if len(line) > 120 and not excepted and (ROOT / name, number) not in printed:
                long.append(f"{name}:{number + 1}: {len(line)}: {line}")
    assert not long, "\n".join(long)
