import { Cell } from '../cell'

/** Of whom a card is open, and beside what. */
export interface ShownCard {
  readonly actorId: string
  /** As it is called where the card was asked for. */
  readonly name: string
  readonly anchor: HTMLElement
  /** Whether the pointer is only over the name: then the keyboard stays where it is. */
  readonly isGlance: boolean
}

/** One card for the whole page: a history has hundreds of names. */
export const shownCard = new Cell<ShownCard | null>(null)

/** How long the pointer rests on a name before a card opens, and how long it may take from the name to the card. */
const REST_MS = 450
const LEAVE_MS = 250
let timer: ReturnType<typeof setTimeout> | undefined

export function openCard(card: ShownCard): void {
  clearTimeout(timer)
  shownCard.set(card)
}

export function openSoon(card: ShownCard): void {
  clearTimeout(timer)
  timer = setTimeout(() => shownCard.set(card), REST_MS)
}

/** The pointer is on the card. */
export const keepOpen = (): void => clearTimeout(timer)

/** The pointer has left: a card that was asked for stays. */
export function closeSoon(): void {
  clearTimeout(timer)
  timer = setTimeout(() => shownCard.value?.isGlance && shownCard.set(null), LEAVE_MS)
}

export function closeCard(): void {
  clearTimeout(timer)
  shownCard.set(null)
}
