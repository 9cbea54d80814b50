import { Toolbar } from '@base-ui/react/toolbar'
import { IconButton } from '../../shared/components/Button'
import styles from './FormatBar.module.css'
import type { Format } from './format'
import { composerTexts } from './texts'

/** The formats in the order of their buttons. Their icons have the same names. */
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
          render={<IconButton size="small" icon={format} label={composerTexts.formats[format]} />}
          // The field keeps the focus, and a phone its keyboard.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onFormat(format)}
        />
      ))}
      <Toolbar.Button
        render={<IconButton size="small" icon="eye" label={composerTexts.preview} aria-pressed={isPreviewed} />}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onPreview(!isPreviewed)}
      />
    </Toolbar.Root>
  )
}
