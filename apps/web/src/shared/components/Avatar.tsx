import { usePicture } from '../pictures'
import styles from './Avatar.module.css'
import { classes } from './classes'
import { Icon } from './Icon'

/** The authenticated kind of an actor. */
export type ActorKind = 'human' | 'agent'

/** Returns `agent` for every type but a human. */
export const kindOf = (type: string): ActorKind => (type === 'human' ? 'human' : 'agent')

export type AvatarSize = 'tiny' | 'small' | 'medium' | 'large' | undefined

interface AvatarProps {
  readonly id: string
  readonly name: string
  readonly kind: ActorKind
  readonly size?: AvatarSize
  /** Whether the agent is stopped. */
  readonly isStopped?: boolean | undefined
  /** A picture to try, null for none; by default, that of the actor. */
  readonly picture?: string | null | undefined
  /** Whether the human is here now: `Here` next to the name says it, too. */
  readonly isPresent?: boolean | undefined
}

/**
 * Humans are circles and agents have corners and a sign, so that they differ without colour, whatever the picture shows. The
 * name is next to it.
 */
export function Avatar({
  id,
  name,
  kind,
  size = 'medium',
  isStopped = false,
  picture,
  isPresent = false,
}: AvatarProps) {
  const loaded = usePicture(id)
  const shown = picture === undefined ? loaded : picture
  return (
    <span
      className={classes(styles.avatar, styles[kind], styles[size])}
      data-hue={hueOf(id)}
      data-stopped={isStopped || undefined}
      data-picture={shown ? true : undefined}
      aria-hidden="true"
    >
      {shown ? <img className={styles.picture} src={shown} alt="" draggable={false} /> : initialsOf(name)}
      {isPresent && <span className={styles.here} />}
      {kind === 'agent' && (
        <span className={styles.sign}>
          <Icon name={isStopped ? 'pause' : 'agent'} size={11} />
        </span>
      )}
    </span>
  )
}

const HUES = 6

/** Returns a stable hue for an actor ID. */
function hueOf(id: string): number {
  let sum = 0
  for (const letter of id) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973
  return (sum % HUES) + 1
}

/** Returns the first letters of the first and last word. */
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
