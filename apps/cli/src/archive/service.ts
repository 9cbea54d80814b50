import type { Archive } from './archive.js'
import { readDiscord } from './discord.js'
import { readMattermost } from './mattermost.js'
import type { ArchiveRecord } from './record.js'
import { readSlack } from './slack.js'
import { readZulip } from './zulip.js'

/** A service whose exports can be imported. */
export interface Service {
  readonly name: string
  readonly title: string
  /** What it exports, for the help. */
  readonly exports: string
  /** Reads an export. `path` is its name in failures. */
  readonly read: (archive: Archive, path: string) => AsyncGenerator<ArchiveRecord>
}

export const SERVICES: readonly Service[] = [
  { name: 'slack', title: 'Slack', exports: 'The zip archive that Slack exports, or its folder', read: readSlack },
  {
    name: 'mattermost',
    title: 'Mattermost',
    exports: 'The zip archive or file of lines of a bulk export',
    read: readMattermost,
  },
  { name: 'zulip', title: 'Zulip', exports: 'The tar archive that Zulip exports, or its folder', read: readZulip },
  {
    name: 'discord',
    title: 'Discord',
    exports: 'A file of JSON of DiscordChatExporter, or a folder or zip archive of them',
    read: readDiscord,
  },
]
