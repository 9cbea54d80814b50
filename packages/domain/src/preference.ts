/** How much of a space somebody away is told: everything, what is addressed to them, or nothing. */
export const NOTICE_LEVELS = ['all', 'mentions', 'none'] as const

export type NoticeLevel = (typeof NOTICE_LEVELS)[number]

/** How an actor has a space for itself. Nobody else sees it. */
export interface Preferences {
  readonly pinned: boolean
  readonly notices: NoticeLevel
}

export const DEFAULT_PREFERENCES: Preferences = { pinned: false, notices: 'mentions' }
