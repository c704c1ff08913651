#!/bin/sh
# Runs the Chromium beside it with its own libraries, its own font, and no sandbox: what would start one is not in its
# package, and it opens nothing but pages of a test.
here=${0%/*}
export LD_LIBRARY_PATH="$here/lib" FONTCONFIG_FILE="$here/fonts.conf"
exec "$here/chromium" --no-sandbox "$@"
