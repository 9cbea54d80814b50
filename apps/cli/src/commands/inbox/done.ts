import { type Client, type Event, excerptText, type Inbox, LIMITS, PAGES } from '@collab-spaces/client'
import type { Cli } from '../../cli.js'
import type { Verb } from '../../command.js'
import { usage } from '../../failure.js'
import { fullId } from '../../id/full-id.js'
import { eventsIn, type Kind } from '../../id/kind.js'
import { markDone } from '../../inbox/mark-done.js'
import { isEmpty } from '../../inbox/next.js'
import { isPiped, pipedText } from '../../input/pipe.js'
import { parsed } from '../../json-file.js'
import { HELD_CLAIM } from '../../options/held-claim.js'
import { posterOf } from '../../show/poster.js'
import { start } from '../../start.js'

type Done = Inbox['done']

/** What is done, and the items that it was printed with. */
type Batch = Pick<Inbox, 'done' | 'items'>

const MAX = PAGES.inbox.max

export const done: Verb = (inbox) => {
  inbox
    .command('done')
    .description('Mark what is in your inbox as done')
    .argument('[space]', 'Space ID; without one, what `spaces inbox --json` printed is read from standard input')
    .argument('[event]', 'Everything in the space up to this event; an event in your inbox needs no space')
    .option('--all', 'Everything that is in your inbox now')
    .option('--declined [reason]', 'Decline, with a reason that the askers see')
    .option(...HELD_CLAIM)
    .option('--installation <id>', 'Where you run, for an agent that is connected')
    .addHelpText(
      'after',
      `
Examples:
  $ spaces inbox done --all
  $ spaces inbox done last
  $ spaces inbox done last --declined "I only read mail"
  $ spaces inbox --json > batch.json && spaces inbox done < batch.json`,
    )
    .action(
      start(async (cli, space_id, event_id, { all, declined, claim, installation }) => {
        if (all && space_id !== undefined) throw usage('Name what is done, or use --all for all spaces')
        const account = await cli.account()
        const client = cli.clientFor(account)
        const installation_id = installation ?? account.installation_id
        const batches = all
          ? allOf(client, installation_id)
          : [await given(cli, client, { space_id, event_id, installation_id })]
        const outcome = declined === undefined ? {} : { outcome: 'declined' as const, reason: textIn(declined) }
        let marked = 0
        for await (const batch of batches) {
          const done = claim ? batch.done : withClaimed(batch)
          await markDone(client, { ...done, ...outcome, installation_id }, (place) => cli.claimFor(claim, place))
          marked += done.through.length + done.notices.length
        }
        cli.out.result({ ok: true }, () => (marked === 0 ? 'Nothing was waiting for you' : 'Marked as done'))
      }),
    )
}

const textIn = (reason: string | true) => (reason === true ? undefined : reason)

/** The inbox, a page at a time. Each has to be marked as done before the next. */
async function* allOf(client: Client, installation_id: string | undefined): AsyncGenerator<Batch> {
  for (let more = true; more; ) {
    const inbox = await client.inbox.get.query({ limit: MAX, installation_id })
    if (isEmpty(inbox)) return
    yield inbox
    more = inbox.more
  }
}

interface DoneSelection {
  readonly space_id: string | undefined
  readonly event_id: string | undefined
  readonly installation_id: string | undefined
}

/** An event of a space or of the inbox, or a batch on standard input. */
async function given(cli: Cli, client: Client, { space_id, event_id, installation_id }: DoneSelection): Promise<Batch> {
  if (space_id !== undefined && event_id !== undefined) {
    const through = { space_id, event_id: await fullId(cli, eventsIn(client, space_id), event_id) }
    return { done: { through: [through], notices: [] }, items: [] }
  }
  if (space_id !== undefined && MAY_BE_EVENT.test(space_id)) {
    return throughWaiting(cli, await client.inbox.get.query({ limit: MAX, installation_id }), space_id)
  }
  if (space_id !== undefined)
    throw usage('An event of the space is required', 'Or mark everything in all spaces: spaces inbox done --all')
  const text = isPiped() ? (await pipedText()).trim() : ''
  if (text === '') throw usage('Say what is done', 'A space and an event, --all, or an inbox on standard input')
  const { done, items = [] } = (parsed(text) ?? {}) as Partial<Inbox>
  if (!done) throw usage('Standard input must be what `spaces inbox --json` printed')
  return { done, items }
}

/** Names each claimed event, too: its claim ends when it is done, if it is the caller's. */
function withClaimed({ done, items }: Batch): Done {
  const claimed = items
    .filter(({ claim }) => claim)
    .map(({ space_id, event }) => ({ space_id, event_id: event.event_id }))
  const isNamed = (one: (typeof claimed)[number]) => done.through.some(({ event_id }) => event_id === one.event_id)
  const through = [...done.through, ...claimed.filter((one) => !isNamed(one))].slice(0, LIMITS.done)
  return { ...done, through }
}

/** A single word that names what is done. A whole space is not: what has come meanwhile would be done unseen. */
const MAY_BE_EVENT = /^(last|…?[0-9a-f-]{4,36})$/i

/** Up to an event that waits, in its space. */
async function throughWaiting(cli: Cli, { items, more }: Inbox, wanted: string): Promise<Batch> {
  if (more && wanted === 'last') throw usage(`More than ${MAX} events wait for you`, 'Name one, or mark all: --all')
  const waiting = items.map(({ event }) => event).sort((one, other) => (one.timestamp < other.timestamp ? 1 : -1))
  const id = await fullId(cli, eventsOfInbox(waiting), wanted)
  const { space_id, event_id } = waiting.find((event) => event.event_id === id) as Event
  return { done: { through: [{ space_id, event_id }], notices: [] }, items: [] }
}

const eventsOfInbox = (waiting: readonly Event[]): Kind => ({
  noun: 'event',
  // The space of each has to be found, so a whole ID is looked up, too.
  form: /^$/,
  listedBy: 'spaces inbox',
  list: async () =>
    waiting.map((event) => ({ id: event.event_id, meaning: `${posterOf(event)}: ${excerptText(event)}` })),
})
