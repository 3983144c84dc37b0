"""Words that point at something named elsewhere: pronouns, demonstratives, "the Act", "above".

Belongs here: rules about referents. Stays out: junk pointers, which leave nothing to read.
Traps each rule steps around were found by reading hits on real notes; they stand beside the rule.
"""

from __future__ import annotations

import re

from notes_pipeline.flags.pointers import refers_back
from notes_pipeline.flags.rule import after, words
from notes_pipeline.flags.view import View
from notes_pipeline.records import Finding

PRONOUN_OPENERS = words("it its it's they their them they're he his him he's she her she's")
_SINGULAR = words("it its it's")
# "It is true that", "It took years to": the word stands for nothing.
_EXPLETIVE = re.compile(
    r"it(?:['’]s|\s+(?:is|was|will\s+be|would\s+be|may\s+be|might\s+be|can\s+be|could\s+be|has\s+been|seems?|"
    r"seemed|appears?|appeared|looks?|looked|turns?|turned|took|takes|happens|happened|follows|depends|remains|"
    r"doesn['’]t|does\s+not))\b[^.!?\n]{0,100}?(?:\b(?:that|to|if|whether|how|why|when|like|out|on|for|matter)\b)",
    re.IGNORECASE,
)
DEMONSTRATIVE_OPENERS = words("this these that those both such")
_VERB = (
    r"(?:is|was|are|were|has|had|have|does|did|do|can|could|will|would|should|may|might|must|led|leads?|means?|"
    r"meant|makes?|made|allows?|results|resulted|causes?|shows?|requires?|works?|helps?|happens?|gives?|gave|includes?|"
    r"applies|apply|became|becomes?|explains?|suggests?|implies|enables?|ensures?|prevents?|provides?|"
    r"contrasts?|differs?|depends?|reduces?|increases?|creates?|lets?|gets?|goes|went|came|comes|took|takes?|"
    r"seems?|looks?|appears?|[a-z]{3,}ed(?=\s+(?:by|in|from|the|an?|that|as|into|on|with|how|why)\b))"
)
# "This is a guide to" presents; it does not refer.
_BARE = re.compile(
    rf"(?:this|these|that|those|both)\s+(?:(?:also|then|often|usually|only|never|always|not|in\s+turn)\s+)?"
    rf"({_VERB})\b(?!\s+(?:an?|the|one|my|our|where|what|how|who|some)\b)",
    re.IGNORECASE,
)
_COPULA = words("is was are were")
_NOUN = re.compile(r"(?:this|these|those|such|the\s+said)\s+([a-z][\w-]{2,})\b(?!['’])", re.IGNORECASE)
_DOCUMENT_WORDS = words(
    "page doc document section guide chapter article note notes post tutorial example readme file repo"
    " repository project morning evening week month year day time way case point kind sort type list table"
    " image figure is are"
    " was were has had have can could will would should may might must an the one and but"
)
_GENERIC = re.compile(
    r"[Tt]he(?<!\w[Tt]he)\s+((?:said\s+)?(?:Act|Bill|Committee|Scheme|Commission|Tribunal|Ordinance|Amendment|Treaty|"
    r"Agreement|Convention))\b(?!\s+(?:of|on|for|to|[A-Z]))"
)
GENERIC_NOUNS = after(
    "the said",
    "act bill committee scheme commission tribunal ordinance amendment treaty agreement convention",
)
_DEIXIS = re.compile(
    r"\b(?:as\s+(?:mentioned|stated|discussed|noted|shown|described|explained|seen|listed|defined|outlined)\s+"
    r"(?:above|below|earlier|previously)"
    r"|(?:above|afore|below)-?mentioned"
    r"|the\s+(?:above|preceding|aforementioned|foregoing)\s+(?!all\b|sea\b|zero\b|average\b)[a-z]{3,}"
    r"|(?:tables?|figures?|lists?|diagrams?|examples?|code|images?|charts?|graphs?|sections?|snippets?|screenshots?)"
    r"\s+(?:above|below))\b(?!\s*(?:\d|\())",
    re.IGNORECASE,
)
_SAID = "mentioned stated discussed noted shown described explained seen listed defined outlined"
_SHOWN = (
    "table tables figure figures list lists diagram diagrams example examples code image images chart charts"
    " graph graphs section sections snippet snippets screenshot screenshots"
)
DEIXIS_WORDS = {
    **after("", "aforementioned abovementioned belowmentioned"),
    **after("above afore below", "mentioned"),
    **after("the", "preceding foregoing"),
    **after(_SAID, "earlier previously"),
    **after(f"{_SAID} {_SHOWN}", "below"),
    **after(f"{_SAID} {_SHOWN} the", "above"),
}
_REFERENTS = frozenset(("table", "fence", "list", "quote", "math", "html"))
_NEAR = 240
"""Characters on one side of "above" or "below" too few to hold what it names."""


