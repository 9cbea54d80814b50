import { Cell } from '../cell'

/** The open actor card and the element that it is anchored to. */
export interface ShownCard {
  readonly actorId: string
  /** The name in the text that opened the card. */
  readonly name: string
  readonly anchor: HTMLElement
  /** Whether it opened on hover, so that it does not take the focus. */
  readonly isGlance: boolean
}

/** One card for the whole page, as a history has hundreds of names. */
export const shownCard = new Cell<ShownCard | null>(null)

/** The hover delay before a card opens, and the time to move the pointer from the name to the card. */
const OPEN_DELAY_MS = 450
const CLOSE_DELAY_MS = 250
let timer: ReturnType<typeof setTimeout> | undefined

export function openCard(card: ShownCard): void {
  clearTimeout(timer)
  shownCard.set(card)
}

export function openSoon(card: ShownCard): void {
  clearTimeout(timer)
  timer = setTimeout(() => shownCard.set(card), OPEN_DELAY_MS)
}

/** Keeps the card open while the pointer is on it. */
export const keepOpen = (): void => clearTimeout(timer)

/** Closes a card that opened on hover after the pointer has left it. */
export function closeSoon(): void {
  clearTimeout(timer)
  timer = setTimeout(() => shownCard.value?.isGlance && shownCard.set(null), CLOSE_DELAY_MS)
}

export function closeCard(): void {
  clearTimeout(timer)
  shownCard.set(null)
}
