import type { PointerEvent } from 'react'
import styles from './ActorName.module.css'
import { classes } from './classes'
import { closeSoon, openCard, openSoon } from './shown-card'

interface ActorNameProps {
  readonly id: string
  readonly name: string
  readonly className?: string | undefined
}

/** A name that opens the actor's card on click, tap, Enter or hover. */
export function ActorName({ id: actorId, name, className }: ActorNameProps) {
  const onPointerEnter = ({ pointerType, currentTarget }: PointerEvent<HTMLElement>) => {
    if (pointerType === 'mouse') openSoon({ actorId, name, anchor: currentTarget, isGlance: true })
  }
  return (
    <button
      type="button"
      dir="auto"
      className={classes(styles.name, className)}
      data-reach
      aria-haspopup="dialog"
      onClick={({ currentTarget }) => openCard({ actorId, name, anchor: currentTarget, isGlance: false })}
      onPointerEnter={onPointerEnter}
      onPointerLeave={closeSoon}
    >
      {name}
    </button>
  )
}
