import { Cell } from '../../shared/cell'

const PREFIX = 'spaces.draft'

/** Identifies the draft of a history or a thread. */
export interface DraftKey {
  readonly actorId: string
  readonly spaceId: string
  /** The anchor of a thread; null for the history. */
  readonly threadOf: string | null
}

/** Returns the name of a draft among those of its account. */
export const draftOf = ({ spaceId, threadOf }: DraftKey): string => [spaceId, threadOf ?? ''].join(' ')

/** Returns the storage key of a draft. */
export const keyOf = (place: DraftKey) => [PREFIX, place.actorId, draftOf(place)].join(' ')

/** Returns the saved draft, which survives reloads. */
export const readDraft = (place: DraftKey): string => window.localStorage.getItem(keyOf(place)) ?? ''

export function keepDraft(place: DraftKey, text: string): void {
  if (text === '') window.localStorage.removeItem(keyOf(place))
  else window.localStorage.setItem(keyOf(place), text)
}

/** The place of the draft that was put back last, for its open field. */
export const restored = new Cell<DraftKey | null>(null)

/** Puts a text back as draft. Returns whether its place was empty. */
export function restoreDraft(place: DraftKey, text: string): boolean {
  if (readDraft(place) !== '') return false
  keepDraft(place, text)
  restored.set({ ...place })
  return true
}

/** Returns all drafts of an account, each with its space. */
export function draftsOf(actorId: string): { spaceId: string; text: string }[] {
  const prefix = `${PREFIX} ${actorId} `
  return Object.entries(window.localStorage)
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, text]) => ({ spaceId: key.slice(prefix.length).split(' ')[0] ?? '', text: String(text) }))
}

/** Deletes the drafts of an account that has signed out. */
export function forgetDrafts(actorId: string): void {
  for (const key of Object.keys(window.localStorage)) {
    if (key.startsWith(`${PREFIX} ${actorId} `)) window.localStorage.removeItem(key)
  }
}
