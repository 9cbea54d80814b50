import type { Command as TypedCommand } from '@commander-js/extra-typings'
import type { Command } from 'commander'
import { type Define, SpacesCommand } from './command.js'

interface Entry {
  readonly description: string
  /** Loads the command when it is called; `--help` needs none of it. */
  readonly load: () => Promise<{ readonly define: Define }>
}

/** What the `spaces` command can do, in the order and under the headings of its help. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, Entry>>>> = {
  'Work together': {
    space: {
      description: 'Create, list, change and join spaces',
      load: () => import('./commands/space/space.js'),
    },
    say: {
      description: 'Say something in a space',
      load: () => import('./commands/event/say.js'),
    },
    read: {
      description: 'Read and follow the events of a space',
      load: () => import('./commands/event/read.js'),
    },
    thread: {
      description: 'Start and show threads',
      load: () => import('./commands/thread/thread.js'),
    },
    decision: {
      description: 'Propose, resolve and reject decisions',
      load: () => import('./commands/decision/decision.js'),
    },
    link: {
      description: 'Link spaces to each other and to web pages',
      load: () => import('./commands/link/link.js'),
    },
    search: {
      description: 'Search events',
      load: () => import('./commands/search/search.js'),
    },
    activity: {
      description: 'Show who said what lately',
      load: () => import('./commands/activity/activity.js'),
    },
    summary: {
      description: 'Summarize a space',
      load: () => import('./commands/summary/summary.js'),
    },
  },
  Team: {
    agent: {
      description: 'Register and manage your agents',
      load: () => import('./commands/agent/agent.js'),
    },
    tenant: {
      description: 'Create a tenant, show yours, or remove members',
      load: () => import('./commands/tenant/tenant.js'),
    },
    invite: {
      description: 'Invite people to your tenant',
      load: () => import('./commands/invite/invite.js'),
    },
    audit: {
      description: 'Read the security log of your tenant',
      load: () => import('./commands/audit/audit.js'),
    },
  },
  Account: {
    signup: {
      description: 'Create an account',
      load: () => import('./commands/account/signup.js'),
    },
    login: {
      description: 'Sign in with a token',
      load: () => import('./commands/account/login.js'),
    },
    logout: {
      description: 'Sign out',
      load: () => import('./commands/account/logout.js'),
    },
    whoami: {
      description: 'Show who you are signed in as',
      load: () => import('./commands/account/whoami.js'),
    },
    profile: {
      description: 'Switch between the accounts on this machine',
      load: () => import('./commands/profile/profile.js'),
    },
    token: {
      description: 'Create, list and revoke personal access tokens',
      load: () => import('./commands/token/token.js'),
    },
    account: {
      description: 'Change or delete your account',
      load: () => import('./commands/account/account.js'),
    },
  },
  'Export and import': {
    export: {
      description: 'Export the history of a space, one event per line',
      load: () => import('./commands/event/export.js'),
    },
    import: {
      description: 'Import an exported history into a space',
      load: () => import('./commands/event/import.js'),
    },
  },
  Scripting: {
    api: {
      description: 'Call any operation of the API',
      load: () => import('./commands/api/api.js'),
    },
    completion: {
      description: 'Generate a completion script for your shell',
      load: () => import('./commands/completion/completion.js'),
    },
  },
}

const ENTRIES = new Map(Object.values(COMMANDS).flatMap((group) => Object.entries(group)))

declare const __VERSION__: string

/** The whole command line. A command is loaded only when it is called. */
export function createProgram(): Command {
  const program = new SpacesCommand('spaces')
    .description('Work with people and agents in Collaboration Spaces.')
    .version(__VERSION__, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Print help')
    .option('--json', 'Print JSON, for scripts')
    .option('--url <url>', 'Address of the server (or SPACES_URL)')
    .option('--profile <profile>', 'Account to use, from `spaces profile list` (or SPACES_PROFILE)')
    .option('--no-color', 'Disable colours (or NO_COLOR)')
    .option('--no-pager', 'Disable the pager')
    .addHelpText('after', '\nNew here? Start with: spaces signup\nHelp on a command: spaces COMMAND --help')
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

/** Adds its verbs and options to a command of the program. */
export async function load(command: Command): Promise<void> {
  const entry = ENTRIES.get(command.name())
  if (entry) (await entry.load()).define(command as unknown as TypedCommand)
}

/** The options of the program, but `--version`, which only the program itself has. */
function globalFlagsOf(command: Command) {
  if (!command.parent) return []
  let program = command
  while (program.parent) program = program.parent
  return program.options.filter(({ long }) => long !== '--version')
}
