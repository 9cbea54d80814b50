import type { IconName } from '../../shared/components/Icon'
import { AGENTS, CREDENTIALS, HOME, INBOX, TENANT } from '../../shared/navigation/paths'
import { texts } from '../../shared/texts'

interface Entry {
  readonly path: string
  readonly icon: IconName
  readonly label: string
}

/** The places that can be reached from everywhere. */
export const NAVIGATION: readonly Entry[] = [
  { path: HOME, icon: 'home', label: texts.navigation.home },
  { path: INBOX, icon: 'inbox', label: texts.inbox.title },
  { path: AGENTS, icon: 'agent', label: texts.agents.title },
  { path: TENANT, icon: 'tenant', label: texts.tenant.title },
  { path: CREDENTIALS, icon: 'key', label: texts.credentials.title },
]
