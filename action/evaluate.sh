#!/usr/bin/env bash
# Evaluate once: the report, the result as JSON, a summary for the run and the text of a comment.
# A gate that is not met ends the job in a later step, after the report was kept.
set -euo pipefail

folder="${HEADCOUNT_FOLDER:-headcount-report}"
mkdir -p "$folder"
words=("$HEADCOUNT_RATINGS")
if [ -n "${HEADCOUNT_PREDICTIONS:-}" ]; then words+=("$HEADCOUNT_PREDICTIONS"); fi
# Which gates name the baseline is for headcount to tell: it knows what the classifiers are called.
if [ -n "${HEADCOUNT_BASELINE:-}" ]; then
  words+=(--baseline "$HEADCOUNT_BASELINE" --await-baseline)
  if [ ! -f "$HEADCOUNT_BASELINE" ]; then
    echo "::notice::There is no $HEADCOUNT_BASELINE yet: gates that name the baseline wait for it."
  fi
fi
while IFS= read -r line; do
  if [ -n "${line// /}" ]; then words+=(--require "$line"); fi
done <<< "${HEADCOUNT_REQUIRE:-}"
while IFS= read -r line; do
  if [ -n "$line" ]; then words+=("$line"); fi
done <<< "${HEADCOUNT_ARGUMENTS:-}"

# What an earlier run left must not pass for what this one found.
new="$(mktemp -d "$folder/.new.XXXXXX")"
trap 'rm -rf "$new"' EXIT
code=0
headcount evaluate "${words[@]}" --markdown --output "$new/report.html" \
  --save "$new/result.json" > "$new/summary.md" 2> "$new/messages.txt" || code=$?
cat "$new/messages.txt" >&2
fail() {
  echo "::error::${1//%/%25}"
  exit "$2"
}
if [ "$code" != 0 ] && [ "$code" != 3 ]; then
  said="$(sed -n 's/^headcount: //p' "$new/messages.txt" | tail -n 1)"
  fail "${said:-headcount evaluate ended with $code.}" "$code"
fi
if [ ! -s "$new/result.json" ] || [ ! -s "$new/report.html" ]; then
  fail "Nothing was evaluated: the arguments ask for something else, such as --help." 1
fi
rm "$new/messages.txt"
mv "$new"/* "$folder/"

{
  echo "<!-- headcount -->"
  echo "## How good are the classifiers?"
  echo
  cat "$folder/summary.md"
} > "$folder/comment.md"
cat "$folder/comment.md" >> "$GITHUB_STEP_SUMMARY"

{
  echo "code=$code"
  echo "met=$([ "$code" = 0 ] && echo true || echo false)"
  echo "report=$folder/report.html"
  echo "result=$folder/result.json"
  echo "comment=$folder/comment.md"
} >> "$GITHUB_OUTPUT"
