#!/bin/sh
[ "$1" = --version ] && exit 0
echo "error: no linker" >&2
exit 101
