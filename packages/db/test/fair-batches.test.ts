import { DEFAULT_SCOPE, type Scope } from '@collab-spaces/domain'
import { expect, it, onTestFinished, vi } from 'vitest'
import { Silence } from '../src/connection/silence.js'
import { type BatchOptions, fairlyBatched } from '../src/fairness/batches.js'

const TENANT = '00000000-0000-4000-8000-000000000001' as Scope

/** Questions are names, of which the first letter pays. Each statement is under way until it is let go. */
function asked(options: BatchOptions<string>) {
  const statements: string[][] = []
  const letGo: (() => void)[] = []
  const ask = fairlyBatched(
    options,
    (question: string) => ({ scope: question.startsWith('t') ? TENANT : DEFAULT_SCOPE, actorId: question.charAt(0) }),
    async (questions) => {
      statements.push([...questions])
      await new Promise<void>((resolve) => letGo.push(resolve))
      if (questions.includes('broken')) throw new Error('The statement failed')
      return questions.map((question) => question.toUpperCase())
    },
  )
  return { ask, statements, next: () => letGo.shift()?.() }
}

it('asks what comes at once in one statement, and has those who ask most wait for others', async () => {
  const { ask, statements, next } = asked({ most: 2, width: 1, maxWaitMs: 60_000 })
  const answers = Promise.all(['a1', 'a2', 'a3', 'a4', 't1'].map(ask))
  for (const count of [1, 2, 3]) {
    await expect.poll(() => statements.length).toBe(count)
    next()
  }
  expect(await answers).toEqual(['A1', 'A2', 'A3', 'A4', 'T1'])
  expect(statements).toEqual([['a1', 't1'], ['a2', 'a3'], ['a4']])
})

it('fails those whose statement failed, and goes on', async () => {
  const { ask, statements, next } = asked({ most: 1, width: 1, maxWaitMs: 60_000 })
  const [broken, good] = [ask('broken'), ask('good')]
  broken.catch(() => {})
  await expect.poll(() => statements.length).toBe(1)
  next()
  await expect(broken).rejects.toThrow('The statement failed')
  await expect.poll(() => statements.length).toBe(2)
  next()
  expect(await good).toBe('GOOD')
})

it('refuses what has waited for too long', async () => {
  const { ask, statements, next } = asked({ most: 1, width: 1, maxWaitMs: 0 })
  const [first, late] = [ask('a1'), ask('a2')]
  first.catch(() => {})
  await expect(first).rejects.toMatchObject({ kind: 'unavailable' })
  await expect(late).rejects.toMatchObject({ kind: 'unavailable' })
  next()
  expect(statements).toEqual([])
})

it('refuses all that has waited for too long, and goes on', async () => {
  const { ask, statements } = asked({
    most: 4,
    areTenantsApart: true,
    width: 1,
    maxWaitMs: 0,
    keyOf: (question) => question,
  })
  const late = ['t1', 't2', 't1', 't3'].map((question) => ask(question).catch(({ kind }) => kind))
  expect(await Promise.all(late)).toEqual(Array(4).fill('unavailable'))
  await expect(ask('t1')).rejects.toMatchObject({ kind: 'unavailable' })
  expect(statements).toEqual([])
})

it('refuses what has waited while connections fell silent, and asks the rest', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const silence = new Silence(100)
  const { ask, statements, next } = asked({ most: 1, width: 1, maxWaitMs: 60_000, silence })
  const first = ask('broken').catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(1)
  const behind = ask('a1').catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(1_000)
  const fresh = ask('a2')
  await vi.advanceTimersByTimeAsync(1)
  silence.found()
  next()
  expect(await first).toMatchObject({ message: 'The statement failed' })
  await vi.advanceTimersByTimeAsync(1)
  expect(await behind).toMatchObject({ kind: 'unavailable' })
  next()
  expect(await fresh).toBe('A2')
  expect(statements).toEqual([['broken'], ['a2']])
})

it('asks once what several ask before it is sent', async () => {
  const { ask, statements, next } = asked({ most: 2, width: 1, maxWaitMs: 60_000, keyOf: (question) => question })
  const first = ask('a1')
  await expect.poll(() => statements.length).toBe(1)
  // What has been sent may be answered with what there was before.
  const later = Promise.all(['a1', 'a1', 'a2', 'a1'].map(ask))
  next()
  await expect.poll(() => statements.length).toBe(2)
  next()
  expect([await first, ...(await later)]).toEqual(['A1', 'A1', 'A1', 'A2', 'A1'])
  expect(statements).toEqual([['a1'], ['a1', 'a2']])
})

it('asks the questions of each tenant apart, in one statement at a time, if one may be dear', async () => {
  const { ask, statements, next } = asked({ most: 3, areTenantsApart: true, width: 2, maxWaitMs: 60_000 })
  const dear = ['t1', 't2', 't3', 't4'].map(ask)
  const other = ask('a1')
  await expect.poll(() => statements).toEqual([['t1', 't2', 't3'], ['a1']])
  const later = ask('a2')
  next()
  await expect.poll(() => statements.slice(2)).toEqual([['t4']])
  next()
  await expect.poll(() => statements.slice(3)).toEqual([['a2']])
  next()
  next()
  expect(await Promise.all([other, later, ...dear])).toEqual(['A1', 'A2', 'T1', 'T2', 'T3', 'T4'])
})
