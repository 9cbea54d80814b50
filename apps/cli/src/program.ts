import type { Command as TypedCommand } from '@commander-js/extra-typings'
import type { Command, Option } from 'commander'
import { type Define, refuseEmpty, SpacesCommand } from './command.js'

/** A command: its description, and a function that loads it when it is called, as `--help` needs none of it. */
type Entry = readonly [description: string, load: () => Promise<{ readonly define: Define }>]

/** The nouns of the `spaces` command, in the order and under the headings of its help. */
const COMMANDS: Readonly<Record<string, Readonly<Record<string, Entry>>>> = {
  'Work together': {
    space: ['Create, list, change, join and leave spaces', () => import('./commands/space/space.js')],
    participant: ['Add people and agents to a space, and remove them', () => import('./commands/participant.js')],
    conversation: ['Manage private conversations', () => import('./commands/conversation.js')],
    inbox: ['Read what waits for you, and mark it as done', () => import('./commands/inbox/inbox.js')],
    say: ['Say something in a space', () => import('./commands/event/say.js')],
    retract: ['Retract an event of yours', () => import('./commands/event/retract.js')],
    react: ['React to an event with an emoji', () => import('./commands/event/react.js')],
    read: ['Read and follow the events of a space', () => import('./commands/event/read.js')],
    thread: ['Start, list and show threads', () => import('./commands/thread.js')],
    claim: ["Claim work so that others don't duplicate it", () => import('./commands/claim.js')],
    event: ['Show an event, and what became of it with those it addresses', () => import('./commands/event/event.js')],
    decision: ['Propose, approve, resolve and reject decisions', () => import('./commands/decision/decision.js')],
    policy: ['Show and set who settles decisions, and the loop guard of a space', () => import('./commands/policy.js')],
    file: ['List, download and delete files', () => import('./commands/file.js')],
    link: ['Link spaces to each other and to web pages', () => import('./commands/link.js')],
    search: ['Search events', () => import('./commands/search.js')],
    activity: ['Show who said what recently', () => import('./commands/activity.js')],
    summary: ['Summarize a space', () => import('./commands/summary.js')],
    context: ['Print what a language model needs to know of a space', () => import('./commands/context.js')],
  },
  Team: {
    agent: ['Register and manage your agents', () => import('./commands/agent/agent.js')],
    tenant: ['Create a tenant, or manage the members of yours', () => import('./commands/tenant/tenant.js')],
    invite: ['Invite people to your tenant', () => import('./commands/invite.js')],
    webhook: ['Notify servers of what happens', () => import('./commands/webhook/webhook.js')],
    incoming: ['Let other tools post in a space', () => import('./commands/incoming/incoming.js')],
    log: ['Export, prove and verify the history of a space', () => import('./commands/log.js')],
    audit: ['Read the security log of your tenant', () => import('./commands/audit.js')],
  },
  Account: {
    signup: ['Create an account', () => import('./commands/account/signup.js')],
    login: ['Sign in with a token', () => import('./commands/account/login.js')],
    logout: ['Sign out', () => import('./commands/account/logout.js')],
    whoami: ['Show who you are signed in as', () => import('./commands/account/whoami.js')],
    auth: ['Print the token in use, for another program', () => import('./commands/auth.js')],
    profile: ['Switch between the accounts on this machine', () => import('./commands/profile.js')],
    token: ['Create, list and revoke personal access tokens', () => import('./commands/token.js')],
    credential: [
      'See what ends with a credential of yours, your agents or your members, and revoke it',
      () => import('./commands/credential.js'),
    ],
    notifications: [
      'How you are told of what waits while you are away',
      () => import('./commands/notifications/notifications.js'),
    ],
    account: ['Change or delete your account', () => import('./commands/account/account.js')],
  },
  'Export and import': {
    export: ['Export the history of a space, one event per line', () => import('./commands/event/export.js')],
    import: [
      'Import an exported history into a space, or the export of another service',
      () => import('./commands/import/import.js'),
    ],
  },
  Scripting: {
    api: ['Call any operation of the API', () => import('./commands/api/api.js')],
    alias: ['Give command lines names of your own', () => import('./commands/alias.js')],
    mcp: ['Connect an MCP host, with your account', () => import('./commands/mcp/mcp.js')],
    completion: ['Generate a completion script for your shell', () => import('./commands/completion/completion.js')],
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
    for (const [name, [description]] of Object.entries(entries)) {
      program.command(name).description(description).helpGroup(`${heading}:`).helpCommand(false)
    }
  }
  program.hook('preSubcommand', (_, command) => load(command))
  program.hook('preAction', (_, command) => refuseEmpty(command))
  return program
}

/** Adds its verbs and options to a command of the program. */
export async function load(command: Command): Promise<void> {
  const [, loadEntry] = ENTRIES.get(command.name()) ?? []
  if (loadEntry) (await loadEntry()).define(command as unknown as TypedCommand)
}

/** The fields of `--json` follow a `=` only. */
const optionTerm = ({ flags }: Option) => flags.replace('--json [fields]', '--json[=fields]')
