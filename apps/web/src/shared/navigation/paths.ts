/** Every address within the page is made here. None ever contains a credential. */
export const HOME = '/'
export const INBOX = '/inbox'
export const ADD_ACCOUNT = '/add-account'
export const CREDENTIALS = '/credentials'
export const NOTIFICATIONS = '/notifications'
export const AGENTS = '/agents'
/** Where a provider sends browsers back to. */
export const SIGN_IN_CALLBACK = '/sign-in/callback'
/** Where commands are let in, on this machine and on others. */
export const COMMAND = '/command'
export const DEVICE = '/device'
export const TENANT = '/tenant'
/** Where a program sends somebody whom it wants to act for. The server makes the address. */
export const CONNECT = '/connect/:uid'

/** One webhook, with its last attempts. */
export const webhookPath = (webhookId: string): string => `/webhooks/${encodeURIComponent(webhookId)}`

export const spacePath = (spaceId: string): string => `/s/${encodeURIComponent(spaceId)}`

/** The place of an event in the history of its space. */
export const eventPath = (spaceId: string, eventId: string): string =>
  `${spacePath(spaceId)}/e/${encodeURIComponent(eventId)}`

/** A space, with a panel beside its history. */
export const panelPath = (spaceId: string, panel: string): string =>
  `${spacePath(spaceId)}?${new URLSearchParams({ panel })}`

/** The decisions of a space. */
export const decisionsPath = (spaceId: string): string => `${spacePath(spaceId)}/decisions`

export const decisionPath = (spaceId: string, decisionId: string): string =>
  `${decisionsPath(spaceId)}/${encodeURIComponent(decisionId)}`

/** A thread beside the history of its space. */
export const threadPath = (spaceId: string, threadId: string): string =>
  `${spacePath(spaceId)}?${new URLSearchParams({ thread: threadId })}`

/** Where panels lie over the history instead of beside it, as in Panel.module.css. */
const OVER = '(max-width: 64rem)'

/** The way to an event from a panel: it stays open where there is room for both. */
export const pathFrom = (panel: string, spaceId: string, eventId: string): string =>
  window.matchMedia(OVER).matches
    ? eventPath(spaceId, eventId)
    : `${eventPath(spaceId, eventId)}?${new URLSearchParams({ panel })}`
