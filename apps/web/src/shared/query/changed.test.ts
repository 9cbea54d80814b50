import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it, onTestFinished } from 'vitest'
import { answered, refetchChanged } from './changed'

const queryKey = ['decisions', 'plans']

/** A query of a value that changes, whose requests are answered in order. */
function loading() {
  const cache = new QueryClient()
  const held: (() => void)[] = []
  const server = { value: 'before' }
  const queryFn = () => {
    const { value } = server
    return new Promise<string>((resolve) => held.push(() => resolve(value)))
  }
  onTestFinished(new QueryObserver(cache, { queryKey, queryFn }).subscribe(() => {}))
  const answer = async () => {
    await expect.poll(() => held.length).toBeGreaterThan(0)
    held.shift()?.()
  }
  return { cache, server, queryFn, answer }
}

it('a change repeats a first load that was answered before it', async () => {
  const { cache, server, answer } = loading()
  server.value = 'after'
  const read = refetchChanged(cache, { queryKey })
  await answer()
  await answer()
  await read
  expect(cache.getQueryData(queryKey)).toBe('after')
})

it('several changes cause one more request', async () => {
  const { cache, server, answer } = loading()
  server.value = 'after'
  const reads = [1, 2, 3].map(() => refetchChanged(cache, { queryKey }))
  await answer()
  await answer()
  await Promise.all(reads)
  expect(cache.getQueryData(queryKey)).toBe('after')
})

it('a fetch after a change starts once the request in flight is answered', async () => {
  const { cache, server, queryFn, answer } = loading()
  server.value = 'after'
  const read = answered(cache, { queryKey }).then(() => cache.fetchQuery({ queryKey, queryFn, staleTime: 0 }))
  await answer()
  await answer()
  expect(await read).toBe('after')
})
