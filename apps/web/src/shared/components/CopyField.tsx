import { useId, useRef, useState } from 'react'
import { copyText } from '../browser/copy'
import { texts } from '../texts'
import { Button } from './Button'
import styles from './CopyField.module.css'
import field from './Field.module.css'
import { VisuallyHidden } from './Text'

interface CopyFieldProps {
  readonly label: string
  readonly value: string
}

/** A read-only field with a copy button, such as for a key. Shows all of its text. */
export function CopyField({ label, value }: CopyFieldProps) {
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const [isCopied, setIsCopied] = useState(false)

  const copy = async () => {
    area.current?.select()
    await copyText(value)
    setIsCopied(true)
  }
  return (
    <div className={field.field}>
      <label className={field.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.row}>
        <textarea
          ref={area}
          id={id}
          className={styles.value}
          dir="ltr"
          value={value}
          readOnly
          spellCheck={false}
          autoComplete="off"
          onFocus={(event) => event.target.select()}
        />
        <Button icon={isCopied ? 'check' : 'copy'} onClick={copy}>
          {isCopied ? texts.copied : texts.copy}
        </Button>
      </div>
      <VisuallyHidden>
        <span role="status">{isCopied ? texts.copied : ''}</span>
      </VisuallyHidden>
    </div>
  )
}
