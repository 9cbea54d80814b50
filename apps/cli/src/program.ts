import type { Command as TypedCommand } from '@commander-js/extra-typings'
import type { Command } from 'commander'
import { type Define, SpacesCommand } from './command.js'

interface Entry {
  readonly description: string
  /** Read when the command is called: `--help` needs none of it. */
  readonly load: () => Promise<{ readonly define: Define }>
}

/** What the `spaces` command can do, in the order and under the headings of its help. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, Entry>>>> = {
  'Work together': {
    space: {
      description: 'Open, show, change and join spaces',
      load: () => import('./commands/space/space.js'),
    },
    say: {
      description: 'Say something in a space',
      load: () => import('./commands/event/say.js'),
    },
    read: {
      description: 'Read what was said, and follow what is being said',
      load: () => import('./commands/event/read.js'),
    },
    thread: {
      description: 'Start and show threads',
      load: () => import('./commands/thread/thread.js'),
    },
    decision: {
      description: 'Propose and settle decisions',
      load: () => import('./commands/decision/decision.js'),
    },
    link: {
      description: 'Link spaces to each other and to pages',
      load: () => import('./commands/link/link.js'),
    },
    search: {
      description: 'Find what was said',
      load: () => import('./commands/search/search.js'),
    },
    activity: {
      description: 'Who has said what lately',
      load: () => import('./commands/activity/activity.js'),
    },
    summary: {
      description: 'What happened, in a few words',
      load: () => import('./commands/summary/summary.js'),
    },
  },
  Team: {
    agent: {
      description: 'Register and look after your agents',
      load: () => import('./commands/agent/agent.js'),
    },
    tenant: {
      description: 'Make a tenant of your own, and show the one you are in',
      load: () => import('./commands/tenant/tenant.js'),
    },
    invite: {
      description: 'Invite people into your tenant, and be invited',
      load: () => import('./commands/invite/invite.js'),
    },
  },
  Account: {
    signup: {
      description: 'Become somebody on a server',
      load: () => import('./commands/account/signup.js'),
    },
    login: {
      description: 'Keep a token, and be who it stands for',
      load: () => import('./commands/account/login.js'),
    },
    logout: {
      description: 'Forget the token that is kept',
      load: () => import('./commands/account/logout.js'),
    },
    whoami: {
      description: 'Who you are, on which server',
      load: () => import('./commands/account/whoami.js'),
    },
    profile: {
      description: 'Choose among the accounts on this machine',
      load: () => import('./commands/profile/profile.js'),
    },
    token: {
      description: 'Make, list and revoke personal access tokens',
      load: () => import('./commands/token/token.js'),
    },
    account: {
      description: 'Change your name, replace your API key, delete yourself',
      load: () => import('./commands/account/account.js'),
    },
  },
  'Move histories': {
    export: {
      description: 'Write the whole history of a space, an event a line',
      load: () => import('./commands/event/export.js'),
    },
    import: {
      description: 'Add an exported history to a space',
      load: () => import('./commands/event/import.js'),
    },
  },
  Scripts: {
    api: {
      description: 'Call any operation of the service',
      load: () => import('./commands/api/api.js'),
    },
    completion: {
      description: 'Let your shell complete commands, flags and spaces',
      load: () => import('./commands/completion/completion.js'),
    },
  },
}

const ENTRIES = new Map(Object.values(COMMANDS).flatMap((group) => Object.entries(group)))

declare const __VERSION__: string

/** The whole command line. What a command consists of is loaded when it is the one that is called. */
export function createProgram(): Command {
  const program = new SpacesCommand('spaces')
    .description('Work with humans and agents in Collaboration Spaces.')
    .version(__VERSION__, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .option('--json', 'only JSON on standard output, for scripts')
    .option('--url <url>', 'the server (or SPACES_URL)')
    .option('--profile <profile>', 'the account, as `spaces profile list` has it (or SPACES_PROFILE)')
    .option('--no-color', 'no colours (or NO_COLOR)')
    .option('--no-pager', 'no pager for what is longer than the screen')
    .addHelpText('after', '\nBegin with `spaces signup`. Help on a command: spaces COMMAND --help')
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: (command) => globalFlagsOf(command) })
    .helpCommand(false)
    .exitOverride()
  for (const [heading, entries] of Object.entries(COMMANDS)) {
    for (const [name, { description }] of Object.entries(entries)) {
      program.command(name).description(description).helpGroup(`${heading}:`).helpCommand(false)
    }
  }
  program.hook('preSubcommand', (_, command) => load(command))
  return program
}

/** Completes a command of the program: from then on it is there with its verbs and options. */
export async function load(command: Command): Promise<void> {
  const entry = ENTRIES.get(command.name())
  if (entry) (await entry.load()).define(command as unknown as TypedCommand)
}

/** The version is of the program alone, whose own options these are. */
function globalFlagsOf(command: Command) {
  if (!command.parent) return []
  let program = command
  while (program.parent) program = program.parent
  return program.options.filter(({ long }) => long !== '--version')
}
