import { cutText } from '@collab-spaces/domain'

interface DecisionText {
  readonly text: string
  readonly resolution: string | null
}

/** Selects a prefix of a text and the next character, which shows whether a cut is possible there. */
export const excerpt = (text: string, max: number): string => `left(${text}, ${max} + 1)`

/** Truncates the texts of a decision selected with `excerpt`. */
export const cutExcerpts = <Row extends DecisionText>(decision: Row, max: number): Row => ({
  ...decision,
  text: cutText(decision.text, max),
  resolution: decision.resolution && cutText(decision.resolution, max),
})
