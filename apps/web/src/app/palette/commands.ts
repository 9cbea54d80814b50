import { foldName, type Spoken } from '@collab-spaces/client'
import type { IconName } from '../../shared/components/Icon'

/** Something that the palette can do. */
export interface Command {
  readonly id: string
  readonly icon: IconName
  readonly label: string
  /** Other words that somebody may look for it by. */
  readonly also?: string | undefined
  /** Its place, shown at the end of its row. */
  readonly aside?: string | undefined
  /** The speaker, if it is something that somebody said. */
  readonly by?: Spoken | undefined
  /** Where it leads, or what it does. */
  readonly to: string | (() => void)
}

/** How well a command fits what was typed, more is better; null if it does not. Each word must be in it. */
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

/** The commands that fit, the best first; equals keep their order. */
export const fitting = (commands: readonly Command[], typed: string, limit: number): readonly Command[] =>
  commands
    .flatMap((command) => {
      const fit = fitOf(command, typed)
      return fit === null ? [] : [{ command, fit }]
    })
    .toSorted((a, b) => b.fit - a.fit)
    .slice(0, limit)
    .map(({ command }) => command)
