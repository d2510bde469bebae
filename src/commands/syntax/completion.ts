// The script that completes commands and options in bash and zsh, made of the table of commands.
import { COMMANDS } from './commands.ts';
import { type CommandName, commandsOf, commandWords, optionsOf } from './parse-command.ts';

/** In zsh, bashcompinit runs the same function. */
const ZSH = 'autoload -U +X bashcompinit && bashcompinit\n';

export function completionScript(shell: string): string {
  const groups = commandWords().filter(word => commandsOf(word)[0] !== word);
  const actions = groups.map(word => {
    const names = commandsOf(word).map(name => name.slice(word.length + 1));
    return branch(`"${word} "`, names);
  });
  actions.push(branch('"completion "', ['bash', 'zsh']));
  const options = (Object.keys(COMMANDS) as CommandName[]).map(name =>
    branch(`"${name} "*`, [...optionsOf(name).map(([option]) => `--${option}`), '--help']),
  );
  const first = branch('""', [...commandWords(), 'help']);
  // Behind an option or a word that is none of ours, the shell completes the names of files.
  return `${shell === 'zsh' ? ZSH : ''}_budgeting() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="" words="" index
  for ((index = 1; index < COMP_CWORD; index++)); do before+="\${COMP_WORDS[index]} "; done
  case "$before" in
${[first, ...actions, ...options].join('\n')}
  esac
  COMPREPLY=()
  if [[ "$current" == -* || "$before" != *" "*" "* ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  fi
}
complete -o default -F _budgeting budgeting`;
}

function branch(pattern: string, words: readonly string[]): string {
  return `    ${pattern}) words="${words.join(' ')}" ;;`;
}
