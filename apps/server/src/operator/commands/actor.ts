import { randomBytes } from 'node:crypto'
import { hashOf, presentActorWithKey } from '@collab-spaces/api'
import { type ActorRecord, type ActorUsage, databaseClock } from '@collab-spaces/db'
import { apiKey, DEFAULT_TENANT, NO_LIMITS, unknown } from '@collab-spaces/domain'
import type { Command } from 'commander'
import { parseLimit } from '../arguments.js'
import { type CommandContext, type ConfirmedFlags, type OutputFlags, requireYes, YES_FLAG } from '../context.js'
import { fields, nameOfTenant, presentForOperator, print, table } from '../output.js'
import { counted } from '../progress.js'

/** How many actors are found by default. */
const FOUND = 50

export function actorCommands(actor: Command, context: CommandContext): void {
  actor
    .command('find <text>')
    .description('Find humans and agents by a part of their name or e-mail address, newest first')
    .option('--limit <n>', 'number of actors', parseLimit, FOUND)
    .action(find(context))

  actor
    .command('show <actor-id>')
    .description('Show a human or an agent')
    .action((actorId: string, flags: OutputFlags) =>
      context.withDatabase(async ({ actors, usage }) => {
        const actor = await actors.find(actorId)
        if (!actor) throw unknown('Actor')
        const owned = await usage.ofActor(actorId)
        print(context, flags, { ...presentForOperator(actor), ...owned }, described(actor, owned))
      }),
    )

  actor
    .command('disable <actor-id>')
    .description('Disable an actor with its agents: their credentials stop working and their streams end')
    .action(setDisabled(context, true))
  actor
    .command('enable <actor-id>')
    .description('Enable a disabled actor, with the agents that were disabled with it')
    .action(setDisabled(context, false))

  actor
    .command('delete <actor-id>')
    .description('Delete an actor with its agents: credentials and participations end, what they said stays')
    .option(...YES_FLAG)
    .action(remove(context))

  actor
    .command('reset-key <actor-id>')
    .description('Replace the API key of an actor; the new one is shown only once')
    .action(resetKey(context))
}

const find =
  (context: CommandContext) =>
  (text: string, { limit, ...flags }: OutputFlags & { readonly limit: number }) =>
    context.withDatabase(async ({ actors }) => {
      const found = await actors.withText(text, limit)
      print(context, flags, found.map(presentForOperator), table(HEADING, found.map(row)))
      if (found.length === limit) context.note(`There may be more: narrow the text, or use --limit.`)
    })

const HEADING = ['ACTOR', 'TYPE', 'NAME', 'EMAIL', 'TENANT', 'STATE']

const row = (actor: ActorRecord) => [
  actor.actorId,
  actor.actorType,
  actor.displayName,
  actor.email ?? '-',
  actor.tenantId === DEFAULT_TENANT ? '-' : actor.tenantId,
  actor.disabledAt ? 'disabled' : 'active',
]

const described = (actor: ActorRecord, { agents, tokens }: ActorUsage) =>
  fields({
    [actor.actorType]: actor.actorId,
    name: actor.displayName,
    email: actor.email,
    scope: nameOfTenant(actor.tenantId),
    admin: actor.isAdmin ? 'yes' : 'no',
    sponsor: actor.sponsorId,
    registered: actor.createdAt.toISOString(),
    disabled: actor.disabledAt?.toISOString() ?? 'no',
    connected: actor.connection && `to ${actor.connection.installationId}`,
    agents,
    tokens,
  })

const setDisabled = (context: CommandContext, isDisabled: boolean) => (actorId: string, flags: OutputFlags) =>
  context.withDatabase(async ({ actors, bus }) => {
    const changed = await actors.setDisabled(actorId, null, isDisabled ? databaseClock.now() : null)
    bus.publish({ kind: 'revoked' })
    const state = isDisabled ? 'disabled' : 'enabled'
    const lines = changed.length > 0 ? changed.map((id) => `${id} is ${state}.`) : [`${actorId} is ${state} already.`]
    print(context, flags, { actor_id: actorId, disabled: isDisabled, changed }, lines)
  })

const remove = (context: CommandContext) => (actorId: string, flags: ConfirmedFlags) =>
  context.withDatabase(async ({ actors, usage, bus }) => {
    const actor = await actors.find(actorId)
    if (!actor) throw unknown('Actor')
    const { agents } = await usage.ofActor(actorId)
    requireYes(flags, `This deletes ${actor.displayName} (${actorId}) and ${counted(agents, 'agent')} for good.`)
    const deleted = await actors.delete(actorId, null, () => {}, databaseClock.now())
    bus.publish({ kind: 'revoked' })
    print(
      context,
      flags,
      { actor_id: actorId, deleted },
      deleted.map((id) => `${id} is deleted.`),
    )
  })

const resetKey = (context: CommandContext) => (actorId: string, flags: OutputFlags) =>
  context.withDatabase(async ({ actors, bus }) => {
    const key = apiKey(randomBytes)
    let limits = NO_LIMITS
    const { actor } = await actors.rotateKey(actorId, null, (_, current) => {
      // It would be of no use if its time was over.
      limits = { ...current, expiresAt: null }
      return { keyHash: hashOf(key), limits }
    })
    bus.publish({ kind: 'revoked' })
    print(context, flags, presentActorWithKey(actor, key, limits), [
      `The new API key of ${actor.displayName} (${actorId}), shown once:`,
      key,
    ])
  })
