import { classes } from './classes'
import styles from './Icon.module.css'

/** The path of each icon, on a grid of 24. */
const STROKES = {
  activity: 'M3 12h4l3-7 4 14 3-7h4',
  agent:
    'M12 3v3 M5 9.5A3.5 3.5 0 0 1 8.5 6h7A3.5 3.5 0 0 1 19 9.5v6a3.5 3.5 0 0 1-3.5 3.5h-7A3.5 3.5 0 0 1 5 15.5z M9.5 11.5v1.5 M14.5 11.5v1.5 M2.5 11.5v3 M21.5 11.5v3',
  archive: 'M4 8h16 M5 8v10a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8 M3 5a1 1 0 0 1 1-1h16a1 1 0 0 1 1 1v3H3z M10 12h4',
  arrowDown: 'M12 5v14 M6 13l6 6 6-6',
  arrowUp: 'M12 19V5 M6 11l6-6 6 6',
  attach:
    'M19.500 11.500l-7.800 7.800a5 5 0 0 1-7.070-7.070l8.300-8.300a3.300 3.300 0 0 1 4.670 4.670l-8.300 8.300a1.650 1.650 0 0 1-2.330-2.330l7.400-7.400',
  back: 'M19 12H5 M11 6l-6 6 6 6',
  bell: 'M6.500 16.500v-5a5.500 5.500 0 0 1 11 0v5l1.500 1.500h-14z M10.500 20.500h3 M12 4v2',
  calendar: 'M5 6h14a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1z M4 10.5h16 M8 3.5V8 M16 3.5V8',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  chevron: 'M6 9l6 6 6-6',
  lock: 'M7 10.500h10a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1 M8.500 10.500V8a3.500 3.500 0 0 1 7 0v2.500',
  clock: 'M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17 M12 7.500V12l3 2',
  close: 'M6 6l12 12 M18 6L6 18',
  copy: 'M9 9h9a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H11a2 2 0 0 1-2-2z M15 9V6a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h3',
  decision: 'M12 3v18 M5 7h11l3 2.5L16 12H5z M8 16h9',
  download: 'M12 4v11 M7 11l5 5 5-5 M5 20h14',
  edit: 'M4 20v-4L15.500 4.500l4 4L8 20z M13 7l4 4',
  file: 'M7 3.500h7l4.500 4.500v11.500a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1v-15a1 1 0 0 1 1-1 M13.500 3.500V8.500h5',
  format: 'M3 18l5-12 5 12 M4.700 14h6.600 M21 12v6 M21 15a2.800 2.800 0 1 1-5.600 0a2.800 2.800 0 0 1 5.600 0',
  forward: 'M5 12h14 M13 6l6 6-6 6',
  graph:
    'M6 9.5a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5 M18 3.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5 M18 15.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5 M8.200 10.900L15.800 7.100 M8.200 13.100l7.600 3.800',
  home: 'M4 11l8-7 8 7 M6 9.5V19a1 1 0 0 0 1 1h10a1 1 0 0 0 1-1V9.5 M10 20v-5h4v5',
  image:
    'M5 4.500h14a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-13a1 1 0 0 1 1-1 M9 8a1.500 1.500 0 1 0 0 3 1.500 1.500 0 0 0 0-3 M4 17l5-4.500 3 2.500 4-4 4 4',
  inbox: 'M7 5h10l3.500 8v5a1 1 0 0 1-1 1h-15a1 1 0 0 1-1-1v-5z M3.500 13h5a3.500 3.500 0 0 0 7 0h5',
  info: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18 M12 11v5 M12 8v.01',
  keyboard:
    'M4 6h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1z M7 10h.01 M10.5 10h.01 M14 10h.01 M17 10h.01 M8 14h8',
  key: 'M15.5 4a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9 M12 11.5L4 19.5v.5h3v-2h2v-2h2',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7L12 7 M14 10a4 4 0 0 0-6-.4l-3 3A4 4 0 0 0 10.700 18.300L12 17',
  menu: 'M4 7h16 M4 12h16 M4 17h16',
  more: 'M5.500 11.500a.5.5 0 1 0 0 1 .5.5 0 0 0 0-1 M12 11.500a.5.5 0 1 0 0 1 .5.5 0 0 0 0-1 M18.500 11.500a.5.5 0 1 0 0 1 .5.5 0 0 0 0-1',
  pause: 'M9 5v14 M15 5v14',
  people:
    'M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7 M2.500 20a6.500 6.500 0 0 1 13 0 M16 5.300a3.500 3.500 0 0 1 0 6.400 M18 14.500a6.500 6.500 0 0 1 3.500 5.500',
  pin: 'M9 4h6 M10 4v5.500l-3 3.500v1h10v-1l-3-3.500V4 M12 14v6',
  play: 'M7 5l12 7-12 7z',
  plus: 'M12 5v14 M5 12h14',
  refresh: 'M20 12a8 8 0 1 1-2.300-5.700L20 8.500 M20 4v4.500h-4.500',
  reply: 'M10 6l-6 6 6 6 M4 12h9a7 7 0 0 1 7 7',
  retract: 'M8 5L4 9l4 4 M4 9h10.500a5 5 0 0 1 0 10H8',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14 M16 16l4.500 4.500',
  send: 'M12 20V5 M6 10.500L12 4.500l6 6',
  settings: 'M4 7h9 M17 7h3 M4 17h3 M11 17h9 M15 5a2 2 0 1 0 0 4 2 2 0 0 0 0-4 M9 15a2 2 0 1 0 0 4 2 2 0 0 0 0-4',
  smile: 'M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17 M8.500 14a4 4 0 0 0 7 0 M9 9.500v.01 M15 9.500v.01',
  signOut: 'M10 4H6a1 1 0 0 0-1 1v14a1 1 0 0 0 1 1h4 M15 8l4 4-4 4 M19 12h-9',
  space: 'M5 9h15 M4 15h15 M10 4L8 20 M16 4l-2 16',
  summary: 'M6 4h9l4 4v11a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1 M8.500 12h7 M8.500 15.500h4.500',
  table:
    'M5 4.500h14a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-13a1 1 0 0 1 1-1 M4 9.500h16 M4 14.500h16 M10 9.500v10',
  tenant:
    'M5 20V5a1 1 0 0 1 1-1h8a1 1 0 0 1 1 1v15 M15 10h3a1 1 0 0 1 1 1v9 M3 20h18 M8.500 8h3 M8.500 12h3 M8.500 16h3',
  theme: 'M12 4a8 8 0 1 0 0 16z M12 4a8 8 0 0 1 0 16',
  thread: 'M5 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-7l-4 4v-4H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1 M8 9h8 M8 12.500h5',
  webhook:
    'M12 4.500a3 3 0 1 0 0 6 3 3 0 0 0 0-6 M6 14.500a3 3 0 1 0 0 6 3 3 0 0 0 0-6 M18 14.500a3 3 0 1 0 0 6 3 3 0 0 0 0-6 M10.500 10L7.500 14.800 M13.500 10l3 4.800 M9 17.500h6',
  trash: 'M4.500 7h15 M9 7V4.500h6V7 M6.500 7l1 12.500h9l1-12.500 M10 10.500v5.500 M14 10.500v5.500',
  warning: 'M12 4l9 16H3z M12 10v4.500 M12 17.500v.01',
} as const

/** Icons that point along the line, mirrored on right-to-left pages. */
const TURNING: readonly string[] = ['back', 'decision', 'play', 'reply', 'retract', 'signOut'] satisfies IconName[]

export type IconName = keyof typeof STROKES

interface IconProps {
  readonly name: IconName
  /** In pixels at the default text size. */
  readonly size?: number | undefined
}

/** A decorative icon, hidden from screen readers. Text or the label of its container must name it. */
export const Icon = ({ name, size }: IconProps) => (
  <Strokes path={STROKES[name]} size={size} isTurning={TURNING.includes(name)} />
)

interface StrokesProps {
  /** On a grid of 24. */
  readonly path: string
  /** In pixels, at the default size of text. */
  readonly size?: number | undefined
  /** Whether it is mirrored on right-to-left pages. */
  readonly isTurning?: boolean
}

/** An icon like the others that only one feature has. */
export function Strokes({ path, size = 18, isTurning = false }: StrokesProps) {
  // Grows with the text.
  const rem = `${size / 16}rem`
  return (
    <svg
      className={classes(styles.icon, isTurning && styles.turns)}
      width={rem}
      height={rem}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      <path d={path} />
    </svg>
  )
}
