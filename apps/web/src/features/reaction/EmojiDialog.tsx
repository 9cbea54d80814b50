import { useState } from 'react'
import { Dialog } from '../../shared/components/Dialog'
import { ErrorNote } from '../../shared/components/ErrorNote'
import { TextField } from '../../shared/components/Field'
import { Skeleton } from '../../shared/components/Skeleton'
import { type Emoji, findEmojis, useEmojis } from '../../shared/emoji/emojis'
import { texts } from '../../shared/texts'
import styles from './EmojiDialog.module.css'
import { reactionTexts } from './texts'

/** As many as are seen at once. */
const MAX_FOUND = 64

interface EmojiDialogProps {
  readonly onChoose: (emoji: string) => void
  readonly onClose: () => void
}

/** Chooses any emoji by the words for it. Enter in the field takes the first. */
export function EmojiDialog({ onChoose, onClose }: EmojiDialogProps) {
  const [typed, setTyped] = useState('')
  const { data: emojis, error } = useEmojis()
  const found = emojis && findEmojis(emojis, typed, MAX_FOUND)
  const choose = (one: Emoji | undefined) => {
    if (!one) return
    onChoose(one.emoji)
    onClose()
  }
  return (
    <Dialog isOpen onClose={onClose} title={reactionTexts.title}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          choose(found?.[0])
        }}
      >
        <TextField type="search" label={reactionTexts.search} value={typed} onChange={setTyped} />
        {error && <ErrorNote error={error} />}
        {!found && !error && <Skeleton rows={4} />}
        {found?.length === 0 && <p>{texts.nothingFound}</p>}
        <ul className={styles.emojis} aria-label={texts.emoji}>
          {found?.map((one) => (
            <li key={one.emoji}>
              <button
                type="button"
                className={styles.emoji}
                aria-label={one.name}
                title={one.name}
                onClick={() => choose(one)}
              >
                {one.emoji}
              </button>
            </li>
          ))}
        </ul>
      </form>
    </Dialog>
  )
}
