import styles from './Avatar.module.css'
import { classes } from './classes'
import { Icon } from './Icon'

/** The kind of an account, not one that it claims. */
export type ActorKind = 'human' | 'agent'

/** Only what is known to be a human has a human's form. */
export const kindOf = (type: string): ActorKind => (type === 'human' ? 'human' : 'agent')

export type AvatarSize = 'tiny' | 'small' | 'medium' | undefined

interface AvatarProps {
  readonly id: string
  readonly name: string
  readonly kind: ActorKind
  readonly size?: AvatarSize
  /** Whether it is an agent that may only read now. */
  readonly isStopped?: boolean | undefined
}

/** A human is a circle, an agent has corners: the difference holds without colour, too. The name stands beside it. */
export function Avatar({ id, name, kind, size = 'medium', isStopped = false }: AvatarProps) {
  return (
    <span
      className={classes(styles.avatar, styles[kind], styles[size])}
      data-hue={hueOf(id)}
      data-stopped={isStopped || undefined}
      aria-hidden="true"
    >
      {initialsOf(name)}
      {kind === 'agent' && (
        <span className={styles.sign}>
          <Icon name={isStopped ? 'pause' : 'agent'} size={11} />
        </span>
      )}
    </span>
  )
}

const HUES = 6

/** The same for the same account, wherever it stands; others of its name have one of their own. */
function hueOf(id: string): number {
  let sum = 0
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973
  return (sum % HUES) + 1
}

/** The first letters of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/).filter(Boolean)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words
  return (
    letters
      .map((word) => [...(word ?? '')][0] ?? '')
      .join('')
      .toUpperCase() || '?'
  )
}
