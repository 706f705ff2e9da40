#!/usr/bin/env bash
# One comment a pull request: the first time it is written, later it is rewritten.
set -euo pipefail

comments="repos/$GITHUB_REPOSITORY/issues/$HEADCOUNT_PULL_REQUEST/comments"
ours='.[] | select(.body | startswith("<!-- headcount -->")) | .id'
id="$(gh api --paginate "$comments" --jq "$ours" | head -n 1)"
if [ -n "$id" ]; then
  gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" -F "body=@$HEADCOUNT_COMMENT"
else
  gh api --method POST "$comments" -F "body=@$HEADCOUNT_COMMENT"
fi
