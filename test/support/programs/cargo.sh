#!/bin/sh
# Fakes only the build: a real one takes eight minutes, and the rest of the tests depend on its result.
[ "$1" = --version ] && exit 0
echo build >> "$LOG"
while [ $# -gt 0 ]; do
  [ "$1" = --root ] && root=$2
  shift
done
printf '\r    Building [=====>      ] 120/429: serde' >&2
sleep 1
mkdir -p "$root/bin"
printf '#!/bin/sh\necho zellij 0.45.1\n' > "$root/bin/zellij"
chmod +x "$root/bin/zellij"
