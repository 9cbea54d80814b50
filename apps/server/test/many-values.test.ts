import { LIMITS } from '@collab-spaces/domain'
import { type Actor, spaceIdOf } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { useServer } from './support/server.js'
import { ACCEPT } from './support/tool-call.js'

const h = useServer()

let ada: Actor
let space: string

beforeAll(async () => {
  ada = await h.registerHuman()
  space = await h.openSpace(ada)
})

const TOO_MANY = 'body: must have at most 50,000 values'

/** Returns a body with these values besides the text. */
const speech = (values: string) => `{"text":"Hello",${values}}`
const names = (count: number) => Array.from({ length: count }, (_, n) => `"${n.toString(36)}":0`).join()
const list = (items: string) => `"a":[${items}]`

describe('a body with very many values', () => {
  it.each([
    ['names', names(LIMITS.bodyValues)],
    ['list items', list('0,'.repeat(LIMITS.bodyValues))],
    ['nested objects', list('{"a":'.repeat(LIMITS.bodyValues + 1))],
    ['empty lists', list('[],'.repeat(LIMITS.bodyValues))],
    ['texts with escaped quotes', list(String.raw`"\\\"",`.repeat(LIMITS.bodyValues))],
  ])('is refused before it is parsed: %s', async (_, values) => {
    await h.as(ada).post(`${space}/speech`, speech(values)).expect(400, TOO_MANY)
  })

  it('is refused in typed calls and tool calls, too', async () => {
    const body = `{"space_id":"${spaceIdOf(space)}","text":"Hello",${names(LIMITS.bodyValues)}}`
    expect((await h.as(ada).post('/trpc/event.speech', body)).text).toContain(TOO_MANY)
    await h.as(ada).post('/mcp', body, { headers: ACCEPT }).expect(400, TOO_MANY)
  })

  it('is distinguished from one whose text has as many commas and brackets', async () => {
    for (const text of [
      ',[{'.repeat(30_000),
      '",'.repeat(40_000),
      String.raw`\",`.repeat(30_000),
      '\\'.repeat(90_001),
    ]) {
      const event = await h.as(ada).post(`${space}/speech`, { text }).expect(200)
      expect(event.text).toBe(text)
    }
  })

  it('is accepted up to the limit', async () => {
    // The text, the object and the name of the list come first.
    const items = Array(LIMITS.bodyValues - 10).fill('0')
    await h
      .as(ada)
      .post(`${space}/speech`, speech(list(items.join())))
      .expect(200)
  })
})
