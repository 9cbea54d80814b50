import { type Client, SpacesError } from '@collab-spaces/client'
import { Option } from '@commander-js/extra-typings'
import { openArchive } from '../../archive/archive.js'
import { People } from '../../archive/people.js'
import { type Plan, type PlannedSpace, Planner } from '../../archive/plan.js'
import { AGAIN, Sender, type Sending } from '../../archive/sender.js'
import type { Service } from '../../archive/service.js'
import type { Cli } from '../../cli.js'
import type { Define } from '../../command.js'
import { EXIT, Failure, failed } from '../../failure.js'
import { listed } from '../../options/parsers.js'
import { type ImportReport, importReport } from '../../show/import.js'
import { startUntilInterrupted } from '../../start.js'
import { counted } from '../../terminal/prose.js'

/** Spaces that are filled at the same time: one alone leaves the server idle between two batches. */
const AT_ONCE = 4

/** Adds the import of a service's export. */
export function importArchive(command: Parameters<Define>[0], service: Service): void {
  command
    .command(service.name)
    .description(`Import an export of ${service.title}`)
    .argument('<file>', service.exports)
    .option('--dry-run', 'Only tell what becomes what')
    .option('--channel <name>', 'Import only this channel, by name or ID (repeatable)', listed)
    .option('--space <space>', 'Import all channels into this space')
    .addOption(
      new Option('--visibility <visibility>', 'Who can read the spaces, whatever the export says').choices([
        'open',
        'private',
      ] as const),
    )
    .option('--direct', 'Import direct messages, too')
    .option('--map <file>', 'Who is which actor: lines of an e-mail address or ID in the service, and an actor ID')
    .addHelpText('after', HELP(service.name))
    .action(
      startUntilInterrupted(async (cli, signal, file, { dryRun, channel, space, visibility, direct, map }) => {
        const client = await cli.client()
        const me = await client.actor.me.query()
        const archive = await openArchive(file)
        try {
          const people = await People.from(service.name, me, map)
          const options = { space, channels: channel, includesDirect: direct === true, visibility }
          const progress = cli.out.progress()
          const show = (messages: number) => {
            signal.throwIfAborted()
            progress.show(`Read ${counted(messages, 'message')}`)
          }
          const plan = await Planner.plan(service, archive, file, people, options, show).finally(() => progress.end())
          try {
            const existing = await existingSpaces(client, plan.spaces, signal)
            await people.check(client, signal)
            const leftOut = new Map(Object.entries(plan.leftOut))
            const sending = {
              client,
              actorId: me.actor_id,
              service: service.name,
              archive,
              spool: plan.spool,
              signal,
              onLeftOut: (reason: string) => leftOut.set(reason, (leftOut.get(reason) ?? 0) + 1),
            }
            const sent = dryRun ? null : await sendAll(cli, sending, plan, existing)
            const report = reportOf(service, plan, existing, people, leftOut, sent)
            cli.out.result(report, importReport)
          } finally {
            await plan.spool.close()
          }
        } finally {
          await archive.close()
        }
      }),
    )
}

const HELP = (name: string) => `
Each channel becomes a space, named after it; threads stay threads, and people become attributions: you post what they
said. The messages keep their times. The whole export is read before the first message is written, and an interrupted
import continues when you run it again.

Examples:
  $ spaces import ${name} EXPORT --dry-run
  $ spaces import ${name} EXPORT --map people.txt
  $ spaces import ${name} EXPORT --channel general --space plans`

/** The spaces that exist. Fails for one that takes no messages, or would show them to more people. */
async function existingSpaces(
  client: Client,
  spaces: readonly PlannedSpace[],
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const existing = new Set<string>()
  for (const { space_id, visibility } of spaces) {
    const found = await client.space.status.query({ space_id }, { signal }).catch((error: unknown) => {
      if (error instanceof SpacesError && error.status === 404) return null
      throw error
    })
    if (!found) continue
    existing.add(space_id)
    if (found.status !== 'active') {
      throw new Failure(EXIT.conflict, `Space ${space_id} is ${found.status}`, `Nothing was imported. Resume it first`)
    }
    if (visibility === 'private' && found.visibility === 'open') {
      const hint = 'Nothing was imported. Name another space with --space, or allow it with --visibility open'
      throw failed(`Space ${space_id} is open, and a channel for it is private, or may be`, hint)
    }
  }
  return existing
}

/** Fills the spaces, several at a time. Resolves to how many messages were written, and how many were there before. */
async function sendAll(
  cli: Cli,
  sending: Omit<Sending, 'onSent'>,
  { spaces, spool }: Plan,
  existing: ReadonlySet<string>,
): Promise<{ readonly imported: number; readonly before: number }> {
  const progress = cli.out.progress()
  const counts = { imported: 0, before: 0 }
  const onSent = (count: number) => {
    counts.imported += count
    const done = (counts.before + counts.imported).toLocaleString('en')
    progress.show(`${done} of ${counted(spool.count, 'message')}`)
  }
  const waiting = [...spaces]
  const abort = new AbortController()
  const signal = AbortSignal.any([sending.signal, abort.signal])
  const work = async () => {
    for (let space = waiting.shift(); space; space = waiting.shift()) {
      signal.throwIfAborted()
      const sender = new Sender({ ...sending, signal, onSent }, space)
      const isThere = existing.has(space.space_id)
      const found = isThere ? await sender.learn() : 0
      counts.before += found
      if (!isThere) await create(sending.client, space, signal)
      await sender.send()
    }
  }
  try {
    const workers = Array.from({ length: AT_ONCE }, async () => work().catch((error: unknown) => abort.abort(error)))
    await Promise.all(workers)
    abort.signal.throwIfAborted()
    return counts
  } catch (error) {
    progress.end()
    if (sending.signal.aborted)
      cli.out.note(`${counted(counts.imported, 'message')} imported. Run it again to continue.`)
    throw error
  } finally {
    progress.end()
  }
}

async function create(client: Client, space: PlannedSpace, signal: AbortSignal): Promise<void> {
  const { space_id, title, description, visibility } = space
  await client.space.create.mutate({ space_id, title, description, visibility }, { signal }).catch((error: unknown) => {
    if (!(error instanceof SpacesError) || error.status !== 409) throw error
    throw new Failure(EXIT.conflict, `${space_id}: ${error.detail}`, `Name another space with --space. ${AGAIN}`)
  })
}

const reportOf = (
  { name }: Service,
  { spaces }: Plan,
  existing: ReadonlySet<string>,
  people: People,
  leftOut: ReadonlyMap<string, number>,
  sent: { readonly imported: number; readonly before: number } | null,
): ImportReport => ({
  service: name,
  spaces: spaces.map(({ space_id, title, visibility, channels, messages, threads, files }) => ({
    space_id,
    title: title || null,
    visibility,
    exists: existing.has(space_id),
    channels: channels.map((channel) => channel.name),
    messages,
    threads,
    files,
  })),
  people: people.counts,
  left_out: Object.fromEntries(leftOut),
  ...sent,
})
