import type { EventFile } from '@collab-spaces/client'
import { Suspense, useState } from 'react'
import { classes } from '../../shared/components/classes'
import { lazyPreload } from '../../shared/session/lazy-preload'
import styles from './EventFiles.module.css'
import { FileChip } from './FileChip'
import { kindOf } from './file-kind'
import { ImageTile } from './ImageTile'
import { fileTexts } from './texts'

const FileViewer = lazyPreload(async () => (await import('./FileViewer')).FileViewer)

interface EventFilesProps {
  readonly spaceId: string
  readonly files: readonly EventFile[]
}

/** The files of an event: images in place, and a line for each other one. */
export function EventFiles({ spaceId, files }: EventFilesProps) {
  const [openId, setOpenId] = useState<string | null>(null)
  const images = files.filter((file) => kindOf(file) === 'image')
  const others = files.filter((file) => kindOf(file) !== 'image')
  // Images come first, as they are shown.
  const inOrder = [...images, ...others]
  return (
    <>
      <ul className={classes(styles.files, images.length > 1 && styles.many)} aria-label={fileTexts.list}>
        {images.map((file) => (
          <li key={file.file_id}>
            <ImageTile spaceId={spaceId} file={file} onOpen={() => setOpenId(file.file_id)} />
          </li>
        ))}
        {others.map((file) => (
          <li key={file.file_id} className={styles.line}>
            <FileChip spaceId={spaceId} file={file} onOpen={() => setOpenId(file.file_id)} />
          </li>
        ))}
      </ul>
      {openId !== null && (
        <Suspense>
          <FileViewer
            spaceId={spaceId}
            files={inOrder}
            fileId={openId}
            onFile={setOpenId}
            onClose={() => setOpenId(null)}
          />
        </Suspense>
      )}
    </>
  )
}
