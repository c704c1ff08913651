# Records into which pane ovld types and which one the viewer is in: record-focus.sh ZELLIJ FILE PANE
for attempt in 1 2 3 4 5; do
  focused=$("$1" --session overlord action list-clients | sed -n 's/^[0-9][0-9]* *\(terminal_[0-9]*\).*/\1/p' | head -n 1)
  # Zellij answers with nothing now and then.
  [ -n "$focused" ] && break
done
echo "$3 $focused" >> "$2"
