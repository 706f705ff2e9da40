#!/usr/bin/env bash
# Install what was asked for, or the version that the action came with.
set -euo pipefail
python -m pip install --quiet --disable-pip-version-check "${HEADCOUNT_INSTALL:-$GITHUB_ACTION_PATH}"
headcount --version
