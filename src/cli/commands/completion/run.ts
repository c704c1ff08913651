/** `ovld completion`: prints a completion script for a shell. */
import type { CommandContext } from "../../../command/command-context.ts";
import { EXIT } from "../../../army/errors.ts";

type Shell = "bash" | "zsh" | "fish" | "nushell";

export async function completion(context: CommandContext, _flags: object, shell: Shell): Promise<number> {
  context.print("stdout", COMPLETION_SCRIPTS[shell]);
  return EXIT.done;
}

/** Each makes a shell ask ovld for completions. */
const COMPLETION_SCRIPTS: Record<Shell, string> = {
  bash: `# Completion of ovld for bash.
_ovld() {
  local line word
  COMPREPLY=()
  # What stands on the line afterwards is run: each word is quoted.
  while IFS= read -r line; do
    printf -v word %q "\${line%%$'\\t'*}"
    COMPREPLY+=("$word")
  done < <(ovld complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o bashdefault -o default -F _ovld ovld
`,
  zsh: `#compdef ovld
# Completion of ovld for zsh.
_ovld() {
  local line
  local -a found
  for line in "\${(@f)$(ovld complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#found} )); then
    _describe -V ovld found
  else
    _files
  fi
}
if [[ \${funcstack[1]} == _ovld ]]; then
  _ovld "$@"
else
  compdef _ovld ovld
fi
`,
  fish: `# Completion of ovld for fish.
function __ovld_complete
    set -l words (commandline -opc) (commandline -ct)
    ovld complete $words[2..-1] 2>/dev/null
end
complete -c ovld -f -a '(__ovld_complete)'
`,
  // Nushell has one completer for all programs: those that it has completed before still are.
  nushell: `# Completion of ovld for nushell.
let before_ovld = $env.config.completions.external.completer?
$env.config.completions.external.completer = {|spans|
  if $spans.0 == ovld {
    let found = ^ovld complete ...($spans | skip 1) e> /dev/null
      | lines
      | parse --regex '^(?<value>[^\\t]*)\\t?(?<description>.*)$'
      | update value {|it| if $it.value =~ '^[\\w@=-]+$' { $it.value } else { $it.value | to nuon } }
    if ($found | is-empty) { null } else { $found }
  } else if $before_ovld != null {
    do $before_ovld $spans
  }
}
`,
};
