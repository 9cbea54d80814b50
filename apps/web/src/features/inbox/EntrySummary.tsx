import type { ReactNode } from 'react'
import { Badge } from '../../shared/components/Badge'
import { classes } from '../../shared/components/classes'
import { Icon } from '../../shared/components/Icon'
import { Poster, PosterAvatar } from '../../shared/components/Poster'
import { OneLine } from '../../shared/components/Text'
import { Time } from '../../shared/components/Time'
import { excerptOf } from '../../shared/markdown/excerpt'
import { plainText } from '../../shared/markdown/plain'
import { useActorNames } from '../../shared/query/names'
import { useSpaceName } from '../../shared/query/space-name'
import { texts } from '../../shared/texts'
import styles from './EntrySummary.module.css'
import type { Entry, ItemEntry } from './groups'
import { waitingTexts } from './texts'

/** The avatar or icon of an inbox entry. */
export function EntryIcon({ entry }: { readonly entry: Entry }) {
  if (entry.kind === 'item') return <PosterAvatar of={entry.item.event} />
  return (
    <span className={styles.sign}>
      <Icon name={entry.kind === 'decision' ? 'decision' : 'info'} />
    </span>
  )
}

interface EntrySummaryProps {
  readonly entry: Entry
  /** Whether to name the space. */
  readonly hasSpace: boolean
  /** Whether the time ends its first line. */
  readonly hasTime?: boolean
}

/** What happened, and the start of its text. */
export function EntrySummary({ entry, hasSpace, hasTime = false }: EntrySummaryProps) {
  const names = useActorNames()
  return (
    <>
      <span className={classes(styles.head, hasTime && styles.withTime)}>
        <span>
          {headOf(entry, hasTime)} {hasSpace && entry.spaceId !== null && <InSpace spaceId={entry.spaceId} />}
        </span>
        {hasTime && <Time at={entry.at} />}
      </span>
      <OneLine className={styles.text}>
        {entry.kind === 'item' ? excerptOf(entry.item.event, names) : textOf(entry)}
      </OneLine>
    </>
  )
}

const InSpace = ({ spaceId }: { readonly spaceId: string }) => <span>{texts.inSpace(useSpaceName(spaceId))}</span>

function headOf(entry: Entry, isInLine: boolean): ReactNode {
  const waiting = waitingTexts
  if (entry.kind === 'notice') return waiting.notice
  if (entry.kind === 'decision') return <Badge tone="warn">{waiting.toSettle}</Badge>
  const [kind] = entry.item.kinds
  return (
    <>
      <Poster of={entry.item.event} isInLine={isInLine} /> {kind && waiting.kinds[kind]}
    </>
  )
}

export function textOf(entry: Exclude<Entry, ItemEntry>): string {
  if (entry.kind === 'decision') return plainText(entry.decision.text)
  const { kind, earlier } = entry.notice
  const text = waitingTexts.notices[kind] ?? kind
  return earlier > 0 ? `${text} ${waitingTexts.earlier(earlier)}` : text
}
