"""Which estimate to believe, and why: a rule measured on the paper's simulator."""

from collections.abc import Sequence

from headcount.accuracy.parts import Check, LatentClasses
from headcount.accuracy.result import Which


def which_to_believe(checks: Sequence[Check], latent: LatentClasses | str) -> tuple[Which, str]:
    """The estimate that fits the data better, and the reason."""
    failing = [
        check.name for check in checks if check.kind == "k-property" and check.state == "violated"
    ]
    if not failing:
        return "algebraic", (
            "Believe the algebraic estimate: no check speaks against equal raters, even errors "
            "and equal difficulty, under which it is right."
        )
    biased = f"The algebraic estimate is biased here, since {_listed(failing)}"
    if isinstance(latent, str):
        return "algebraic", (
            f"{biased}, and there is no other: a system better than the raters is probably better "
            "than it says."
        )
    if not latent.converged:
        return "algebraic", (
            f"{biased}; the latent-class fit did not settle and is not to be believed either."
        )
    if latent.misnamed:
        names = ", ".join(repr(name) for name in latent.misnamed)
        return "algebraic", (
            f"{biased}, and the latent classes are not the labels (raters mostly call the class "
            f"of {names} by another label), so their accuracies mean nothing: treat the algebraic "
            "numbers as rough; more ratings or more sharply defined labels would help."
        )
    return "latent_class", (
        f"Believe the latent-class estimate: {_listed(failing)}, which biases the algebraic one; "
        "latent classes let errors be uneven and raters differ."
        + "".join(f" {check.caution}" for check in checks if check.caution)
    )


def _listed(names: list[str]) -> str:
    quoted = " and ".join(f'"{name}"' for name in names)
    return f"{quoted} {'fails' if len(names) == 1 else 'fail'}"