def leading_pronoun(view: View) -> list[Finding]:
    """The first word is a pronoun and no heading names what it stands for."""
    if view.first in _SINGULAR:
        # "yamlfmt > It removed the comment": the heading is what "it" stands for.
        if view.headings or _EXPLETIVE.match(view.head):
            return []
    elif view.first.startswith("the") and view.last_heading.rstrip().endswith("s"):
        return []
    note = f"opens with {view.text[view.start : view.first_end]!r}, and nothing before it says who or what"
    return [Finding("leading_pronoun", view.start, view.first_end, note)]


def bare_demonstrative(view: View) -> list[Finding]:
    """Opens with "This led to …": the thing meant stands in another chunk."""
    match = _BARE.match(view.head)
    # Right under its own heading, "These are …" speaks of the heading.
    if match and not (view.body and match.group(1).lower() in _COPULA):
        note = f"{match.group()!r} refers to something that stands before the chunk"
        return [Finding("bare_demonstrative", view.start, view.start + match.end(), note)]
    return []


def demonstrative_noun(view: View) -> list[Finding]:
    """Opens with "This scheme …" where no heading speaks of a scheme."""
    match = _NOUN.match(view.head)
    if match is None or _BARE.match(view.head):
        return []
    noun = match.group(1).lower()
    if noun in _DOCUMENT_WORDS or noun.rstrip("s")[:6] in view.headings:
        return []
    note = f"{match.group()!r} names something introduced before the chunk"
    return [Finding("demonstrative_noun", view.start, view.start + match.end(), note)]


def generic_definite(view: View) -> list[Finding]:
    """Says "the Act" where neither chunk nor headings say which Act."""
    match = _GENERIC.search(view.text, view.body)
    if match is None:
        return []
    noun = match.group(1).split()[-1].lower()
    if noun in view.headings or _named(view.text[view.body : match.start()], noun):
        return []
    note = f"{match.group()!r}: neither the chunk nor its headings say which one"
    return [Finding("generic_definite", match.start(), match.end(), note)]


def _named(before: str, noun: str) -> bool:
    """Whether "Right to Information Act" or "Act of 1935" stands in ``before``."""
    title = noun.capitalize()
    full_name = rf"\b[A-Z][\w.'’-]+,?\s+(?:[\w(][\w.')’-]*\s+){{0,4}}{title}\b"
    return re.search(rf"{full_name}|\b(?:{title}|{noun})\s+(?:of|on|for|to)\b", before) is not None


def backward_reference(view: View) -> list[Finding]:
    """Opens with "as mentioned" in a chunk long enough to say something of its own."""
    if match := refers_back(view):
        note = f"{match.group()!r} refers back to another place"
        return [Finding("backward_reference", view.start, view.start + match.end(), note)]
    return []


def deixis(view: View) -> list[Finding]:
    """Says "the table above" with neither table nor text above it in the chunk."""
    if refers_back(view):
        return []
    for match in _DEIXIS.finditer(view.text, view.body):
        if not _referent_near(view, match):
            note = f"{match.group()!r} refers to something outside the chunk"
            return [Finding("deixis", match.start(), match.end(), note)]
    return []


def _referent_near(view: View, match: re.Match[str]) -> bool:
    """Whether a block, an image or enough text for what is named stands on the side it is said to be on."""
    place = (view.chunk.char_start or 0) + match.start()
    if "below" in match.group().lower():
        side, blocks = view.text[match.end() :], [it for it in view.blocks if it.start >= place]
    else:
        side, blocks = view.text[view.body : match.start()], [it for it in view.blocks if it.end <= place]
    return len(side) > _NEAR or "![" in side or any(block.kind in _REFERENTS for block in blocks)
