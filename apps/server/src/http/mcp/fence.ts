import { randomBytes } from 'node:crypto'

/** Stands around all in an answer that participants wrote, or that quotes them. */
export type Fence = (text: string) => string

/** One for each answer, with a name that nobody could know when they wrote: nothing that they wrote closes it. */
export function newFence(): Fence {
  const name = `data-${randomBytes(8).toString('hex')}`
  return (text) => `<${name}>\n${text}\n</${name}>`
}
