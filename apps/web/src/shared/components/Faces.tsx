import { kindOfId } from '../query/names'
import { Avatar, type AvatarSize } from './Avatar'
import { classes } from './classes'
import styles from './Faces.module.css'

interface FacesProps {
  readonly actors: readonly { readonly actor_id: string; readonly name: string; readonly is_present: boolean }[]
  readonly size?: AvatarSize
}

/** The members of a conversation in the room of one avatar: two of them overlap. Their names are next to it. */
export function Faces({ actors, size = 'medium' }: FacesProps) {
  const isPair = actors.length > 1
  return (
    <span className={classes(styles.faces, styles[size], isPair && styles.pair)} aria-hidden="true">
      {actors.slice(0, 2).map(({ actor_id, name, is_present }) => (
        <Avatar
          key={actor_id}
          id={actor_id}
          name={name}
          kind={kindOfId(actor_id)}
          size={isPair ? 'tiny' : size}
          isPresent={is_present}
        />
      ))}
    </span>
  )
}
