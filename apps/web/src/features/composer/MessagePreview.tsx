import { useDeferredValue } from 'react'
import { Markdown } from '../../shared/markdown/Markdown'
import { useSpace } from '../../shared/query/space'
import styles from './FormatBar.module.css'
import { composerTexts } from './texts'

interface MessagePreviewProps {
  readonly spaceId: string
  readonly text: string
}

/** The message as it will be shown. It may lag behind the keys. */
export function MessagePreview({ spaceId, text }: MessagePreviewProps) {
  const { data: space } = useSpace(spaceId)
  const shown = useDeferredValue(text)
  const mentioned = space?.participants.map(({ participant_id, name }) => ({ id: participant_id, name }))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be focusable
    <section className={styles.previewed} aria-label={composerTexts.preview} tabIndex={0}>
      {shown.trim() === '' ? <small>{composerTexts.emptyPreview}</small> : <Markdown {...{ text: shown, mentioned }} />}
    </section>
  )
}
