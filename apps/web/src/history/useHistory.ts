import type { Event, SpaceDetails } from '@collab-spaces/client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { restOutOfSight } from '../app/visible'
import { outboxOf } from '../composer/outboxes'
import { Paced } from '../live/paced'
import { answersMayHaveArrived } from '../query/receipt'
import { spaceKey } from '../query/space-cache'
import { repliesArrived, threadListKey } from '../query/thread'
import { useSession } from '../session/session'
import { History } from './history'
import { historySource } from './source'

/** The history of a space, open for as long as the component that asks for it is there. */
export function useHistory(spaceId: string) {
  const { account, client, live } = useSession()
  const cache = useQueryClient()
  const outbox = outboxOf(account, spaceId)
  const again = useMemo(() => new Paced((queryKey) => void cache.invalidateQueries({ queryKey })), [cache])
  const history = useMemo(() => {
    const strangers = new Strangers()
    const onArrival = (events: readonly Event[]) => {
      outbox.arrived(events)
      // A reader who leaves at once has read these, too.
      cache.setQueryData<SpaceDetails>(
        spaceKey(spaceId),
        (space) =>
          space && {
            ...space,
            event_count: space.event_count + events.length,
            last_event_at: events.at(-1)?.timestamp ?? space.last_event_at,
          },
      )
      // Somebody who is new here may have just joined; a speaker who has not joined is looked for once.
      if (strangers.areAmong(events, cache.getQueryData<SpaceDetails>(spaceKey(spaceId)))) {
        void cache.invalidateQueries({ queryKey: spaceKey(spaceId) })
      }
      void answersMayHaveArrived(cache, spaceId, events)
      const replies = events.filter(({ thread_id }) => thread_id !== null)
      if (replies.length === 0) return
      repliesArrived(cache, spaceId, replies)
      again.read(threadListKey(spaceId))
    }
    return new History(historySource(client, live, spaceId), onArrival)
  }, [client, live, spaceId, cache, outbox, again])
  useEffect(() => () => history.close(), [history])
  useEffect(() => () => again.stop(), [again])
  useEffect(() => {
    let { serial } = history.state.value.destination
    return history.state.subscribe(() => {
      const { destination, events } = history.state.value
      if (destination.serial === serial) return
      serial = destination.serial
      // Events that have been read there do not arrive any more: a thread beside it may miss some of it.
      void cache.invalidateQueries({ queryKey: ['thread', spaceId] }).then(() => outbox.wasRead(events))
    })
  }, [history, outbox, cache, spaceId])
  // A tab may be opened out of sight, too.
  useEffect(() => restOutOfSight(history), [history])
  return { history, outbox }
}

/** Posters who are not known to take part. */
class Strangers {
  readonly #met = new Set<string>()

  /** Whether some of the posters are, and were not among those before. */
  areAmong(events: readonly Event[], space: SpaceDetails | undefined): boolean {
    const known = new Set(space?.participants.map(({ actor_id }) => actor_id))
    const unmet = events.filter(({ posted_by }) => !known.has(posted_by) && !this.#met.has(posted_by))
    for (const { posted_by } of unmet) this.#met.add(posted_by)
    return unmet.length > 0
  }
}
