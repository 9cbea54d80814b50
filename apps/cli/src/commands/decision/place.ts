import { type Client, SpacesError } from '@collab-spaces/client'
import { usage } from '../../failure.js'
import { DECISION_ID } from '../../id/kind.js'

/**
 * A decision as it is named by `SPACE DECISION WORDS…`, and the words after it. It may be without the space: a whole
 * decision ID says enough, and is looked for in the spaces that the caller is in.
 */
export async function placed(client: Client, given: readonly string[]) {
  const [first = '', second, ...words] = given
  if (DECISION_ID.test(first) && !(second !== undefined && DECISION_ID.test(second))) {
    const space_id = await spaceOf(client, first)
    if (space_id !== undefined) return { space_id, wanted: first, words: given.slice(1) }
  }
  if (second === undefined) throw usage("missing required argument 'decision'", 'List them: spaces decision list SPACE')
  return { space_id: first, wanted: second, words }
}

async function spaceOf(client: Client, decision_id: string): Promise<string | undefined> {
  const spaces = await client.rest('actor.mySpaces', {})
  const found = await Promise.all(
    spaces.map(({ space_id }) =>
      client.decision.get.query({ space_id, decision_id }).then(
        () => space_id,
        (error: unknown) => {
          if (error instanceof SpacesError && error.status === 404) return undefined
          throw error
        },
      ),
    ),
  )
  return found.find((space_id) => space_id !== undefined)
}
