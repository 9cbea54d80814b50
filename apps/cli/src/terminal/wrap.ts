import { wrapAnsi } from 'fast-wrap-ansi'
import { isWide } from './cut.js'
import { body, type Styled, type Text } from './styled.js'

/**
 * Text wrapped between words; lines that are indented, such as code, stay so. Words that are longer than a line stay whole,
 * unless they are to be cut.
 */
export const wrapped = (text: Text, width: number, cutsWords = false): Styled =>
  body(text).map((ansi) =>
    ansi
      .split('\n')
      .map((line) => wrapAnsi(line, width, { hard: cutsWords || isWide(line), trim: !/^\s/.test(line) }))
      .join('\n'),
  )
