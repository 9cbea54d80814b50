import type { Client, Event } from '@collab-spaces/client'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it, onTestFinished, vi } from 'vitest'
import { forgetReactions, keyOf, reactionsChanged, reactionsMissed } from './reaction-cache'

const client = {} as Client
const event = (event_id: string) => ({ space_id: 'plans', event_id }) as Event
/** How long TanStack keeps a query that is not in view. */
const KEPT_MS = 5 * 60_000

it('keeps no entry of a message without a change that has left the view', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const cache = new QueryClient()
  const queryKey = keyOf('plans', 'seen')
  new QueryObserver(cache, { queryKey, enabled: false, gcTime: KEPT_MS }).subscribe(() => {})()
  reactionsChanged(cache, client)
  await vi.advanceTimersByTimeAsync(KEPT_MS + 1)
  expect(cache.getQueryCache().getAll()).toEqual([])
})

it('marks loaded events after a break, until their history closes', async () => {
  const cache = new QueryClient()
  cache.setQueryData(keyOf('other', 'seen'), [])
  reactionsMissed(cache, [event('seen'), event('unseen')])
  for (const id of ['seen', 'unseen']) await expect.poll(() => cache.getQueryData(keyOf('plans', id))).toBeNull()
  forgetReactions(cache, 'plans')
  expect(
    cache
      .getQueryCache()
      .getAll()
      .map(({ queryKey }) => queryKey),
  ).toEqual([keyOf('other', 'seen')])
})
