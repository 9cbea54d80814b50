import type { Context } from '@collab-spaces/domain'
import type { z } from 'zod'
import type { Context as ContextSchema } from '../schemas/context.js'

/** Returns the positions of the events that frame a context: the first and last omitted one, and the newest. */
export const positionsIn = ({ newestFrom, head }: Context) => [1, newestFrom - 1, head]

export function presentContext(
  { text, used, budget, estimator, sections, omitted, newestFrom, head }: Context,
  ids: ReadonlyMap<number, string>,
): z.infer<typeof ContextSchema> {
  const isWhole = newestFrom === 1
  return {
    text,
    used,
    budget,
    estimator,
    sections: sections.map(({ name, tokens, items }) => ({ name, tokens, items })),
    omitted: {
      events: omitted,
      from: isWhole ? null : (ids.get(1) ?? null),
      to: ids.get(newestFrom - 1) ?? null,
    },
    cursor: ids.get(head) ?? null,
  }
}
