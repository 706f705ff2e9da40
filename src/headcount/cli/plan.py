"""`headcount plan`: how to spend the next labels."""

import typer

from headcount.cli import (
    plan_accuracy,
    plan_compare,
    plan_gold,
    plan_pilot,
    plan_ratings,
    plan_scores,
    plan_watch,
)

app = typer.Typer(
    help="How to spend the next labels.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

app.command("accuracy")(plan_accuracy.accuracy)
app.command("gold")(plan_gold.gold)
app.command("ratings")(plan_ratings.ratings)
app.command("compare")(plan_compare.compare)
app.command("pilot")(plan_pilot.pilot)
app.command("scores")(plan_scores.scores)
app.command("watch")(plan_watch.watch)
