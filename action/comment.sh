#!/usr/bin/env bash
# One comment a pull request: the first time it is written, later it is rewritten. Anybody may begin a
# comment with our mark: only one by the author that we write as is ours.
set -euo pipefail

comments="repos/$GITHUB_REPOSITORY/issues/$HEADCOUNT_PULL_REQUEST/comments"
# The token of a workflow may not read /user; GraphQL tells it whose it is.
us="$(gh api graphql -f query='{viewer{login}}' --jq .data.viewer.login)"
marked='.[] | select(.body | startswith("<!-- headcount -->")) | "\(.id) \(.user.login)"'
id="$(gh api --paginate "$comments" --jq "$marked" | while read -r id author; do
  if [ "$author" = "$us" ]; then echo "$id"; fi
done | head -n 1)"
if [ -n "$id" ]; then
  gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" -F "body=@$HEADCOUNT_COMMENT"
else
  gh api --method POST "$comments" -F "body=@$HEADCOUNT_COMMENT"
fi
