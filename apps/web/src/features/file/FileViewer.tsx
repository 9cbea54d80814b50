import type { EventFile } from '@collab-spaces/client'
import { useEffect } from 'react'
import { sizeInWords } from '../../languages/size'
import { Button, IconButton } from '../../shared/components/Button'
import { Dialog } from '../../shared/components/Dialog'
import { useDownload, useFile } from '../../shared/query/file'
import { toastError } from '../../shared/toast'
import { FilePreview } from './FilePreview'
import styles from './FileViewer.module.css'
import { typeInWords } from './file-kind'
import { goneOf } from './gone'
import { fileTexts, viewerTexts } from './texts'

interface FileViewerProps {
  readonly spaceId: string
  /** The files among which the arrows move. */
  readonly files: readonly EventFile[]
  /** The shown one. */
  readonly fileId: string
  readonly onFile: (fileId: string) => void
  readonly onClose: () => void
}

/** A dialog with the content of a file, as far as the page can show it. */
export function FileViewer({ spaceId, files, fileId, onFile, onClose }: FileViewerProps) {
  const at = files.findIndex(({ file_id }) => file_id === fileId)
  const file = files[at]
  const before = files[at - 1]
  const after = files[at + 1]
  const found = useFile(spaceId, fileId)
  const gone = goneOf(found)
  const download = useDownload(spaceId)
  useArrows({ onBefore: before && (() => onFile(before.file_id)), onAfter: after && (() => onFile(after.file_id)) })
  if (!file) return null
  return (
    <Dialog
      isOpen
      isLarge
      onClose={onClose}
      title={file.name}
      description={
        <span className={styles.facts}>
          {typeInWords(file)} · {gone === null ? sizeInWords(file.size) : fileTexts.gone[gone]}
        </span>
      }
    >
      <FilePreview key={fileId} spaceId={spaceId} file={file} found={found} />
      <footer className={styles.foot}>
        {files.length > 1 && (
          <nav className={styles.arrows} aria-label={fileTexts.list}>
            <IconButton
              icon="back"
              label={viewerTexts.previous}
              disabled={!before}
              onClick={() => before && onFile(before.file_id)}
            />
            <span aria-live="polite">{viewerTexts.at(at + 1, files.length)}</span>
            <IconButton
              icon="forward"
              label={viewerTexts.next}
              disabled={!after}
              onClick={() => after && onFile(after.file_id)}
            />
          </nav>
        )}
        {gone === null && (
          <Button
            icon="download"
            look="primary"
            isBusy={download.isPending}
            onClick={() => download.mutate(file, { onError: toastError })}
          >
            {fileTexts.download}
          </Button>
        )}
      </footer>
    </Dialog>
  )
}

interface Arrows {
  /** Undefined at the first file. */
  readonly onBefore: (() => void) | undefined
  /** Undefined at the last file. */
  readonly onAfter: (() => void) | undefined
}

/** Moves with the arrow keys, unless they scroll the content that has the focus. */
function useArrows({ onBefore, onAfter }: Arrows): void {
  useEffect(() => {
    const onKey = ({ key, target }: KeyboardEvent) => {
      if (target instanceof Element && target.closest('[data-scrolls], pre')) return
      const isForwards = document.documentElement.dir === 'rtl' ? key === 'ArrowLeft' : key === 'ArrowRight'
      if (isForwards) onAfter?.()
      else if (key === 'ArrowLeft' || key === 'ArrowRight') onBefore?.()
    }
    // The dialog keeps the arrow keys to itself.
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [onBefore, onAfter])
}
