import type { Link } from '@collab-spaces/client'
import { texts } from '../texts'
import { graphOf, shortened } from './graph'
import styles from './LinkGraph.module.css'

const WIDTH = 340
const HEIGHT = 240
/** Leaves room for the words below a node. */
const RADIUS = { x: 115, y: 82 }
const MIDDLE = { x: WIDTH / 2, y: HEIGHT / 2 - 8 }

/** A space and what it links to, as a picture. The same stands in the list below it. */
export function LinkGraph({ spaceId, links }: { readonly spaceId: string; readonly links: readonly Link[] }) {
  const nodes = graphOf(links, RADIUS)
  return (
    <svg
      className={styles.graph}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={texts.links.graph(
        spaceId,
        nodes.map(({ id }) => id),
      )}
    >
      <g transform={`translate(${MIDDLE.x} ${MIDDLE.y})`}>
        {nodes.map(({ id, x, y }) => (
          <line key={id} className={styles.edge} x1={0} y1={0} x2={x} y2={y} />
        ))}
        {nodes.map(({ id, x, y, label, isSpace, types }) => (
          <g key={id} transform={`translate(${x} ${y})`}>
            {isSpace ? (
              <circle className={styles.space} r={9} />
            ) : (
              <rect className={styles.page} x={-8} y={-8} width={16} height={16} rx={3} />
            )}
            <text className={styles.label} y={23}>
              {label}
            </text>
            <title>{`${id}: ${types.join(', ')}`}</title>
          </g>
        ))}
        <circle className={styles.middle} r={13} />
        <text className={styles.here} y={27}>
          {shortened(spaceId)}
        </text>
      </g>
    </svg>
  )
}
