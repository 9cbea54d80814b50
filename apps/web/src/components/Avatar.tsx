import styles from './Avatar.module.css'
import { classes } from './classes'
import { Icon } from './Icon'

/** What kinds of speakers look like. Any other word that a program chose looks like a transcript. */
export type SpeakerKind = 'human' | 'agent' | 'transcript' | 'system'

export const speakerKind = (type: string): SpeakerKind =>
  type === 'human' || type === 'agent' || type === 'system' ? type : 'transcript'

interface AvatarProps {
  readonly name: string
  readonly kind: SpeakerKind
  readonly size?: 'small' | 'medium' | 'large' | undefined
}

/** A human is a circle, an agent has corners: the difference holds without colour, too. The name stands beside it. */
export function Avatar({ name, kind, size = 'medium' }: AvatarProps) {
  return (
    <span className={classes(styles.avatar, styles[kind], styles[size])} data-hue={hueOf(name)} aria-hidden="true">
      {kind === 'transcript' ? (
        <Icon name="quote" size={16} />
      ) : kind === 'system' ? (
        <Icon name="info" size={16} />
      ) : (
        initialsOf(name)
      )}
      {kind === 'agent' && (
        <span className={styles.sign}>
          <Icon name="agent" size={11} />
        </span>
      )}
    </span>
  )
}

const HUES = 6

/** The same for the same name, wherever it stands. */
function hueOf(name: string): number {
  let sum = 0
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973
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
