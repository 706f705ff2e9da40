"""What a column's name speaks of: a tie-break where what columns hold leaves several readings."""

import re
from collections.abc import Sequence

from headcount.door.roles import ALIASES, plain_name

_WORDS = re.compile(r"[^\W\d_]+", re.UNICODE)
_PEOPLE = frozenset(
    (
        *("rater", "worker", "annotator", "coder", "expert", "judge", "scorer", "user", "reader"),
        *("labeler", "labeller", "physician", "radiologist", "doctor", "reviewer", "human"),
        *("person", "participant", "respondent", "assessor", "evaluator", "clinician", "nurse"),
        *("pathologist", "linguist", "crowdworker", "grader", "marker", "observer", "ann", "anno"),
        *("annot", "people", "humans", "subject"),
    )
)
_NUMBERED = frozenset((*_PEOPLE, "r", "e", "a"))
"""Words for a rater where a number follows: r1, r2, r3."""
_THINGS = frozenset(
    (
        *("item", "task", "unit", "example", "case", "document", "doc", "comment", "question"),
        *("sample", "prompt", "text", "sentence", "post", "tweet", "image", "extract", "passage"),
        *("segment", "utterance", "message", "topic", "docid", "headline", "photo", "video"),
        *("clip", "query", "article", "movie", "song", "story", "summary", "claim", "review"),
        *("response", "answer", "dialog", "dialogue", "record", "stimulus", "patient", "slide"),
        *("input", "instruction", "url", "link", "file", "filename", "path", "title", "name"),
    )
)
_OF_IDS = frozenset(("id", "ids", "uuid", "guid", "key", "no", "nr", "number", "index", "idx"))
_MACHINE = re.compile(
    r"(^|[^a-z])(model|models|gpt|llm|claude|llama|gemini|gemma|mistral|qwen|\w*bert|\w*berta|"
    r"classifier|predict(ed|ions?|or)?|pred|preds|ai|algorithm|machine|auto|automatic|prob|"
    r"probability|chatgpt|openai|deepseek|svm|baseline|system|bot|robot|xgboost|lstm|"
    r"cnn|regression|logit|heuristic|y_?pred|y_?hat|perspective|vader|textblob|judgelm|bleu|"
    r"bleurt|rouge|comet)([^a-z]|$)",
    re.IGNORECASE,
)
_VAGUE = frozenset(
    (
        *("system", "model", "name", "names", "baseline", "auto", "automatic", "machine", "bot"),
        *("perspective", "probability", "prob", "algorithm", "regression", "heuristic"),
    )
)
_MADE = re.compile(
    r"(^|[^a-z])(majority|consensus|final|adjudicat(ed|ion|or)|agg|aggregated?|mode|mean|median|"
    r"average|avg|agreed|resolved|mv|maj|vote|voted|combined|overall|var|variance|std|sd|stdev|"
    r"sum|total|count|agreement|entropy|label_?mean)([^a-z]|$)",
    re.IGNORECASE,
)
_GOLD = re.compile(
    r"(^|[^a-z])(gold|truth|true|target|reference|ref|y_?true|correct|key|standard|ground|"
    r"expected|benchmark|diagnosis|y)([^a-z]|$)",
    re.IGNORECASE,
)
_BESIDE = re.compile(
    r"(^|[^a-z])(conf|confidence|certainty|sure|seconds|secs|time|duration|weight|notes?|"
    r"comments?|rationale|reason|explanation|difficulty)([^a-z]|$)",
    re.IGNORECASE,
)
_HUMP = re.compile(r"([a-z])([A-Z])")


def _apart(name: str) -> str:
    return _HUMP.sub(r"\1_\2", name).replace("_", " ").strip()


def words_of(name: str) -> list[str]:
    """The words of a name, in lower case.

    >>> words_of("anonymised_participant_id"), words_of("WorkerID-2")
    (['anonymised', 'participant', 'id'], ['worker', 'id'])
    """
    return [word.lower() for word in _WORDS.findall(_apart(name).replace("_", " "))]


