import { credentialsTexts } from '../../features/credential/texts'
import { decisionsTexts } from '../../features/decision/texts'
import { inboxTexts } from '../../features/inbox/texts'
import { notificationsTexts } from '../../features/notification/texts'
import type { IconName } from '../../shared/components/Icon'
import { AGENTS, CREDENTIALS, DECISIONS, HOME, INBOX, NOTIFICATIONS, TENANT } from '../../shared/navigation/paths'
import { texts } from '../../shared/texts'
import { navigationTexts } from './texts'

interface Entry {
  readonly path: string
  readonly icon: IconName
  readonly label: string
}

/** The pages that the bar of a phone has room for. */
export const BAR: readonly Entry[] = [
  { path: HOME, icon: 'home', label: navigationTexts.home },
  { path: INBOX, icon: 'inbox', label: inboxTexts.title },
]

/** The pages of everyday work. */
export const NAVIGATION: readonly Entry[] = [
  ...BAR,
  { path: DECISIONS, icon: 'decision', label: decisionsTexts.heading },
]

/** The pages that the navigation lists under one entry. */
export const SETTINGS: readonly Entry[] = [
  { path: AGENTS, icon: 'agent', label: texts.agents.title },
  { path: TENANT, icon: 'tenant', label: texts.tenantTitle },
  { path: CREDENTIALS, icon: 'key', label: credentialsTexts.title },
  { path: NOTIFICATIONS, icon: 'bell', label: notificationsTexts.title },
]
