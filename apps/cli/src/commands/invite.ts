import { type Client, LIMITS, type RouterInputs, type RouterOutputs, SpacesError } from '@collab-spaces/client'
import type { Cli } from '../cli.js'
import { nounWith, type Verb } from '../command.js'
import { usage } from '../failure.js'
import { invitesOf } from '../id/kind.js'
import { withNamed } from '../id/named.js'
import { givenInviteCode, pipedText } from '../input/pipe.js'
import { textFrom } from '../input/utf8.js'
import { future } from '../options/moment.js'
import { oneActor } from '../show/actor.js'
import { listOfInvites } from '../show/invite.js'
import { startUntilInterrupted, withClient } from '../start.js'
import { counted } from '../terminal/prose.js'
import { styled } from '../terminal/styled.js'
import { relativeTime } from '../terminal/time.js'
import { tellWhatStays } from './tenant/departure.js'

const create: Verb = (invite) => {
  invite
    .command('create')
    .description('Create an invite to your tenant and print its code, which is shown once')
    .option('--email <address>', 'Only an account with this address can redeem it')
    .option('--emails <file>', 'Create an invite for each address in a file, one a line, or - for standard input')
    .option('--send', 'Send the link by e-mail')
    .option('--space <space>', 'Space to join with the invite')
    .option('--guest', 'The redeemer sees only the spaces it is added to')
    .option('--expires <time>', 'Expiry: a date, or a time from now such as 12h or 3d, up to 90d (default: 7d)', future)
    .addHelpText(
      'after',
      `
The code of an invite goes to standard output. With --emails, a line for each address does, with its link.

Examples:
  $ spaces invite create --email grace@example.org --send
  $ spaces invite create --emails team.txt > links.txt

To use a code or a link:
  $ spaces signup --code        # create an account in the tenant
  $ spaces invite redeem        # move an existing account into the tenant`,
    )
    .action(
      startUntilInterrupted(async (cli, signal, { email, emails: file, space, guest, expires, send }) => {
        const client = cli.clientFor(await cli.account())
        const options = {
          default_space_id: space,
          expires_at: expires,
          send,
          ...(guest && { access: 'named' as const }),
        }
        if (file === undefined) return printInvite(cli, await client.invite.create.mutate({ email, ...options }), send)
        if (email !== undefined) throw usage('--email and --emails cannot be used together')
        await createAll(client, cli, signal, await addressesIn(file), options)
      }),
    )
}

type CreatedInvite = RouterOutputs['invite']['create']

function printInvite(cli: Cli, invite: CreatedInvite, isToBeSent = false): void {
  const { email, expires_at, url, sent } = invite
  const person = email === null ? '' : styled` for ${email}`
  cli.out.note(`Invite code${person}, shown once. It expires ${relativeTime(expires_at)}:`)
  cli.out.result(invite, ({ code }) => code)
  cli.out.note(`\nAs a link: ${url}`)
  if (isToBeSent) cli.out.note(sent ? 'The link was sent by e-mail.' : 'The mail server did not accept the link.')
}

/** An address, and its line in the file. */
interface Address {
  readonly email: string
  readonly line: number
}

async function addressesIn(file: string): Promise<Address[]> {
  const text = file === '-' ? await pipedText() : await textFrom(file)
  const addresses = text
    .split('\n')
    .map((line, index) => ({ email: line.trim(), line: index + 1 }))
    .filter(({ email }) => email !== '' && !email.startsWith('#'))
  if (addresses.length === 0) throw usage(`There is no address in ${file}`)
  return addresses
}

/** Creates the invites in batches, and prints each batch, so that the links of a batch survive a failure of the next. */
async function createAll(
  client: Client,
  cli: Cli,
  signal: AbortSignal,
  addresses: readonly Address[],
  options: Omit<RouterInputs['invite']['createBatch'], 'emails'>,
): Promise<void> {
  for (let from = 0; from < addresses.length; from += LIMITS.inviteBatch) {
    const batch = addresses.slice(from, from + LIMITS.inviteBatch)
    const emails = batch.map(({ email }) => email)
    const invites = await client.invite.createBatch.mutate({ emails, ...options }).catch((error: unknown) => {
      throw atLine(error, batch)
    })
    const mark = ({ sent }: CreatedInvite) => (options.send && !sent ? '\tnot sent' : '')
    for (const invite of invites) await cli.out.item(invite, (one) => `${one.email}\t${one.url}${mark(one)}`, signal)
  }
  cli.out.note(`Created ${counted(addresses.length, 'invite')}. Each link works once, and is shown only once.`)
}

/** The refusal of an address, with its line in the file. */
function atLine(error: unknown, batch: readonly Address[]): unknown {
  const [, index, problem] = /^emails\.(\d+): (.*)$/s.exec(error instanceof SpacesError ? error.detail : '') ?? []
  const address = batch[Number(index)]
  return address && problem ? usage(`Line ${address.line}: ${address.email} ${problem}`) : error
}

const list: Verb = (invite) => {
  invite
    .command('list')
    .description('List the invites to your tenant')
    .action(
      withClient(async (client, cli) => {
        const invites = await client.invite.list.query()
        await cli.out.longResult(invites, listOfInvites)
        await cli.numbers({ noun: 'invite' }, invites, ({ invite_id }) => invite_id)
      }),
    )
}

const redeem: Verb = (invite) => {
  invite
    .command('redeem')
    .description('Redeem an invite: move into its tenant with your agents')
    .option('--yes', 'Skip the confirmation prompt')
    .addHelpText(
      'after',
      `
Prompts for the code, or reads it from standard input:
  $ spaces invite redeem --yes < code.txt`,
    )
    .action(
      withClient(async (client, cli, { yes }) => {
        const code = await givenInviteCode(cli)
        await tellWhatStays(cli, client)
        await cli.prompt.confirm('Move into the tenant with your agents? Your current spaces stay behind.', yes)
        const actor = await client.invite.redeem.mutate({ code })
        cli.out.result(actor, oneActor)
        cli.out.note('\nList its spaces: spaces space list')
      }),
    )
}

const revoke: Verb = (invite) => {
  invite
    .command('revoke')
    .description('Revoke an invite')
    .argument('<invite>', 'Invite ID')
    .option('--yes', 'Skip the confirmation prompt')
    .action(
      withNamed(invitesOf, async (client, cli, invite_id, { yes }) => {
        await cli.prompt.confirm(`Revoke invite ${invite_id}? Its code stops working immediately.`, yes)
        cli.out.result(await client.invite.revoke.mutate({ invite_id }), () => `Revoked ${invite_id}.`)
      }),
    )
}

export const define = nounWith(create, list, revoke, redeem)
