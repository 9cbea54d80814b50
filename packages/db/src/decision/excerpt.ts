import { cutText } from '@collab-spaces/domain'

interface Decided {
  readonly text: string
  readonly resolution: string | null
}

/** Selects the beginning of a text, with the character after it, which tells whether it can be cut there. */
export const excerpt = (text: string, max: number): string => `left(${text}, ${max} + 1)`

/** Cuts the texts of a decision that was selected with excerpts. */
export const cutExcerpts = <Row extends Decided>(decision: Row, max: number): Row => ({
  ...decision,
  text: cutText(decision.text, max),
  resolution: decision.resolution && cutText(decision.resolution, max),
})