def sounds_like(role: str, name: str) -> bool:
    """Whether a name speaks of an item, a rater, a label, an occasion."""
    if plain_name(name) in ALIASES.get(role, ()):
        return True
    words = words_of(name)
    if role == "rater":
        return any(word in _PEOPLE for word in words)
    if role == "item":
        of_things = any(word in _THINGS for word in words)
        return not sounds_like("rater", name) and (
            of_things or (bool(words) and words[-1] in _OF_IDS)
        )
    return any(word in ALIASES.get(role, ()) for word in words)


def of_machine(name: str) -> bool:
    """Whether a name speaks of a classifier."""
    return bool(_MACHINE.search(_apart(name)) or _MACHINE.search(name))


def may_be_anything(name: str) -> bool:
    """Whether a word for a classifier is a word for much else: a system may be what was rated.

    >>> may_be_anything("system"), may_be_anything("system_label"), may_be_anything("gpt-4")
    (True, False, False)
    """
    return set(words_of(name)) <= _VAGUE


def made_of_others(name: str) -> bool:
    """Whether a name says that the column was made of raters' answers."""
    return bool(_MADE.search(_apart(name)) or _MADE.search(name))


def of_gold(name: str) -> bool:
    """Whether a name speaks of the answer known to be right."""
    return plain_name(name) in ALIASES["gold"] or bool(
        _GOLD.search(_apart(name)) or _GOLD.search(name)
    )


def beside_answers(name: str) -> bool:
    """Whether a name speaks of what stands beside an answer: how sure it was, how long it took."""
    return bool(_BESIDE.search(_apart(name)))


def stem(name: str) -> str:
    """The name without the number or the letter at its end.

    >>> stem("Reader 2"), stem("human_b"), stem("gpt")
    ('reader', 'human', 'gpt')
    """
    bare = name.lower().strip()
    numbered = bare.rstrip("_- .0123456789")
    if numbered != bare:
        return numbered
    return re.sub(r"[_\- .][a-z]$", "", bare)


def of_person(name: str) -> bool:
    """Whether a name is a word for a rater, alone, with a number or a letter, or with a name.

    >>> [of_person(name) for name in ("r1", "human_label", "reader b", "annotator ann", "judge")]
    [True, True, True, True, True]
    """
    if of_machine(name) or made_of_others(name) or beside_answers(name):
        return False
    start = stem(name)
    return (start in _NUMBERED and (start != name.lower() or start in _PEOPLE)) or any(
        word in _PEOPLE for word in words_of(name)
    )


def is_judge(name: str) -> bool:
    """Whether a name says judge and not which person that is: beside "human" it is a model."""
    return "judge" in words_of(name)


def calls_classifier(name: str) -> bool:
    """Whether a name is a usual one for the column of classifiers: "system", "scorer"."""
    return plain_name(name) in ALIASES["classifier"]


def says_human(name: str) -> bool:
    """Whether a name says that a person answered, and not a model."""
    return any(
        word in ("human", "person", "people", "expert", "annotator", "reader", "physician")
        for word in words_of(name)
    )


def series(names: Sequence[str]) -> list[str]:
    """The names that are numbered or lettered alike, where there are at least two."""
    by_stem: dict[str, list[str]] = {}
    for name in names:
        if stem(name) != name.lower().strip():
            by_stem.setdefault(stem(name), []).append(name)
    return max((found for found in by_stem.values() if len(found) > 1), key=len, default=[])


def patterns(names: Sequence[str], among: Sequence[str]) -> list[str]:
    """The columns as one pattern where one means just them, else as their names."""
    stems = {stem(name) for name in names}
    if len(names) > 1 and len(stems) == 1:
        start = names[0][: len(next(iter(stems)))]
        if start and [name for name in among if name.startswith(start)] == list(names):
            return [f"{start}*"]
    return list(names)
