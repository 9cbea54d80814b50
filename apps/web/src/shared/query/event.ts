import { type Event, revisedId } from '@collab-spaces/client'
import type { QueryClient } from '@tanstack/react-query'
import { useSession } from '../session/session'
import { useChange, useRead } from './call'

const eventKey = (spaceId: string, eventId: string) => ['event', spaceId, eventId] as const

/** Returns the corrections and the retraction of an event, ascending. */
export const useRevisions = ({ space_id, event_id }: Event) =>
  useRead([...eventKey(space_id, event_id), 'revisions'], (client, how) =>
    client.event.revisions.query({ space_id, event_id }, how),
  )

/** Invalidates the events that arriving ones correct or retract. */
export function revisionsArrived(cache: QueryClient, spaceId: string, events: readonly Event[]): void {
  for (const event of events) {
    const revised = revisedId(event)
    if (revised !== undefined) void cache.invalidateQueries({ queryKey: eventKey(spaceId, revised) })
  }
}

interface Retraction {
  readonly eventId: string
  readonly reason: string
}

/** Retracts a message of the account. Humans post by `speech`, agents by `response`. */
export function useRetract(spaceId: string) {
  const { account } = useSession()
  return useChange(
    (client, { eventId, reason }: Retraction) => {
      const input = { space_id: spaceId, text: reason, retracts: eventId }
      return account.kind === 'agent' ? client.event.response.mutate(input) : client.event.speech.mutate(input)
    },
    (cache, retraction) => revisionsArrived(cache, spaceId, [retraction]),
  )
}
