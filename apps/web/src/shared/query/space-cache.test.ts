import type { Space } from '@collab-spaces/client'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it, onTestFinished } from 'vitest'
import { patchSpace, refetchLoadingLists, SPACES } from './space-cache'

const mine = [...SPACES, 'mine']
const all = [...SPACES, 'all']

function listed() {
  const cache = new QueryClient()
  const spaces = [{ space_id: 'plans', event_count: 1 } as Space]
  for (const key of [mine, all]) cache.setQueryData(key, spaces)
  return cache
}

it('patches a space in every cached list', () => {
  const cache = listed()
  patchSpace(cache, 'plans', () => ({ event_count: 2 }))
  for (const key of [mine, all]) expect(cache.getQueryData(key)).toEqual([{ space_id: 'plans', event_count: 2 }])
})

it('keeps a stale list stale', async () => {
  const cache = listed()
  await cache.invalidateQueries({ queryKey: mine })
  patchSpace(cache, 'plans', () => ({ event_count: 2 }))
  expect(cache.getQueryState(mine)?.isInvalidated).toBe(true)
  expect(cache.getQueryState(all)?.isInvalidated).toBe(false)
})

/** An active list, whose requests are answered in order. */
function shown() {
  const cache = new QueryClient()
  const pending: ((list: readonly Space[]) => void)[] = []
  const queryFn = () => new Promise<readonly Space[]>((resolve) => pending.push(resolve))
  onTestFinished(new QueryObserver(cache, { queryKey: mine, queryFn }).subscribe(() => {}))
  const answer = async (event_count: number) => {
    await expect.poll(() => pending.length).toBeGreaterThan(0)
    pending.shift()?.([{ space_id: 'plans', event_count } as Space])
  }
  const isShown = (event_count: number) =>
    expect.poll(() => cache.getQueryData(mine)).toEqual([{ space_id: 'plans', event_count }])
  return { cache, answer, isShown }
}

it('refetches a list after its initial load', async () => {
  const { cache, answer, isShown } = shown()
  const read = refetchLoadingLists(cache)
  await answer(1)
  await answer(2)
  await isShown(2)
  await read
})

it('cancels and repeats a refetch of a list', async () => {
  const { cache, answer, isShown } = shown()
  await answer(1)
  await isShown(1)
  void cache.refetchQueries({ queryKey: mine })
  const read = refetchLoadingLists(cache)
  await answer(1)
  await answer(2)
  await isShown(2)
  await read
})
