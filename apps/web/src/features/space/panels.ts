import type { ComponentType } from 'react'
import type { IconName } from '../../shared/components/Icon'
import type { PanelProps } from '../../shared/components/Panel'
import { later } from '../../shared/lazy-preload'
import { texts } from '../../shared/texts'

interface PanelEntry {
  /** In the address: `?panel=people`. */
  readonly id: string
  readonly icon: IconName
  readonly label: string
  readonly panel: ComponentType<PanelProps>
}

/** The panels beside the history of a space. A new one is a line here. */
export const PANELS: readonly PanelEntry[] = [
  {
    id: 'people',
    icon: 'people',
    label: texts.space.people,
    panel: later(async () => (await import('../participant/ParticipantsPanel')).ParticipantsPanel),
  },
  {
    id: 'threads',
    icon: 'thread',
    label: texts.thread.threads,
    panel: later(async () => (await import('../thread/ThreadsPanel')).ThreadsPanel),
  },
  {
    id: 'search',
    icon: 'search',
    label: texts.search.title,
    panel: later(async () => (await import('../search/SearchPanel')).SearchPanel),
  },
  {
    id: 'summary',
    icon: 'summary',
    label: texts.summary.title,
    panel: later(async () => (await import('../summary/SummaryPanel')).SummaryPanel),
  },
  {
    id: 'activity',
    icon: 'activity',
    label: texts.activity.title,
    panel: later(async () => (await import('../activity/ActivityPanel')).ActivityPanel),
  },
  {
    id: 'links',
    icon: 'graph',
    label: texts.links.title,
    panel: later(async () => (await import('../link/LinksPanel')).LinksPanel),
  },
]
