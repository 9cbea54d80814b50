import { type ReactNode, useState } from 'react'
import { Button } from '../../shared/components/Button'
import styles from './Clamped.module.css'
import { historyTexts } from './texts'

/** Longer texts are clamped. */
const LONG_TEXT = 3_000
const LONG_LINES = 40

const isLong = (text: string) => text.length > LONG_TEXT || text.split('\n', LONG_LINES + 1).length > LONG_LINES

/** Clamps a long text until the reader expands it. */
export function Clamped({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  const [isOpen, setIsOpen] = useState(false)
  if (!isLong(text)) return children
  return (
    <>
      <div className={isOpen ? undefined : styles.clamped}>{children}</div>
      <Button look="plain" size="small" onClick={() => setIsOpen(!isOpen)} aria-expanded={isOpen}>
        {isOpen ? historyTexts.showLess : historyTexts.showMore}
      </Button>
    </>
  )
}
