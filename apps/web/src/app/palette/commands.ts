import { type AttributedSpeaker, foldName } from '@collab-spaces/client'
import type { IconName } from '../../shared/components/Icon'

/** An entry of the palette. */
export interface Command {
  readonly id: string
  readonly icon: IconName
  readonly label: string
  /** Further text to search. */
  readonly also?: string | undefined
  /** The space or tenant, shown at the end of the row. */
  readonly aside?: string | undefined
  /** The speaker of a message. */
  readonly by?: AttributedSpeaker | undefined
  /** The path to open, or the action. */
  readonly to: string | (() => void)
}

/** Returns how well a command matches the typed words, higher is better; null unless it contains each word. */
export function fitOf({ label, also = '' }: Pick<Command, 'label' | 'also'>, typed: string): number | null {
  const name = foldName(label)
  const text = `${name} ${foldName(also)}`
  let fit = 0
  for (const word of foldName(typed).split(' ').filter(Boolean)) {
    if (!text.includes(word)) return null
    if (name.startsWith(word)) fit += 2
    else if (name.split(/[\s._-]+/).some((part) => part.startsWith(word))) fit += 1
  }
  return fit
}

/** Returns the matching commands, the best first. Ties keep their order. */
export const fitting = (commands: readonly Command[], typed: string, limit: number): readonly Command[] =>
  commands
    .flatMap((command) => {
      const fit = fitOf(command, typed)
      return fit === null ? [] : [{ command, fit }]
    })
    .toSorted((a, b) => b.fit - a.fit)
    .slice(0, limit)
    .map(({ command }) => command)
