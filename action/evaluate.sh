#!/usr/bin/env bash
# Evaluate once: the report, the result as JSON, a summary for the run and the text of a comment.
# A gate that is not met ends the job in a later step, after the report was kept.
set -euo pipefail

folder="${HEADCOUNT_FOLDER:-headcount-report}"
mkdir -p "$folder"
words=("$HEADCOUNT_RATINGS")
if [ -n "${HEADCOUNT_PREDICTIONS:-}" ]; then words+=("$HEADCOUNT_PREDICTIONS"); fi
before=""
if [ -n "${HEADCOUNT_BASELINE:-}" ] && [ -f "$HEADCOUNT_BASELINE" ]; then
  before=yes
  words+=(--baseline "$HEADCOUNT_BASELINE")
elif [ -n "${HEADCOUNT_BASELINE:-}" ]; then
  echo "::notice::There is no $HEADCOUNT_BASELINE yet: gates that name the baseline are passed over."
fi
while IFS= read -r line; do
  if [ -z "$before" ] && [ -n "${HEADCOUNT_BASELINE:-}" ] && [[ "$line" == *baseline* ]]; then continue; fi
  if [ -n "${line// /}" ]; then words+=(--require "$line"); fi
done <<< "${HEADCOUNT_REQUIRE:-}"
while IFS= read -r line; do
  if [ -n "$line" ]; then words+=("$line"); fi
done <<< "${HEADCOUNT_ARGUMENTS:-}"

code=0
headcount evaluate "${words[@]}" --markdown --output "$folder/report.html" \
  --save "$folder/result.json" > "$folder/summary.md" 2> "$folder/messages.txt" || code=$?
cat "$folder/messages.txt" >&2
if [ "$code" != 0 ] && [ "$code" != 3 ]; then
  grep '^headcount: ' "$folder/messages.txt" | sed 's/^headcount: /::error::/' || true
  exit "$code"
fi

# What was not met stands above the numbers, where nobody overlooks it.
unmet="$(sed -n 's/^headcount: requirement not met: /- **Not met:** /p' "$folder/messages.txt")"
{
  echo "<!-- headcount -->"
  echo "## How good are the classifiers?"
  echo
  if [ -n "$unmet" ]; then printf '%s\n\n' "$unmet"; fi
  cat "$folder/summary.md"
} > "$folder/comment.md"
cat "$folder/comment.md" >> "$GITHUB_STEP_SUMMARY"
rm "$folder/messages.txt"

{
  echo "code=$code"
  echo "met=$([ "$code" = 0 ] && echo true || echo false)"
  echo "report=$folder/report.html"
  echo "result=$folder/result.json"
  echo "comment=$folder/comment.md"
} >> "$GITHUB_OUTPUT"
