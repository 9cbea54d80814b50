import { Popover } from '@base-ui/react/popover'
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { useCell } from '../../shared/cell'
import { closeCard, closeSoon, keepOpen, openCard, shownCard } from '../../shared/components/shown-card'
import { ActorCard } from './ActorCard'
import styles from './ActorCard.module.css'
import { cardTexts } from './texts'

/** The open actor card, next to the name that opened it. */
export function ActorCards() {
  const card = useCell(shownCard)
  const [location] = useLocation()
  const anchor = useRef<HTMLElement | null>(null)
  if (card) anchor.current = card.anchor
  // biome-ignore lint/correctness/useExhaustiveDependencies: navigating closes the card
  useEffect(() => closeCard, [location])
  return (
    <Popover.Root open={card !== null} onOpenChange={(isOpen) => isOpen || closeCard()}>
      <Popover.Portal>
        <Popover.Positioner className={styles.positioner} anchor={card?.anchor} align="start" sideOffset={6}>
          <Popover.Popup
            className={styles.popup}
            aria-label={card ? cardTexts.title(card.name) : undefined}
            initialFocus={card?.isGlance ? false : undefined}
            finalFocus={card?.isGlance ? false : anchor}
            onPointerEnter={keepOpen}
            onPointerLeave={closeSoon}
            // A click inside keeps the card open when the pointer leaves.
            onPointerDown={() => card && openCard({ ...card, isGlance: false })}
          >
            {card && <ActorCard key={card.actorId} actorId={card.actorId} name={card.name} />}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
