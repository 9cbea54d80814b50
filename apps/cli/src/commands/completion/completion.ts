import { Argument } from '@commander-js/extra-typings'
import type { Define } from '../../command.js'
import { start } from '../../start.js'
import bash from './spaces.bash'
import fish from './spaces.fish'
import zsh from './spaces.zsh'

const SCRIPTS = { bash, zsh, fish } as const

export const define: Define = (completion) => {
  completion
    .addArgument(new Argument('<shell>', 'Your shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `
Add it to what your shell reads at start:
  $ echo 'eval "$(spaces completion bash)"' >> ~/.bashrc
  $ echo 'eval "$(spaces completion zsh)"' >> ~/.zshrc        # after compinit
  $ spaces completion fish > ~/.config/fish/completions/spaces.fish`,
    )
    .action(
      start(async (cli, shell) => {
        cli.out.result({ shell, script: SCRIPTS[shell] }, ({ script }) => script.trimEnd())
      }),
    )
}
