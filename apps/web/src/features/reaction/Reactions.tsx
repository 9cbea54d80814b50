import type { Event } from '@collab-spaces/client'
import { number } from '../../languages/format'
import { useCanReact, useReact, useReactions } from '../../shared/query/reaction'
import type { Reactions as All } from '../../shared/query/reaction-cache'
import { useSession } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import { toastError } from '../../shared/toast'
import styles from './Reactions.module.css'
import { reactionTexts } from './texts'

/** The reactions to a message, if there are any. */
export function Reactions({ event }: { readonly event: Event }) {
  const reactions = useReactions(event)
  return reactions.length === 0 ? null : <Chips event={event} reactions={reactions} />
}

/** Each emoji with its count: a button that adds the reader's own reaction, or takes it back. */
function Chips({ event, reactions }: { readonly event: Event; readonly reactions: All }) {
  const { actorId } = useSession().account
  const canReact = useCanReact(event.space_id)
  const react = useReact(event)
  return (
    <ul className={styles.chips} aria-label={reactionTexts.list}>
      {reactions.map(({ emoji, count, actors }) => {
        const isOwn = actors.some(({ actor_id }) => actor_id === actorId)
        const names = actors.map(({ actor_id, name }) => (actor_id === actorId ? texts.members.you : name))
        const label = reactionTexts.by(emoji, names, count - actors.length)
        return (
          <li key={emoji}>
            <button
              type="button"
              className={styles.chip}
              aria-label={label}
              title={label}
              aria-pressed={isOwn}
              disabled={!canReact}
              onClick={() => react.mutate({ emoji, isOn: !isOwn }, { onError: toastError })}
            >
              {emoji} {number(count)}
            </button>
          </li>
        )
      })}
    </ul>
  )
}
