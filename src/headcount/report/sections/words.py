"""The words of the report, for whoever meets one for the first time."""

from headcount.evaluation import Evaluation
from headcount.report.page import Section
from headcount.results import Table

WORDS = {
    "worth": "how many raters one would have to ask to predict the next one's answer as well as "
    "the classifier does",
    "agree": "of people: the share whose own answer is the classifier's, slips set aside",
    "ceiling": "the share of people whom the best possible decisions would have on their side",
    "ideal classifier": "one that knows, for every item, what share of people would say what",
    "calibration": "reading an answer as how often people then give each label, learned on other "
    "items",
    "interval": "from where to where the truth lies, by the data; it says what it is about",
    "modelled": "past what was measured, by how items differ",
    "span": "between what and what accuracy lies when nobody knows the truth; all of it may be so",
    "misled together": "of people: all wrong on an item in the same way, which no rating shows",
    "gold": "the answer known to be right, for some items",
    "slip": "an answer that is not what that person would mostly say",
    "flip rate": "how often an answer is a slip",
    "contested": "of an item: fewer than seven in ten people hold its commonest view",
    "cross-entropy": "a score: the mean logarithm of the probability given to what was then said; "
    "nearer to 0 is better",
    "Krippendorff's alpha": "agreement beyond chance, 1 at most; below 0.667 one person's label is "
    "by custom no truth",
    "omega, ω": "the share of raters that a classifier may stand in for, by the alternative "
    "annotator test",
    "latent class": "a model in which every item has one true label and raters err by habit",
    "bootstrap": "drawing the items again and again from those there are, to see how much depends "
    "on which ones they happen to be",
    "Holm": "a rule for many comparisons at once: the more there are, the clearer a difference "
    "must be to be claimed",
    "expected loss": "how far the one chosen now is behind the best, on average over what the data "
    "leave open",
}
"""The terms of the glossary (docs/glossary.md) that a report uses, in fewer words."""

OF_NAMES = ("agree", "ceiling", "span", "misled together", "slip", "flip rate", "contested",
            "cross-entropy", "omega, ω", "latent class")  # fmt: skip
"""Those that speak of labels that are names."""

ON_A_SCALE = {
    "near": "of two answers: at most one step apart, or within about a tenth of the scale",
    "ceiling": "the share of people near the best possible answers",
    "bias": "how much higher than people the classifier rates, on average",
    "ranked probability score, rps": "a score: how far the probabilities of levels lie from the "
    "level that was then said, step by step; nearer to 0 is better",
}
"""What takes their place where labels are levels or numbers."""


def words(evaluation: Evaluation) -> Section:
    """What the words mean, folded away until somebody asks."""
    meant = dict(WORDS)
    if evaluation.data.scale != "nominal":
        meant = {word: means for word, means in WORDS.items() if word not in OF_NAMES} | ON_A_SCALE
    return Section(
        "words",
        "Words",
        "What do the words of this report mean?",
        folded=(Table("Words", ("word", "what it means"), tuple(meant.items()), id="words"),),
    )
