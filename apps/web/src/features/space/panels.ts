import type { ComponentType } from 'react'
import type { IconName } from '../../shared/components/Icon'
import type { PanelProps } from '../../shared/components/Panel'
import { lazyPreload } from '../../shared/session/lazy-preload'
import { activityTexts } from '../activity/texts'
import { filesPanelTexts } from '../file/texts'
import { linksTexts } from '../link/texts'
import { participantsTexts } from '../participant/texts'
import { searchTexts } from '../search/texts'
import { summaryTexts } from '../summary/texts'
import { threadPanelTexts } from '../thread/texts'

interface PanelEntry {
  /** As in `?panel=people`. */
  readonly id: string
  readonly icon: IconName
  readonly label: string
  readonly panel: ComponentType<PanelProps>
}

/** The panels of a space. Add a new one here. */
export const PANELS: readonly PanelEntry[] = [
  {
    id: 'people',
    icon: 'people',
    label: participantsTexts.title,
    panel: lazyPreload(async () => (await import('../participant/ParticipantsPanel')).ParticipantsPanel),
  },
  {
    id: 'threads',
    icon: 'thread',
    label: threadPanelTexts.threads,
    panel: lazyPreload(async () => (await import('../thread/ThreadsPanel')).ThreadsPanel),
  },
  {
    id: 'files',
    icon: 'attach',
    label: filesPanelTexts.title,
    panel: lazyPreload(async () => (await import('../file/FilesPanel')).FilesPanel),
  },
  {
    id: 'search',
    icon: 'search',
    label: searchTexts.title,
    panel: lazyPreload(async () => (await import('../search/SearchPanel')).SearchPanel),
  },
  {
    id: 'summary',
    icon: 'summary',
    label: summaryTexts.title,
    panel: lazyPreload(async () => (await import('../summary/SummaryPanel')).SummaryPanel),
  },
  {
    id: 'activity',
    icon: 'activity',
    label: activityTexts.title,
    panel: lazyPreload(async () => (await import('../activity/ActivityPanel')).ActivityPanel),
  },
  {
    id: 'links',
    icon: 'graph',
    label: linksTexts.title,
    panel: lazyPreload(async () => (await import('../link/LinksPanel')).LinksPanel),
  },
]
