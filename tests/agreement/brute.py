"""The coefficients the slow way, from their definitions: loops over items and pairs."""

from itertools import combinations, permutations


def pairs(answers):
    """Ordered pairs of answers (item, rater, label) on one item by two different raters.

    `answers` is a list of (item copy, rater, label); a rater may be there more than once.
    """
    by_item = {}
    for item, rater, label in answers:
        by_item.setdefault(item, []).append((rater, label))
    return {
        item: [(a, b) for (r, a), (s, b) in permutations(said, 2) if r != s]
        for item, said in by_item.items()
    }


def percent_agreement(answers):
    every = [pair for found in pairs(answers).values() for pair in found]
    return sum(a == b for a, b in every) / len(every)


def item_agreement(answers):
    shares = [
        sum(a == b for a, b in found) / len(found) for found in pairs(answers).values() if found
    ]
    return sum(shares) / len(shares)


def item_shares(answers, labels):
    by_item = {}
    for item, _, label in answers:
        by_item.setdefault(item, []).append(label)
    return [
        sum(said.count(label) / len(said) for said in by_item.values()) / len(by_item)
        for label in labels
    ]


def fleiss_kappa(answers, labels):
    chance = sum(share**2 for share in item_shares(answers, labels))
    return (item_agreement(answers) - chance) / (1 - chance)


def gwet_ac1(answers, labels):
    chance = sum(p * (1 - p) for p in item_shares(answers, labels)) / (len(labels) - 1)
    return (item_agreement(answers) - chance) / (1 - chance)


def alpha(answers, labels, level, values=None):
    """Krippendorff's alpha from the coincidence matrix, δ² as in his own definitions.

    An item with N ratings spreads its coincidences over its pairs, N in all.
    """
    coincidences = {(a, b): 0.0 for a in labels for b in labels}
    sizes = {}
    for item, _, _ in answers:
        sizes[item] = sizes.get(item, 0) + 1
    for item, found in pairs(answers).items():
        for a, b in found:
            coincidences[a, b] += sizes[item] / len(found)
    n = {a: sum(coincidences[a, b] for b in labels) for a in labels}
    total = sum(n.values())

    def distance(i, j):
        a, b = labels[i], labels[j]
        if level == "nominal":
            return 1.0
        if level == "interval":
            return (values[i] - values[j]) ** 2
        return (sum(n[labels[g]] for g in range(i, j + 1)) - (n[a] + n[b]) / 2) ** 2

    couples = list(combinations(range(len(labels)), 2))
    observed = sum(coincidences[labels[i], labels[j]] * distance(i, j) for i, j in couples)
    expected = sum(n[labels[i]] * n[labels[j]] * distance(i, j) for i, j in couples)
    return 1 - (total - 1) * observed / expected
