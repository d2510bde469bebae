// `completion`: prints a script that completes commands and options in bash and zsh.
import { type Command, command } from './syntax/command.ts';
import { commandsOf, commandWords, optionsOf } from './syntax/parse-command.ts';
import { print } from './terminal/print.ts';

export const completionCommand = command({
  name: 'completion',
  usage: 'bash|zsh',
  summary: 'prints a script that completes commands and options in the shell',
  details:
    'For bash, a line of ~/.bashrc is: source <(budgeting completion bash). For zsh, a line of ~/.zshrc after compinit: source <(budgeting completion zsh).',
  operands: { SHELL: 'bash or zsh' },
  refuse: (_, [shell]) =>
    shell === 'bash' || shell === 'zsh' ? null : `Expected bash or zsh, got ${shell}`,
  examples: ['completion bash'],
  async run({ operands: [shell = ''] }, commands: readonly Command[]) {
    print(completionScript(shell, commands));
  },
});

/** In zsh, bashcompinit runs the same function. */
const ZSH = 'autoload -U +X bashcompinit && bashcompinit\n';

export function completionScript(shell: string, commands: readonly Command[]): string {
  const groups = commandWords(commands).filter(
    word => commandsOf(commands, word)[0]?.name !== word,
  );
  const actions = groups.map(word => {
    const names = commandsOf(commands, word).map(({ name }) => name.slice(word.length + 1));
    return branch(`"${word} "`, names);
  });
  actions.push(branch('"completion "', ['bash', 'zsh']));
  actions.push(branch('"help "', [...commandWords(commands), 'variables']));
  const options = commands.map(one =>
    branch(`"${one.name} "*`, [...optionsOf(one).map(([option]) => `--${option}`), '--help']),
  );
  const first = branch('""', [...commandWords(commands), 'help']);
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
