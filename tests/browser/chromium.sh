#!/bin/sh
# Chromium for the browser tests: nothing to do where there is one, Debian's package where it
# can be installed, and a sentence where neither holds.
[ "$HEADCOUNT_BROWSER" = none ] && exit 0
for name in "$CHROMIUM" chromium chromium-browser google-chrome; do
    [ -n "$name" ] && command -v "$name" >/dev/null && exit 0
done
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    export DEBIAN_FRONTEND=noninteractive
    wait="-o DPkg::Lock::Timeout=300"
    apt-get update -qq $wait && apt-get install -y -qq $wait --no-install-recommends \
        chromium fonts-dejavu-core >/dev/null && exit 0
fi
echo "The browser tests need Chromium and it could not be installed: install it (on Debian," \
    "apt-get install chromium), name one with CHROMIUM=/path/to/chrome, or leave these tests" \
    "out with HEADCOUNT_BROWSER=none." >&2
exit 1
