import { eventPath } from '../app/paths'

/** Where panels lie over the history instead of beside it, as in Panel.module.css. */
const OVER = '(max-width: 64rem)'

/** The way to an event from a panel: it stays open where there is room for both. */
export const pathFrom = (panel: string, spaceId: string, eventId: string): string =>
  window.matchMedia(OVER).matches
    ? eventPath(spaceId, eventId)
    : `${eventPath(spaceId, eventId)}?${new URLSearchParams({ panel })}`
