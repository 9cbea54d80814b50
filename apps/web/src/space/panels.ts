import { type ComponentType, lazy } from 'react'
import type { IconName } from '../components/Icon'
import { texts } from '../texts'
import type { PanelProps } from './panel-props'

interface PanelEntry {
  /** In the address: `?panel=people`. */
  readonly id: string
  readonly icon: IconName
  readonly label: string
  readonly panel: ComponentType<PanelProps>
}

/** A panel that is loaded when it is first opened. */
export const panel = (load: () => Promise<ComponentType<PanelProps>>): ComponentType<PanelProps> =>
  lazy(async () => ({ default: await load() }))

/** What can stand beside the history of a space. A new panel is a line here. */
export const PANELS: readonly PanelEntry[] = [
  {
    id: 'people',
    icon: 'people',
    label: texts.space.people,
    panel: panel(async () => (await import('../participant/ParticipantsPanel')).ParticipantsPanel),
  },
  {
    id: 'search',
    icon: 'search',
    label: texts.search.title,
    panel: panel(async () => (await import('../search/SearchPanel')).SearchPanel),
  },
  {
    id: 'summary',
    icon: 'summary',
    label: texts.summary.title,
    panel: panel(async () => (await import('../summary/SummaryPanel')).SummaryPanel),
  },
  {
    id: 'activity',
    icon: 'activity',
    label: texts.activity.title,
    panel: panel(async () => (await import('../activity/ActivityPanel')).ActivityPanel),
  },
  {
    id: 'links',
    icon: 'graph',
    label: texts.links.title,
    panel: panel(async () => (await import('../link/LinksPanel')).LinksPanel),
  },
]
