#!/bin/sh
# In place of Zellij: hands a call to the test, and prints the test's answer. A call consists of its words, each
# followed by a NUL, and one more NUL; the first word is where it waits for the answer.
[ "$1" = --session ] || exit 1
answer=${0%/*}/answer-$$
mkfifo "$answer"
shift 3
# Opened for both, so that nobody waits for a reader that has gone.
{
  printf '%s\0' "$answer" "$@"
  printf '\0'
} 1<> "${0%/*}/requests"
timeout 5 cat "$answer"
rm -f "$answer"
