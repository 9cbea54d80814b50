import type { ActorKind } from '../../shared/components/Avatar'
import { type Period, type Speaker, timelineOf } from './marks'
import styles from './Timeline.module.css'
import { activityTexts } from './texts'

interface TimelineProps {
  readonly speaker: Speaker
  /** The name of the speaker. */
  readonly name: string
  readonly kind: ActorKind
  readonly period: Period
}

/** In units of the SVG, which scales to the available width. */
const WIDTH = 1_000
const HEIGHT = 24

/** A timeline with a mark for each loaded message, and bars for the counts if there are more. */
export function Timeline({ speaker, name, kind, period }: TimelineProps) {
  const { marks, bars } = timelineOf(speaker, period)
  return (
    <svg
      className={styles.timeline}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={activityTexts.timeline(name, speaker.event_count)}
    >
      <line className={styles.axis} x1={0} x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      {bars.map(({ from, length, height }) => (
        <rect
          key={from}
          className={styles.bar}
          data-kind={kind}
          x={from * WIDTH}
          y={(1 - height) * HEIGHT}
          width={length * WIDTH}
          height={height * HEIGHT}
        />
      ))}
      {marks.map((mark, index) => {
        const x = mark.at * WIDTH
        // biome-ignore lint/suspicious/noArrayIndexKey: two messages can have the same position
        return <line key={index} className={styles.mark} data-kind={mark.kind} x1={x} x2={x} y1={3} y2={HEIGHT - 3} />
      })}
    </svg>
  )
}
