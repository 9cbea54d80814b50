import type { Event, SpaceDetails } from '@collab-spaces/client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { pauseWhileHidden } from '../../shared/browser/visible'
import { ThrottledRefetch } from '../../shared/live/throttled-refetch'
import { revisionsArrived } from '../../shared/query/event'
import { fileListKey } from '../../shared/query/file'
import { forgetReactions, reactionsMissed } from '../../shared/query/reaction-cache'
import { refetchReceipts } from '../../shared/query/receipt'
import { spaceKey } from '../../shared/query/space-cache'
import { repliesArrived, threadListKey } from '../../shared/query/thread'
import { useSession } from '../../shared/session/session'
import { outboxOf } from '../composer/outboxes'
import { History } from './history'
import { historySource } from './source'

/** Returns the history of a space, open while the component is mounted, and its outbox. */
export function useHistory(spaceId: string) {
  const { account, client, live } = useSession()
  const cache = useQueryClient()
  const outbox = outboxOf(account, spaceId)
  const throttled = useMemo(
    () => new ThrottledRefetch((queryKey) => void cache.invalidateQueries({ queryKey })),
    [cache],
  )
  const history = useMemo(() => {
    // Posters without participation are looked up once.
    const lookedUp = new Set<string>()
    const onArrival = (events: readonly Event[]) => {
      outbox.arrived(events)
      // An unknown poster may have just joined.
      const space = cache.getQueryData<SpaceDetails>(spaceKey(spaceId))
      const known = new Set(space?.participants.map(({ actor_id }) => actor_id))
      const strangers = events.filter(({ posted_by }) => !known.has(posted_by) && !lookedUp.has(posted_by))
      for (const { posted_by } of strangers) lookedUp.add(posted_by)
      if (strangers.length > 0) void cache.invalidateQueries({ queryKey: spaceKey(spaceId) })
      void refetchReceipts(cache, spaceId, events)
      revisionsArrived(cache, spaceId, events)
      if (events.some(({ files }) => files !== undefined)) throttled.request(fileListKey(spaceId))
      const replies = events.filter(({ thread_id }) => thread_id !== null)
      if (replies.length === 0) return
      repliesArrived(cache, spaceId, replies)
      throttled.request(threadListKey(spaceId))
    }
    return new History(historySource(client, live, spaceId), onArrival)
  }, [client, live, spaceId, cache, outbox, throttled])
  useEffect(
    () => () => {
      history.close()
      // Its lines leave with it.
      queueMicrotask(() => forgetReactions(cache, spaceId))
    },
    [history, cache, spaceId],
  )
  useEffect(() => {
    const { connection } = live
    // Events are loaded while the page connects.
    let wasConnected = connection.value !== 'connecting'
    return connection.subscribe(() => {
      if (connection.value !== 'live') return
      if (wasConnected) reactionsMissed(cache, history.state.value.events)
      wasConnected = true
    })
  }, [history, cache, live])
  useEffect(() => () => throttled.stop(), [throttled])
  useEffect(() => {
    let { serial } = history.state.value.destination
    return history.state.subscribe(() => {
      const { destination, events } = history.state.value
      if (destination.serial === serial) return
      serial = destination.serial
      // Events read as a page do not arrive by the stream: an open thread may lack some.
      void cache.invalidateQueries({ queryKey: ['thread', spaceId] }).then(() => outbox.wasRead(events))
    })
  }, [history, outbox, cache, spaceId])
  // A tab may open in the background.
  useEffect(() => pauseWhileHidden(history), [history])
  return { history, outbox }
}
