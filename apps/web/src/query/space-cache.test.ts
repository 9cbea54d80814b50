import type { Space } from '@collab-spaces/client'
import { QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { patchSpace, SPACES } from './space-cache'

const mine = [...SPACES, 'mine']
const all = [...SPACES, 'all']

function listed() {
  const cache = new QueryClient()
  const spaces = [{ space_id: 'plans', event_count: 1 } as Space]
  for (const key of [mine, all]) cache.setQueryData(key, spaces)
  return cache
}

it('changes a space in every list', () => {
  const cache = listed()
  patchSpace(cache, 'plans', () => ({ event_count: 2 }))
  for (const key of [mine, all]) expect(cache.getQueryData(key)).toEqual([{ space_id: 'plans', event_count: 2 }])
})

it('leaves a list to be read again, if it was', async () => {
  const cache = listed()
  await cache.invalidateQueries({ queryKey: mine })
  patchSpace(cache, 'plans', () => ({ event_count: 2 }))
  expect(cache.getQueryState(mine)?.isInvalidated).toBe(true)
  expect(cache.getQueryState(all)?.isInvalidated).toBe(false)
})
