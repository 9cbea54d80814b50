import { isInFence } from '@collab-spaces/client'

/** The name of an emoji after a colon, while it is typed. */
export interface OpenEmoji {
  readonly from: number
  readonly typed: string
}

/** No part of a time, an address or another name. */
const NAME = String.raw`(?<![\p{L}\p{M}\p{N}:/])[:：]([\p{L}\p{M}\p{N}+][\p{L}\p{M}\p{N}_+-]{1,30})`
const OPEN = new RegExp(`${NAME}$`, 'u')
const CLOSED = new RegExp(`${NAME}[:：]$`, 'u')

/** Returns the name that is typed before the caret: `:tad`. */
export const openEmojiAt = (text: string, caret: number): OpenEmoji | null => nameAt(text, caret, OPEN)

/** Returns the name that the colon before the caret ends: `:tada:`. */
export const closedEmojiAt = (text: string, caret: number): OpenEmoji | null => nameAt(text, caret, CLOSED)

function nameAt(text: string, caret: number, form: RegExp): OpenEmoji | null {
  const lineStart = text.slice(0, caret).lastIndexOf('\n') + 1
  const line = text.slice(lineStart, caret)
  const found = form.exec(line)
  if (!found?.[1]) return null
  const before = line.slice(0, found.index)
  const isCode = before.split('`').length % 2 === 0 || isInFence(text.slice(0, lineStart))
  return isCode ? null : { from: lineStart + found.index, typed: found[1] }
}
