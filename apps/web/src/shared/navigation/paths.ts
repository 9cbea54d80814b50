/** All paths of the page. None contains a credential. */
export const HOME = '/'
export const INBOX = '/inbox'
export const ADD_ACCOUNT = '/add-account'
export const CREDENTIALS = '/credentials'
export const NOTIFICATIONS = '/notifications'
/** The decisions of all spaces. */
export const DECISIONS = '/decisions'
export const AGENTS = '/agents'
/** The redirect target of identity providers. */
export const SIGN_IN_CALLBACK = '/sign-in/callback'
/** The targets of links in e-mail, with a code in the fragment. The server builds their addresses. */
export const SIGN_IN_EMAIL = '/sign-in/email'
export const CONFIRM_EMAIL = '/sign-in/email/confirm'
/** The pages that authorize a CLI, on this machine and on another. */
export const COMMAND = '/command'
export const DEVICE = '/device'
export const TENANT = '/tenant'
/** Redeems the invite code in the fragment. The server builds the address. */
export const JOIN = '/join'
/** The OAuth consent page. The server builds its address. */
export const CONNECT = '/connect/:uid'

export const webhookPath = (webhookId: string): string => `/webhooks/${encodeURIComponent(webhookId)}`

export const spacePath = (spaceId: string): string => `/s/${encodeURIComponent(spaceId)}`

/** An event in the history of its space. */
export const eventPath = (spaceId: string, eventId: string): string =>
  `${spacePath(spaceId)}/e/${encodeURIComponent(eventId)}`

/** A space with an open panel. */
export const panelPath = (spaceId: string, panel: string): string =>
  `${spacePath(spaceId)}?${new URLSearchParams({ panel })}`

export const decisionsPath = (spaceId: string): string => `${spacePath(spaceId)}/decisions`

export const decisionPath = (spaceId: string, decisionId: string): string =>
  `${decisionsPath(spaceId)}/${encodeURIComponent(decisionId)}`

export const incomingPath = (spaceId: string): string => `${spacePath(spaceId)}/incoming`

/** A space with an open thread. */
export const threadPath = (spaceId: string, threadId: string): string =>
  `${spacePath(spaceId)}?${new URLSearchParams({ thread: threadId })}`

const DECISION = 'decision:'

/** A space with the open discussion of a decision, which has a thread once something is said in it. */
export const discussionPath = (spaceId: string, decisionId: string): string =>
  threadPath(spaceId, `${DECISION}${decisionId}`)

/** Returns the decision that the address of a thread names; null if it names a thread or an event. */
export const discussedIn = (threadOf: string): string | null =>
  threadOf.startsWith(DECISION) ? threadOf.slice(DECISION.length) : null

/** The width at which panels cover the history, as in `Panel.module.css`. */
export const PANEL_COVERS_HISTORY = '(max-width: 64rem)'

/** Returns the path to an event from a panel, which stays open unless it covers the history. */
export const pathFrom = (panel: string, spaceId: string, eventId: string): string =>
  window.matchMedia(PANEL_COVERS_HISTORY).matches
    ? eventPath(spaceId, eventId)
    : `${eventPath(spaceId, eventId)}?${new URLSearchParams({ panel })}`
