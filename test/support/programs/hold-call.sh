# Makes a call, and stops before or after it until it is released: hold-call.sh FOLDER before|after PROGRAM ARGUMENT…
folder=$1
when=$2
shift 2
stop_here() {
  : > "$folder/reached"
  until [ -e "$folder/released" ]; do sleep 0.02; done
}
[ "$when" = before ] && stop_here
"$@"
code=$?
[ "$when" = after ] && stop_here
: > "$folder/over"
exit "$code"
