import type { Client, Inbox } from '@collab-spaces/client'
import type { Cli } from '../../cli.js'
import type { Verb } from '../../command.js'
import { usage } from '../../failure.js'
import { fullId } from '../../id/full-id.js'
import { eventsIn } from '../../id/kind.js'
import { isEmpty } from '../../inbox/next.js'
import { isPiped, pipedText } from '../../input/pipe.js'
import { start } from '../../start.js'

type Done = Inbox['done']

export const done: Verb = (inbox) => {
  inbox
    .command('done')
    .description('Mark what is in your inbox as done')
    .argument('[space]', 'Space ID; without one, what `spaces inbox --json` printed is read from standard input')
    .argument('[event]', 'Everything in the space up to this event')
    .option('--all', 'Everything that is in your inbox now')
    .option('--installation <id>', 'Where you run, for an agent that is connected')
    .addHelpText(
      'after',
      `
Examples:
  $ spaces inbox done --all
  $ spaces inbox --json > batch.json && spaces inbox done < batch.json`,
    )
    .action(
      start(async (cli, space_id, event_id, { all, installation }) => {
        const account = await cli.account()
        const client = cli.clientFor(account)
        const installation_id = installation ?? account.installation_id
        const batches = all ? allOf(client, installation_id) : [await given(cli, client, space_id, event_id)]
        let marked = 0
        for await (const batch of batches) {
          await client.inbox.done.mutate({ ...batch, installation_id })
          marked += batch.through.length + batch.notices.length
        }
        cli.out.result({ ok: true }, () => (marked === 0 ? 'Nothing was waiting for you' : 'Marked as done'))
      }),
    )
}

/** What is in the inbox, a page at a time. Each has to be marked as done before the next. */
async function* allOf(client: Client, installation_id: string | undefined): AsyncGenerator<Done> {
  for (let more = true; more; ) {
    const inbox = await client.inbox.get.query({ limit: 100, installation_id })
    if (isEmpty(inbox)) return
    yield inbox.done
    more = inbox.more
  }
}

/** An event of a space, or a batch on standard input. */
async function given(
  cli: Cli,
  client: Client,
  space_id: string | undefined,
  wanted: string | undefined,
): Promise<Done> {
  if (space_id !== undefined && wanted !== undefined) {
    const event_id = await fullId(cli, eventsIn(client, space_id), wanted)
    return { through: [{ space_id, event_id }], notices: [] }
  }
  if (space_id !== undefined) throw usage('An event of the space is required', 'Or mark everything: --all')
  const text = isPiped() ? (await pipedText()).trim() : ''
  if (text === '') throw usage('Say what is done', 'A space and an event, --all, or an inbox on standard input')
  const batch = doneIn(text)
  if (!batch) throw usage('Standard input must be what `spaces inbox --json` printed')
  return batch
}

function doneIn(text: string): Done | undefined {
  try {
    return (JSON.parse(text) as Partial<Inbox> | null)?.done
  } catch {
    return undefined
  }
}
