import { asPoster, lineSpeaker, shownTime } from '@collab-spaces/client'
import { memo } from 'react'
import { Badge } from '../../shared/components/Badge'
import { classes } from '../../shared/components/classes'
import { Icon } from '../../shared/components/Icon'
import { Poster, PosterAvatar } from '../../shared/components/Poster'
import { OneLine } from '../../shared/components/Text'
import { Time } from '../../shared/components/Time'
import { excerptLine } from '../../shared/markdown/excerpt'
import { posterName } from '../../shared/poster'
import { texts } from '../../shared/texts'
import { clockTime } from '../../shared/time'
import event from './EventItem.module.css'
import { Line } from './Line'
import type { TranscriptRow } from './rows'
import styles from './TranscriptItem.module.css'
import { transcriptTexts } from './texts'

interface TranscriptItemProps {
  readonly row: TranscriptRow
  readonly onToggle: (row: TranscriptRow) => void
  readonly isSelected: boolean
}

/** The number of speakers named. */
const MAX_NAMES = 4

/** A transcript as one line of the history: its poster, number of lines, speakers and last line. */
export const TranscriptItem = memo(function TranscriptItem({ row, onToggle, isSelected }: TranscriptItemProps) {
  const { events, unread, isOpen } = row
  const [first] = events
  const last = events.at(-1)
  if (!first || !last) return null
  const words = transcriptTexts
  const names = [...new Set(events.map(lineSpeaker))]
  return (
    <Line
      row={row}
      at={shownTime(first)}
      aria-label={words.row(posterName(first), events.length, clockTime(shownTime(last)))}
      tabIndex={isSelected ? 0 : -1}
    >
      <div className={event.gutter}>
        <PosterAvatar of={first} size="small" />
      </div>
      <div className={event.body}>
        <p className={event.head}>
          <Poster of={asPoster(first)} hasCard />
          <bdi className={styles.speakers}>{words.speakers(names.slice(0, MAX_NAMES), names.length - MAX_NAMES)}</bdi>
          <small className={event.time}>
            <Time at={shownTime(first)} form="clock" />
            {clockTime(shownTime(first)) !== clockTime(shownTime(last)) && (
              <>
                {' – '}
                <Time at={shownTime(last)} form="clock" />
              </>
            )}
          </small>
        </p>
        {!isOpen && (
          <p className={styles.last}>
            <OneLine>{lineSpeaker(last)}</OneLine>: <OneLine>{excerptLine(last)}</OneLine>
          </p>
        )}
        <p className={styles.foot}>
          <button
            type="button"
            className={event.replies}
            data-reach
            aria-expanded={isOpen}
            onClick={() => onToggle(row)}
          >
            <span className={classes(styles.sign, isOpen && styles.open)}>
              <Icon name="chevron" size={14} />
            </span>{' '}
            {words.toggle(events.length, isOpen)}
          </button>
          {unread > 0 && <Badge tone="accent">{texts.counts.unread(unread)}</Badge>}
        </p>
      </div>
    </Line>
  )
})
