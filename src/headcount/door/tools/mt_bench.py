"""MT-Bench and arenas: which of two models' answers was better."""

from headcount.door.comparisons import joined_name
from headcount.door.tools.found import Export, Found, every

NAME = "MT-Bench judgements"


def recognises(export: Export) -> bool:
    """Records with two models, a judge and a winner."""
    return every(export.first(), "model_a", "model_b", "winner", "judge")


def read(export: Export) -> Found:
    """An item is a question and a pair, whatever order it was shown in; the label is who won."""
    found = Found(NAME)
    for record in export.records:
        first, second = sorted((str(record["model_a"]), str(record["model_b"])))
        question = str(record.get("question_id", record.get("id")))
        turn = [str(record["turn"])] if "turn" in record else []
        item = joined_name(question, *turn, first, second)
        won = str(record["winner"])
        if won in ("model_a", "model_b"):
            winner = str(record[won])
            label = "first" if winner == first else "second"
        elif won.startswith("tie"):
            label = "tie"
        else:
            found.left_out["without a winner"] += 1
            continue
        judge = record["judge"]
        rater = judge[0] if isinstance(judge, list) and judge else judge
        found.compared[item] = (question, first, second)
        # A judge who saw both orders answered twice, and these are told apart by what came first.
        found.rate(item, rater, label, occasion="12" if record["model_a"] == first else "21")
    return found
