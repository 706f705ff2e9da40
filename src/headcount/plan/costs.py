"""What labels and items cost."""

from headcount.errors import OptionError
from headcount.frozen import frozen
from headcount.plan.given import number


@frozen
class Costs:
    """What a label costs, and an item before any label.

    Parameters
    ----------
    label : float
        A label's price.
    item : float
        What an item costs to find, clean or show, before any label.

    Examples
    --------
    >>> Costs(item=20).of(3)
    23.0
    """

    label: float = 1.0
    item: float = 0.0

    def __post_init__(self) -> None:
        for name in ("item", "label"):
            value = number(f"{name}_cost", getattr(self, name))
            if value < 0:
                raise OptionError(f"{name}_cost is at least 0; it was {value:g}.")
        if self.item + self.label == 0:
            raise OptionError("item_cost and label_cost are both 0: give one of them a price.")

    def of(self, labels: float) -> float:
        """An item with so many labels.

        Parameters
        ----------
        labels : float
            How many labels it has; an expectation for an adaptive plan.

        Returns
        -------
        float
            Its price.

        Examples
        --------
        >>> Costs(label=0.5, item=2).of(4)
        4.0
        """
        return self.item + self.label * labels
