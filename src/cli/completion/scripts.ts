/** Scripts that teach a shell to complete our commands and flags. */
import type { Place } from "./vocabulary.ts";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

export function completionScript(shell: Shell, places: readonly Place[]): string {
  if (shell === "fish") return fishScript(places);
  return shell === "bash" ? bashScript(places) : zshScript(places);
}

/** Sets REPLY to what may follow some words; bash and zsh read it alike. */
function wordTable(places: readonly Place[]): string {
  const cases = places.map(({ words, suggestions }) => {
    const list = suggestions.map(({ word }) => word).join(" ");
    return `    ${quoted(words.join(" "))}) REPLY=${quoted(list)} ;;`;
  });
  return ["_strongroom_after() {", "  REPLY=", '  case "$1" in', ...cases, "  esac", "}"].join("\n");
}

/** Follows the words typed so far from group to group, and leaves in REPLY what may come next. */
const walk = `_strongroom_walk() {
  local at='' word
  _strongroom_after ''
  for word in "$@"; do
    case "$word" in -*) continue ;; esac
    local before="$REPLY"
    _strongroom_after "\${at:+$at }$word"
    if [ -z "$REPLY" ]; then
      # After a command come its flags again; after an unknown word comes nothing.
      case "$before" in -*) REPLY="$before" ;; esac
      break
    fi
    at="\${at:+$at }$word"
  done
}`;

const bashScript = (
  places: readonly Place[],
): string => `# bash completion of strongroom. To use it: source <(strongroom completion bash)
${wordTable(places)}
${walk}
_strongroom() {
  local REPLY
  _strongroom_walk "\${COMP_WORDS[@]:1:COMP_CWORD-1}"
  COMPREPLY=($(compgen -W "$REPLY" -- "\${COMP_WORDS[COMP_CWORD]}"))
  case "\${COMPREPLY[0]}" in *=) compopt -o nospace ;; esac
}
complete -o default -F _strongroom strongroom
`;

const zshScript = (places: readonly Place[]): string => `#compdef strongroom
# zsh completion of strongroom. To use it: source <(strongroom completion zsh)
${wordTable(places)}
${walk}
_strongroom() {
  local REPLY
  _strongroom_walk "\${(@)words[2,CURRENT-1]}"
  local -a plain valued
  plain=(\${(M)\${=REPLY}:#*[^=]})
  valued=(\${(M)\${=REPLY}:#*=})
  compadd -a plain
  compadd -S '' -a valued
  _files
}
compdef _strongroom strongroom
`;

function fishScript(places: readonly Place[]): string {
  const lines = places.flatMap(({ words, isGroup, suggestions }) =>
    suggestions.map(({ word, description }) => {
      const condition = quoted(["__strongroom_at", isGroup ? "group" : "command", ...words].join(" "));
      return `complete -c strongroom -n ${condition} ${fishWord(word)} -d ${fishQuoted(description)}`;
    }),
  );
  return `# fish completion of strongroom. To use it: strongroom completion fish | source
function __strongroom_at
    set -l typed
    for word in (commandline -opc)[2..-1]
        string match -q -- '-*' $word; or set -a typed $word
    end
    set -l wanted $argv[2..-1]
    set -l count (count $wanted)
    test (count $typed) -ge $count; or return 1
    test $argv[1] = command; or test (count $typed) -eq $count; or return 1
    test $count -eq 0; or test "$typed[1..$count]" = "$wanted"
end
${lines.join("\n")}
`;
}

function fishWord(word: string): string {
  if (!word.startsWith("-")) return `-f -a ${quoted(word)}`;
  return word.endsWith("=") ? `-o ${word.slice(1, -1)} -r` : `-o ${word.slice(1)}`;
}

/** In single quotes a shell changes nothing but the single quote itself. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const fishQuoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
