/** The events of a space that notify an absent human: all, those that address them, or none. */
export const NOTICE_LEVELS = ['all', 'mentions', 'none'] as const

export type NoticeLevel = (typeof NOTICE_LEVELS)[number]

/** The private settings of an actor for a space. */
export interface Preferences {
  readonly pinned: boolean
  readonly notices: NoticeLevel
}

export const DEFAULT_PREFERENCES: Preferences = { pinned: false, notices: 'mentions' }
