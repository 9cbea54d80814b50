import type { Link } from '@collab-spaces/client'
import { useSpaceNames } from '../../shared/query/space-name'
import { type GraphNode, graphOf, shortened } from './graph'
import styles from './LinkGraph.module.css'
import { linksTexts } from './texts'

const WIDTH = 340
const HEIGHT = 240
/** Leaves room for the label below a node. */
const RADIUS = { x: 115, y: 82 }
/** The position of the link types on an edge, from 0 to 1. */
const AT_KINDS = 0.56
const MIDDLE = { x: WIDTH / 2, y: HEIGHT / 2 - 8 }

/** A graph of a space and its neighbours. The list below it has the same content. */
export function LinkGraph({ spaceId, links }: { readonly spaceId: string; readonly links: readonly Link[] }) {
  const { nodes, more } = graphOf(links, spaceId, RADIUS)
  const nameOf = useSpaceNames()
  const nameOfEnd = ({ id, isSpace }: GraphNode) => (isSpace ? nameOf(id) : id)
  return (
    <svg
      className={styles.graph}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={linksTexts.graph(
        nameOf(spaceId),
        nodes.filter(({ isTarget }) => isTarget).map(nameOfEnd),
        nodes.filter(({ isSource }) => isSource).map(nameOfEnd),
        more,
      )}
    >
      <g transform={`translate(${MIDDLE.x} ${MIDDLE.y})`}>
        {nodes.map(({ id, x, y, isTarget, isSource }) => (
          <g key={id}>
            <line className={styles.edge} x1={0} y1={0} x2={x} y2={y} />
            {isTarget && <Arrow x={x} y={y} at={0.82} />}
            {isSource && <Arrow x={x} y={y} at={0.26} isBack />}
          </g>
        ))}
        {nodes.map(({ id, x, y, kinds }) => (
          <text key={id} className={styles.kinds} x={x * AT_KINDS} y={y * AT_KINDS}>
            {kinds}
          </text>
        ))}
        {nodes.map((node) => (
          <g key={node.id} transform={`translate(${node.x} ${node.y})`}>
            {node.isSpace ? (
              <circle className={styles.space} r={9} />
            ) : (
              <rect className={styles.page} x={-8} y={-8} width={16} height={16} rx={3} />
            )}
            {/* The label is on the far side of the node's line. */}
            <text className={styles.label} y={node.y < 0 ? -15 : 23}>
              {node.isSpace ? shortened(nameOf(node.id)) : node.label}
            </text>
            <title>{`${nameOfEnd(node)}: ${node.types.join(', ')}`}</title>
          </g>
        ))}
        {more > 0 && (
          <text className={styles.more} x={WIDTH / 2 - 10} y={HEIGHT / 2}>
            {linksTexts.more(more)}
          </text>
        )}
        <circle className={styles.middle} r={13} />
        <text className={styles.here} y={27}>
          {shortened(nameOf(spaceId))}
        </text>
      </g>
    </svg>
  )
}

interface ArrowProps {
  /** The end of its line, which starts at the center. */
  readonly x: number
  readonly y: number
  /** The position on the line, from 0 to 1. */
  readonly at: number
  readonly isBack?: boolean
}

function Arrow({ x, y, at, isBack = false }: ArrowProps) {
  const angle = (Math.atan2(y, x) * 180) / Math.PI + (isBack ? 180 : 0)
  return (
    <path
      className={styles.arrow}
      d="M-5 -4 L4 0 L-5 4 z"
      transform={`translate(${x * at} ${y * at}) rotate(${angle})`}
    />
  )
}
