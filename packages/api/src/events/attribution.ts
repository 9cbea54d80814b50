import {
  batchError,
  isForbidden,
  lookalikeForms,
  type Speaker,
  speakerForbidden,
  type WriteRefusal,
  writeError,
} from '@collab-spaces/domain'
import type { Caller } from '../procedure/credential.js'
import type { Event } from '../schemas/event.js'
import type { Services } from '../services.js'
import type { SentEvent } from './append.js'

/**
 * 403 for an attribution that the policy of the caller's tenant forbids, after 404 for what does not exist. A retry was
 * allowed when it was first written. Returns null where no lookup is needed, which saves almost all callers a promise.
 */
export function requireMayAttribute(
  services: Services,
  caller: Caller,
  batch: readonly SentEvent[],
  isAlone: boolean,
): Promise<void> | null {
  if (caller.attribution === 'free') return null
  const judged = judge(
    caller,
    batch.map(({ event }) => speakerOf(event)),
  )
  return judged.every((verdict) => verdict === false) ? null : requireAllowed(services, caller, batch, judged, isAlone)
}

/** Throws for the first forbidden attribution of a batch. Nothing is written. */
export async function requireSpeakers(services: Services, caller: Caller, speakers: readonly Speaker[]): Promise<void> {
  if (caller.attribution === 'free') return
  const [first] = await forbiddenAmong(services, caller, speakers, judge(caller, speakers))
  if (first !== undefined) throw speakerForbidden(caller.attribution, `events.${first}: `)
}

/** Judges attributions by the policy alone: null where it depends on the members. */
function judge(
  { attribution, actorId: id, displayName: name, actorType: type }: Caller,
  speakers: readonly Speaker[],
): (boolean | null)[] {
  return speakers.map((speaker) => isForbidden(attribution, { id, name, type }, speaker))
}

/** Returns the indices of the forbidden speakers, ascending. */
async function forbiddenAmong(
  { database }: Services,
  caller: Caller,
  speakers: readonly Speaker[],
  judged: readonly (boolean | null)[],
): Promise<number[]> {
  const open = speakers.flatMap(({ id, name }, index) =>
    judged[index] === null ? [{ id, forms: lookalikeForms(name), index }] : [],
  )
  const members = open.length === 0 ? [] : await database.membersAmong(caller.tenantId, caller.actorId, open)
  const refused = new Set(members.map((index) => open[index]?.index))
  return [...speakers.keys()].filter((index) => judged[index] === true || refused.has(index))
}

async function requireAllowed(
  services: Services,
  caller: Caller,
  batch: readonly SentEvent[],
  judged: readonly (boolean | null)[],
  isAlone: boolean,
): Promise<void> {
  const speakers = batch.map(({ event }) => speakerOf(event))
  const refused = new Set(await forbiddenAmong(services, caller, speakers, judged))
  const forbidden = batch.map((claiming, index) => ({ ...claiming, index })).filter(({ index }) => refused.has(index))
  const repeated = await repeatedAmong(services, caller, forbidden)
  const first = forbidden.find(({ request: { key } }) => key === undefined || !repeated.has(key))
  if (!first || caller.attribution === 'free') return
  const missing = await missingOf(services, caller, first.event)
  if (missing)
    throw isAlone ? writeError(missing) : batchError([...batch.slice(0, first.index).map(() => null), missing])
  throw speakerForbidden(caller.attribution, isAlone ? '' : `events.${first.index}: `)
}

const speakerOf = (event: Event): Speaker => ({
  id: event.speaker_id,
  name: event.speaker_name,
  type: event.speaker_type,
})

/** Returns the idempotency keys that were accepted before. One used for a different request is refused later. */
async function repeatedAmong(
  { database }: Services,
  caller: Caller,
  claiming: readonly SentEvent[],
): Promise<Set<string>> {
  const keys = claiming.flatMap(({ request: { key } }) => key ?? [])
  const spaceId = claiming[0]?.event.space_id
  if (spaceId === undefined || keys.length === 0) return new Set()
  return database.events.usedKeys(caller, spaceId, keys)
}

/** Returns the first named thing that does not exist, which is reported before a forbidden attribution. */
async function missingOf({ database }: Services, caller: Caller, event: Event): Promise<WriteRefusal | null> {
  const { space_id, thread_id, parent_event_id } = event
  if (!(await database.spaces.find(caller, space_id))) return 'unknown_space'
  if (thread_id !== null) {
    const thread = await database.threads.find(caller, space_id, thread_id)
    if (thread?.threadId !== thread_id) return 'unknown_thread'
  }
  if (parent_event_id !== null && !(await database.events.find(caller, space_id, parent_event_id)))
    return 'unknown_parent'
  return null
}
