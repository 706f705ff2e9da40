"""How the numbers of `ordered.json` were made: by other people's packages, installed apart.

    python -m venv peers
    peers/bin/pip install properscoring==0.1 scikit-learn==1.9.1 scipy==1.12.0 pingouin==0.6.1
    peers/bin/python tests/metrics/freeze_ordered.py > tests/metrics/ordered.json

The table is made by `table()`, which the test makes again. Ranked scores come from properscoring:
`crps_ensemble` of the levels' values with the probabilities as weights is Σ (steps) (F − 1)², which
with values 0, 1, 2, … is the ranked probability score; it is weighted over rows by hand. Kappa,
errors: scikit-learn. Correlations: SciPy and pingouin on rows repeated by whole weights.
Distances between distributions: SciPy (`wasserstein_distance`, `jensenshannon`, `entropy`).
"""

import json

import numpy as np

VALUES = np.array([1.0, 2.0, 3.0, 5.0])
ROWS = 60


def table():
    """Probabilities (R, L), answers (R,), labels (R,), whole weights (R,), counts (R, L)."""
    rng = np.random.default_rng(17)
    p = rng.dirichlet(np.ones(len(VALUES)), size=ROWS)
    p[: ROWS // 2] = p[rng.integers(6, size=ROWS // 2)]
    label = rng.integers(len(VALUES), size=ROWS)
    answer = np.clip(label + rng.integers(-1, 2, size=ROWS), 0, len(VALUES) - 1)
    counts = rng.multinomial(7, p)
    return p, answer, label, rng.integers(1, 5, size=ROWS), counts


def main():
    import pingouin
    import properscoring
    from scipy import stats
    from scipy.spatial.distance import jensenshannon
    from sklearn import metrics

    p, answer, label, weight, counts = table()

    def ranked(values):
        each = [
            properscoring.crps_ensemble(values[y], values, weights=row)
            for y, row in zip(label, p, strict=True)
        ]
        return float(-np.average(each, weights=weight))

    said, told = VALUES[answer], VALUES[label]
    rows = np.repeat(np.arange(ROWS), weight)
    shares = counts / counts.sum(axis=1, keepdims=True)
    found = {
        "rps": ranked(np.arange(len(VALUES), dtype=float)),
        "crps": ranked(VALUES),
        "absolute_error": -metrics.mean_absolute_error(told, said, sample_weight=weight),
        "squared_error": -metrics.mean_squared_error(told, said, sample_weight=weight),
        # scikit-learn places labels 0, 1, 2, …: the test does too for this one.
        "quadratic_kappa": metrics.cohen_kappa_score(
            label, answer, weights="quadratic", sample_weight=weight
        ),
        "spearman": float(stats.spearmanr(said[rows], told[rows]).statistic),
        "spearman_pingouin": float(
            pingouin.corr(said[rows], told[rows], method="spearman")["r"].iloc[0]
        ),
        "pearson": float(stats.pearsonr(said[rows], told[rows]).statistic),
        "manhattan": float(np.abs(p - shares).sum(axis=1).mean()),
        "wasserstein": float(
            np.mean(
                [
                    stats.wasserstein_distance(VALUES, VALUES, a, b)
                    for a, b in zip(p, shares, strict=True)
                ]
            )
        ),
        "kl": float(np.mean([stats.entropy(b, a, base=2) for a, b in zip(p, shares, strict=True)])),
        "jsd": float(
            np.mean([jensenshannon(a, b, base=2) ** 2 for a, b in zip(p, shares, strict=True)])
        ),
    }
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
