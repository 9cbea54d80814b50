import { expect, it } from 'vitest'
import { batched } from '../src/batched.js'

/** Each statement is under way until it is let go. */
function asked(most: number, width: number) {
  const statements: string[][] = []
  const letGo: (() => void)[] = []
  const ask = batched({ most, width }, async (questions: readonly string[]) => {
    statements.push([...questions])
    await new Promise<void>((resolve) => letGo.push(resolve))
    if (questions.includes('broken')) throw new Error('The statement failed')
    return questions.map((question) => question.toUpperCase())
  })
  return { ask, statements, next: () => letGo.shift()?.() }
}

it('asks what comes at once in one statement, as much as there may be in it', async () => {
  const { ask, statements, next } = asked(2, 2)
  const answers = Promise.all(['a', 'b', 'c'].map(ask))
  await expect.poll(() => statements).toEqual([['a', 'b'], ['c']])
  next()
  next()
  expect(await answers).toEqual(['A', 'B', 'C'])
})

it('gathers what comes while as many statements are under way as may be', async () => {
  const { ask, statements, next } = asked(10, 1)
  const first = ask('a')
  await expect.poll(() => statements).toEqual([['a']])
  const later = [ask('b')]
  await new Promise((resolve) => setImmediate(resolve))
  later.push(ask('c'))
  expect(statements).toHaveLength(1)
  next()
  await expect.poll(() => statements).toEqual([['a'], ['b', 'c']])
  next()
  expect(await Promise.all([first, ...later])).toEqual(['A', 'B', 'C'])
})

it('fails those whose statement failed, and goes on', async () => {
  const { ask, statements, next } = asked(1, 1)
  const [broken, good] = [ask('broken'), ask('good')]
  broken.catch(() => {})
  await expect.poll(() => statements.length).toBe(1)
  next()
  await expect(broken).rejects.toThrow('The statement failed')
  await expect.poll(() => statements.length).toBe(2)
  next()
  expect(await good).toBe('GOOD')
})
