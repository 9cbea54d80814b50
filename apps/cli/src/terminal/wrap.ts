import { wrapAnsi } from 'fast-wrap-ansi'
import { isWide } from './cut.js'

/** Text wrapped between words, which stay whole; lines that are indented, such as code, stay so. */
export const wrapped = (text: string, width: number): string =>
  text
    .split('\n')
    .map((line) => wrapAnsi(line, width, { hard: isWide(line), trim: !/^\s/.test(line) }))
    .join('\n')
