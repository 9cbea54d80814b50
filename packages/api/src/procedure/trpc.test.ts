import { initTRPC } from '@trpc/server'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Meta } from './meta.js'
import { definitionsOf, procedure, router } from './trpc.js'

const meta: Meta<'actor'> = {
  caller: 'actor',
  scope: 'read',
  cost: 'row',
  route: 'GET /api/spaces/{space_id}',
  tags: ['Spaces'],
  summary: 'A space',
}
const SpaceId = z.object({ space_id: z.string() })
const Space = z.object({ space_id: z.string() })

/** tRPC's own builder, with all methods that ours lacks. */
const t = initTRPC.context<object>().meta<Meta>().create()

describe('the builder', () => {
  it('rejects calls that would be ignored', () => {
    const described = procedure.meta(meta)
    // @ts-expect-error a middleware would never run
    expect(() => described.use(({ next }) => next())).toThrow()
    // @ts-expect-error neither would those of another builder
    expect(() => described.concat(t.procedure)).toThrow()
    // @ts-expect-error only one input is parsed
    expect(() => described.input(SpaceId).input(SpaceId)).not.toThrow()
  })
})

describe('a router', () => {
  it('returns its procedures by their paths', () => {
    const get = procedure
      .meta(meta)
      .input(SpaceId)
      .output(Space)
      .query(async ({ input }) => input)
    const [[path, definition] = []] = definitionsOf(router({ space: router({ get }) }))
    expect(path).toBe('space.get')
    expect(definition).toMatchObject({ meta, input: SpaceId, output: Space })
  })

  it("rejects a procedure of tRPC's own builder", () => {
    const get = t.procedure.meta(meta).query(() => 1)
    expect(() => definitionsOf(router({ space: router({ get }) }))).toThrow('space.get was not made by our builder')
  })
})
