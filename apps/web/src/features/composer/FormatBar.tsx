import { Toolbar } from '@base-ui/react/toolbar'
import { IconButton } from '../../shared/components/Button'
import { Strokes } from '../../shared/components/Icon'
import styles from './FormatBar.module.css'
import type { Format } from './format'
import { composerTexts } from './texts'

/** The paths of the icons. */
const STROKES = {
  bold: 'M7 5h6a3.500 3.500 0 0 1 0 7H7z M7 12h7a3.500 3.500 0 0 1 0 7H7z',
  italic: 'M10 5h7 M7 19h7 M14 5l-4 14',
  strike: 'M4 12h16 M16 8.500C16 6.500 14.200 5.500 12 5.500S8 6.500 8 8.500 M8 15.500c0 2 1.800 3 4 3s4-1 4-3',
  code: 'M8.500 7.500L4 12l4.500 4.500 M15.500 7.500L20 12l-4.500 4.500',
  list: 'M9 7h11 M9 12h11 M9 17h11 M4.500 7h.01 M4.500 12h.01 M4.500 17h.01',
  numbers:
    'M10 7h10 M10 12h10 M10 17h10 M4 5.500l1.500-.500v4.500 M4 14.800c0-1.300 2.500-1.300 2.500 0S4 16.500 4 18.500h2.700',
  quote: 'M5 6v12 M9 8h11 M9 12h11 M9 16h7',
  eye: 'M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12z M12 9.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5',
} as const

const icon = (name: keyof typeof STROKES) => (
  <Strokes path={STROKES[name]} size={16} isTurning={name === 'list' || name === 'quote'} />
)

/** The formats in the order of their buttons. */
const FORMATS = ['bold', 'italic', 'strike', 'code', 'link', 'list', 'numbers', 'quote'] as const satisfies Format[]

interface FormatBarProps {
  readonly onFormat: (format: Format) => void
  readonly isPreviewed: boolean
  readonly onPreview: (isPreviewed: boolean) => void
}

/** The buttons that format the selection, and the one of the preview. Arrows move between them. */
export function FormatBar({ onFormat, isPreviewed, onPreview }: FormatBarProps) {
  return (
    <Toolbar.Root className={styles.bar} aria-label={composerTexts.formatBar}>
      {FORMATS.map((format) => (
        <Toolbar.Button
          key={format}
          render={
            <IconButton
              size="small"
              icon={format === 'link' ? format : icon(format)}
              label={composerTexts.formats[format]}
            />
          }
          // The field keeps the focus, and a phone its keyboard.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onFormat(format)}
        />
      ))}
      <Toolbar.Button
        render={<IconButton size="small" icon={icon('eye')} label={composerTexts.preview} aria-pressed={isPreviewed} />}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onPreview(!isPreviewed)}
      />
    </Toolbar.Root>
  )
}
