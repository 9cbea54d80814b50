const PREFIX = 'spaces.draft'

/** Where a message that is being written belongs. */
export interface DraftPlace {
  readonly actorId: string
  readonly spaceId: string
  /** Null for the history itself. */
  readonly threadOf: string | null
}

const keyOf = ({ actorId, spaceId, threadOf }: DraftPlace) => [PREFIX, actorId, spaceId, threadOf ?? ''].join(' ')

/** The unsent text there: it survives whatever happens to the page. */
export const readDraft = (place: DraftPlace): string => window.localStorage.getItem(keyOf(place)) ?? ''

export function keepDraft(place: DraftPlace, text: string): void {
  if (text === '') window.localStorage.removeItem(keyOf(place))
  else window.localStorage.setItem(keyOf(place), text)
}

/** All of an account, with the space that each is for. */
export function draftsOf(actorId: string): { spaceId: string; text: string }[] {
  const prefix = `${PREFIX} ${actorId} `
  return Object.entries(window.localStorage)
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, text]) => ({ spaceId: key.slice(prefix.length).split(' ')[0] ?? '', text: String(text) }))
}

/** For an account that has signed out. */
export function forgetDrafts(actorId: string): void {
  for (const key of Object.keys(window.localStorage)) {
    if (key.startsWith(`${PREFIX} ${actorId} `)) window.localStorage.removeItem(key)
  }
}
