import type { Command as TypedCommand } from '@commander-js/extra-typings'
import type { Command, Option } from 'commander'
import { type Define, refuseEmpty, SpacesCommand } from './command.js'

interface Entry {
  readonly description: string
  /** Loads the command when it is called; `--help` needs none of it. */
  readonly load: () => Promise<{ readonly define: Define }>
}

/** The nouns of the `spaces` command, in the order and under the headings of its help. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, Entry>>>> = {
  'Work together': {
    space: {
      description: 'Create, list, change, join and leave spaces',
      load: () => import('./commands/space/space.js'),
    },
    participant: {
      description: 'Add people and agents to a space, and remove them',
      load: () => import('./commands/participant/participant.js'),
    },
    conversation: {
      description: 'Talk with somebody in private',
      load: () => import('./commands/conversation/conversation.js'),
    },
    inbox: {
      description: 'Read what waits for you, and mark it as done',
      load: () => import('./commands/inbox/inbox.js'),
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
      description: 'Start, list and show threads',
      load: () => import('./commands/thread/thread.js'),
    },
    claim: {
      description: 'Say what you work on, so that nobody else does',
      load: () => import('./commands/claim/claim.js'),
    },
    event: {
      description: 'Show an event, and what became of it with those it addresses',
      load: () => import('./commands/event/event.js'),
    },
    decision: {
      description: 'Propose, approve, resolve and reject decisions',
      load: () => import('./commands/decision/decision.js'),
    },
    policy: {
      description: 'Show and set who settles decisions, and the loop guard of a space',
      load: () => import('./commands/policy/policy.js'),
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
      description: 'Show who said what recently',
      load: () => import('./commands/activity/activity.js'),
    },
    summary: {
      description: 'Summarize a space',
      load: () => import('./commands/summary/summary.js'),
    },
    context: {
      description: 'Print what a language model needs to know of a space',
      load: () => import('./commands/context/context.js'),
    },
  },
  Team: {
    agent: {
      description: 'Register and manage your agents',
      load: () => import('./commands/agent/agent.js'),
    },
    tenant: {
      description: 'Create a tenant, or manage the members of yours',
      load: () => import('./commands/tenant/tenant.js'),
    },
    invite: {
      description: 'Invite people to your tenant',
      load: () => import('./commands/invite/invite.js'),
    },
    webhook: {
      description: 'Notify servers of what happens',
      load: () => import('./commands/webhook/webhook.js'),
    },
    log: {
      description: 'Export, prove and verify the history of a space',
      load: () => import('./commands/log/log.js'),
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
    credential: {
      description: 'See what ends with a credential of yours, your agents or your members, and revoke it',
      load: () => import('./commands/credential/credential.js'),
    },
    notifications: {
      description: 'How you are told of what waits while you are away',
      load: () => import('./commands/notifications/notifications.js'),
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
    alias: {
      description: 'Give command lines names of your own',
      load: () => import('./commands/alias/alias.js'),
    },
    mcp: {
      description: 'Connect an MCP host, with your account',
      load: () => import('./commands/mcp/mcp.js'),
    },
    completion: {
      description: 'Generate a completion script for your shell',
      load: () => import('./commands/completion/completion.js'),
    },
  },
}

const ENTRIES = new Map(Object.values(COMMANDS).flatMap((group) => Object.entries(group)))

/** Whether the program has a command of this name. */
export const isCommand = (name: string): boolean => ENTRIES.has(name)

declare const __VERSION__: string

/** The options that can be given to any command. */
const withGlobalOptions = (command: Command): Command =>
  command
    .helpOption('-h, --help', 'Print help')
    .option('--json [fields]', 'Print JSON, for scripts; only these fields with --json=space_id,status')
    .option('--jq <program>', 'Filter the JSON with a jq program, and print texts as they are')
    .option('--template <text>', 'Fill in {{fields}} of the JSON, once for each element of a list')
    .option('--url <url>', 'Address of the server (or SPACES_URL)')
    .option('--profile <profile>', 'Account to use, from `spaces profile list` (or SPACES_PROFILE)')
    .option('--timeout <seconds>', 'How long the server may stay silent (or SPACES_TIMEOUT; default: 30)')
    .option('--retry', 'Try again even if the server has not answered once')
    .option('--no-color', 'Disable colours (or NO_COLOR)')
    .option('--no-pager', 'Disable the pager')
    .configureHelp({ optionTerm })

/** The text of `spaces help options`; in the help of each command it would be longer than the rest. */
export const globalOptions = (): Command =>
  withGlobalOptions(new SpacesCommand('spaces COMMAND').description('Options that every command has.'))

const WHERE_OPTIONS_ARE = '\nOptions of every command (--json, --profile …): spaces help options'

/** The whole command line. A command is loaded only when it is called. */
export function createProgram(): Command {
  const program = withGlobalOptions(new SpacesCommand('spaces'))
    .description('Work with people and agents in Collaboration Spaces.')
    .version(__VERSION__, '-V, --version', 'Print the version')
    .addHelpText('after', '\nNew here? Start with: spaces signup\n\nHelp on a command: spaces COMMAND --help')
    .addHelpText('afterAll', ({ command }) => (command.parent ? WHERE_OPTIONS_ARE : ''))
    .helpCommand(false)
    .exitOverride()
  for (const [heading, entries] of Object.entries(COMMANDS)) {
    for (const [name, { description }] of Object.entries(entries)) {
      program.command(name).description(description).helpGroup(`${heading}:`).helpCommand(false)
    }
  }
  program.hook('preSubcommand', (_, command) => load(command))
  program.hook('preAction', (_, command) => refuseEmpty(command))
  return program
}

/** Adds its verbs and options to a command of the program. */
export async function load(command: Command): Promise<void> {
  const entry = ENTRIES.get(command.name())
  if (entry) (await entry.load()).define(command as unknown as TypedCommand)
}

/** The fields of `--json` follow a `=` only. */
const optionTerm = ({ flags }: Option) => flags.replace('--json [fields]', '--json[=fields]')
