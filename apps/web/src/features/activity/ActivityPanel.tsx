import { type Activity, shownTime } from '@collab-spaces/client'
import { useState } from 'react'
import { Link } from 'wouter'
import { list } from '../../languages/format'
import { kindOf } from '../../shared/components/Avatar'
import { EmptyState } from '../../shared/components/EmptyState'
import { SelectField } from '../../shared/components/Field'
import { Loaded } from '../../shared/components/Loaded'
import { Panel, type PanelProps } from '../../shared/components/Panel'
import { Poster, PosterAvatar } from '../../shared/components/Poster'
import { OneLine } from '../../shared/components/Text'
import { Time } from '../../shared/components/Time'
import { excerptOf } from '../../shared/markdown/excerpt'
import { pathFrom } from '../../shared/navigation/paths'
import { posterInWords } from '../../shared/poster'
import { useActivity } from '../../shared/query/activity'
import { useNames } from '../../shared/query/names'
import { texts } from '../../shared/texts'
import { momentIn } from '../../shared/time'
import styles from './ActivityPanel.module.css'
import { busiest, byCount, otherPosters, type Period, posterOf, type Speaker } from './marks'
import { Timeline } from './Timeline'
import { activityTexts } from './texts'

const HOUR_MS = 3_600_000
const WINDOWS = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS, month: 30 * 24 * HOUR_MS } as const
type Window = keyof typeof WINDOWS

/** A timeline of recent messages for each speaker. */
export function ActivityPanel({ spaceId, onClose }: PanelProps) {
  const [window, setWindow] = useState<Window>('day')
  const query = useActivity(spaceId, WINDOWS[window])
  const words = activityTexts
  return (
    <Panel title={words.title} onClose={onClose}>
      <div className={styles.activity}>
        <SelectField label={texts.period} value={window} options={words.windows} onChange={setWindow} />
        <Loaded query={query} rows={4}>
          {(activity) => <Timelines activity={activity} now={query.dataUpdatedAt} />}
        </Loaded>
      </div>
    </Panel>
  )
}

function Timelines({ activity, now }: { readonly activity: Activity; readonly now: number }) {
  const words = activityTexts
  const all = byCount(activity.participants)
  const speakers = all.filter(({ event_count }) => event_count > 0)
  const silent = all.slice(speakers.length)
  const period = { from: Date.parse(activity.since), to: now, maxCount: busiest(speakers) }
  const total = speakers.reduce((sum, { event_count }) => sum + event_count, 0)
  if (total === 0) {
    return (
      <EmptyState icon="activity" title={words.emptyTitle}>
        {words.emptyText}
      </EmptyState>
    )
  }
  return (
    <>
      <p className={styles.total}>{words.total(total, speakers.length)}</p>
      <ul className={styles.speakers}>
        {speakers.map((speaker) => (
          <li key={speaker.participant_id}>
            <SpeakerTimeline speaker={speaker} spaceId={activity.space_id} period={period} />
          </li>
        ))}
      </ul>
      <p className={styles.axis} aria-hidden="true">
        <span>{momentIn(activity.since, now)}</span>
        <span>{words.now}</span>
      </p>
      {silent.length > 0 && (
        <details className={styles.silent}>
          <summary>{words.silent(silent.length)}</summary>
          <p>{list(silent.map(({ name }) => name))}</p>
        </details>
      )}
    </>
  )
}

interface SpeakerTimelineProps {
  readonly speaker: Speaker
  readonly spaceId: string
  readonly period: Period
}

function SpeakerTimeline({ speaker, spaceId, period }: SpeakerTimelineProps) {
  const { event_count, events } = speaker
  const poster = posterOf(speaker)
  const names = useNames(spaceId)
  // The server sends at least the newest event of each counted speaker.
  if (!poster) return null
  const name = posterInWords(poster)
  const others = otherPosters(speaker, poster)
  const head = (
    <>
      <span className={styles.head}>
        <PosterAvatar of={poster} size="small" />
        <span className={styles.name}>
          <Poster of={poster} isInLine />
          {others.length > 0 && <small className={styles.others}>{activityTexts.also(others)}</small>}
        </span>
        <small className={styles.count}>{texts.counts.events(event_count)}</small>
      </span>
      <Timeline speaker={speaker} name={name} kind={kindOf(poster.posted_by_type)} period={period} />
    </>
  )
  return (
    <details className={styles.speaker}>
      <summary>{head}</summary>
      <ul className={styles.events}>
        {events.toReversed().map((event) => (
          <li key={event.event_id}>
            <Link href={pathFrom('activity', spaceId, event.event_id)}>
              <Time at={shownTime(event)} />
              <span className={styles.words}>
                {posterInWords(event) !== name && <Poster of={event} isInLine />}
                <OneLine>{excerptOf(event, names)}</OneLine>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </details>
  )
}
