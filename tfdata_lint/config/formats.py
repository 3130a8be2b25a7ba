"""The ways to print findings, by name. Each has a module in `output/`, with `render`."""

from __future__ import annotations

#: What each one is. The help, the settings and the documentation follow.
FORMATS = {
    "full": "text with the code, the cost and the fix",
    "concise": "text, one line per finding",
    "json": "a list of objects",
    "json-lines": "the same objects, one per line",
    "markdown": "a table, for a comment on a pull request",
    "sarif": "SARIF 2.1.0, for code scanning and editors",
    "github": "annotations of GitHub Actions",
    "gitlab": "a Code Quality report of GitLab",
    "azure": "log issues of Azure Pipelines",
    "junit": "a JUnit report: one test per finding",
    "pylint": "Pylint's text format, as Ruff and flake8 print it",
    "rdjson": "for reviewdog, with suggestions",
}
#: For people: what the run was like follows the findings.
TEXTS = ("full", "concise")
#: Line after line, so that findings can be printed as they come.
STREAMED = (*TEXTS, "json-lines", "azure", "pylint")
#: They need to know what a finding is in, to know it again when rows have moved.
FINGERPRINTED = ("sarif", "gitlab")
#: They carry the edits of fixes.
EDITING = ("json", "json-lines", "sarif", "rdjson")
