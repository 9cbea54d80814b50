import { type Actor, spaceIdOf } from '@collab-spaces/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { SEARCH_CASES } from './support/search-cases.js'
import { useServer } from './support/server.js'

const h = useServer()

interface Match {
  readonly text: string
  readonly snippet: string
}

describe.each(Object.entries(SEARCH_CASES))('%s', (_kind, cases) => {
  let ada: Actor
  let space_id: string
  beforeAll(async () => {
    ada = await h.registerHuman('Ada')
    const path = await h.openSpace(ada)
    space_id = spaceIdOf(path)
    for (const { text } of cases) await h.as(ada).post(`${path}/speech`, { text }).expect(200)
  })

  const search = (q: string): Promise<Match[]> =>
    h
      .as(ada)
      .get(`/api/search?${new URLSearchParams({ space_id, q })}`)
      .expect(200)

  describe.each(cases)('$text', ({ text, found, missed = [] }) => {
    it.each(Object.entries(found))('is found by %j', async (q, snippet) => {
      expect((await search(q)).find((match) => match.text === text)?.snippet).toBe(snippet)
    })

    it('is not found by other queries', async () => {
      for (const q of missed)
        expect(
          (await search(q)).map((match) => match.text),
          q,
        ).not.toContain(text)
    })
  })
})
