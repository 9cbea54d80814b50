import { credentialsTexts } from '../../features/credential/texts'
import { inboxTexts } from '../../features/inbox/texts'
import type { IconName } from '../../shared/components/Icon'
import { AGENTS, CREDENTIALS, HOME, INBOX, TENANT } from '../../shared/navigation/paths'
import { texts } from '../../shared/texts'
import { navigationTexts } from './texts'

interface Entry {
  readonly path: string
  readonly icon: IconName
  readonly label: string
}

/** The pages that the navigation and the palette list. */
export const NAVIGATION: readonly Entry[] = [
  { path: HOME, icon: 'home', label: navigationTexts.home },
  { path: INBOX, icon: 'inbox', label: inboxTexts.title },
  { path: AGENTS, icon: 'agent', label: texts.agents.title },
  { path: TENANT, icon: 'tenant', label: texts.tenantTitle },
  { path: CREDENTIALS, icon: 'key', label: credentialsTexts.title },
]
