import { describe, expect, it } from 'vitest'
import { movedTo } from './moved'

const answer = (status: number, body: string) => movedTo(new Response(body, { status }))
const error = { detail: 'This tenant has moved', error: 'moved', location: 'https://b.example.org' }
const call = (data: object) => ({ error: { message: 'x', code: -32_600, data } })

describe('the new address of a moved tenant', () => {
  it('is in a response of REST, and in a single or batched response of tRPC', async () => {
    for (const body of [error, call(error), [call(error), call(error)], [call({ detail: 'No' }), call(error)]]) {
      expect(await answer(421, JSON.stringify(body))).toBe('https://b.example.org')
    }
  })

  it('is in no other response', async () => {
    expect(await answer(404, JSON.stringify(error))).toBeNull()
    for (const body of ['', '<h1>', 'null', '[]', '{"detail":"Wrong host"}', '[null]']) {
      expect(await answer(421, body)).toBeNull()
    }
    for (const location of [undefined, 7, '', 'b.example.org', 'javascript:alert(1)']) {
      expect(await answer(421, JSON.stringify({ ...error, location }))).toBeNull()
    }
  })
})
