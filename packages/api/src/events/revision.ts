import { DomainError, invalid, requireMayRevise, revisedId, unknown } from '@collab-spaces/domain'
import type { Caller } from '../procedure/credential.js'
import { requireSpace } from '../require-space.js'
import type { Event } from '../schemas/event.js'
import type { Services } from '../services.js'
import type { SentEvent } from './append.js'

/**
 * Resolves the event that a correction or retraction names: a correction stands for the first event. The revision takes
 * its thread and parent. 404 for an unknown event, 403 for one of another poster, 409 for a retraction. All of that
 * never changes; the statement that appends checks the rest.
 */
export async function withRevised(services: Services, caller: Caller, sent: SentEvent): Promise<SentEvent> {
  const { event } = sent
  const named = revisedId(event)
  if (named === undefined) return sent
  const found = await findRevised(services, caller, event, named)
  requireMayRevise(found.event, caller.actorId)
  const { corrects } = found.event
  const first = corrects === undefined ? found : await findRevised(services, caller, event, corrects)
  const { event_id, thread_id, parent_event_id } = first.event
  const revising = event.corrects === undefined ? { retracts: event_id } : { corrects: event_id }
  return { ...sent, event: { ...event, thread_id, parent_event_id, ...revising }, revises: first.position }
}

/** Does the same for the events of a batch. 400 if two of them revise the same event, as the order would decide. */
export async function eachWithRevised(
  services: Services,
  caller: Caller,
  batch: readonly SentEvent[],
): Promise<readonly SentEvent[]> {
  if (!batch.some(({ event }) => revisedId(event) !== undefined)) return batch
  const result: SentEvent[] = []
  const revised = new Map<number, number>()
  for (const [index, sent] of batch.entries()) {
    const resolved = await withRevised(services, caller, sent).catch((error: unknown) => {
      if (!(error instanceof DomainError) || error.detail === 'Space not found') throw error
      throw new DomainError(error.kind, `events.${index}: ${error.detail}`, error.fields)
    })
    const { revises } = resolved
    const earlier = revises === undefined ? undefined : revised.get(revises)
    if (earlier !== undefined) throw invalid(`events.${index}`, `revises the same event as events.${earlier}`)
    if (revises !== undefined) revised.set(revises, index)
    result.push(resolved)
  }
  return result
}

async function findRevised(services: Services, caller: Caller, { space_id, corrects }: Event, eventId: string) {
  const found = await services.database.events.find(caller, space_id, eventId)
  if (found) return { position: found.position, event: JSON.parse(found.wire) as Event }
  await requireSpace(services, caller, space_id)
  throw unknown(corrects === undefined ? 'Retracted event' : 'Corrected event')
}
