import type { ActorKind } from '../components/Avatar'
import { texts } from '../texts'
import { type Speaker, timelineOf } from './marks'
import styles from './Timeline.module.css'

interface TimelineProps {
  readonly speaker: Speaker
  /** The name of the speaker. */
  readonly name: string
  readonly kind: ActorKind
  readonly from: number
  readonly to: number
}

/** In units of the picture, which is as wide as there is room. */
const WIDTH = 1_000
const HEIGHT = 24

/** A line of time with a mark for each message; a band where there are more than are known one by one. */
export function Timeline({ speaker, name, kind, from, to }: TimelineProps) {
  const { marks, earlier, knownFrom } = timelineOf(speaker, from, to)
  return (
    <svg
      className={styles.timeline}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={texts.activity.timeline(name, speaker.event_count)}
    >
      <line className={styles.axis} x1={0} x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      {earlier > 0 && (
        <rect className={styles.band} data-kind={kind} x={0} y={5} width={knownFrom * WIDTH} height={HEIGHT - 10} />
      )}
      {marks.map((mark, index) => {
        const x = mark.at * WIDTH
        // biome-ignore lint/suspicious/noArrayIndexKey: two messages can have the same place
        return <line key={index} className={styles.mark} data-kind={mark.kind} x1={x} x2={x} y1={3} y2={HEIGHT - 3} />
      })}
    </svg>
  )
}
