import { isVisible } from '@collab-spaces/client'
import { useEffect, useRef } from 'react'
import { sizeInWords } from '../../languages/size'
import { useCell } from '../../shared/cell'
import { IconButton } from '../../shared/components/Button'
import { classes } from '../../shared/components/classes'
import { VisuallyHidden } from '../../shared/components/Text'
import { connectivity } from '../../shared/session/connectivity'
import styles from './Attachments.module.css'
import { FileFace } from './FileFace'
import face from './FileFace.module.css'
import { kindOf } from './file-kind'
import { attachTexts } from './texts'
import type { Upload, UploadQueue } from './upload-queue'

interface AttachmentsProps {
  readonly queue: UploadQueue
  readonly uploads: readonly Upload[]
  /** The text of the message, without which its files are not sent. */
  readonly text: string
}

/** The files of a message that is being written, with their progress. */
export function Attachments({ queue, uploads, text }: AttachmentsProps) {
  if (uploads.length === 0) return null
  const done = uploads.filter(({ state }) => state === 'done').length
  const hint = uploads.some(({ state }) => state === 'failed')
    ? attachTexts.hasFailed
    : isVisible(text)
      ? null
      : attachTexts.needsText
  return (
    <div className={styles.attachments}>
      <ul className={styles.list} aria-label={attachTexts.list}>
        {uploads.map((upload) => (
          <li key={upload.key} className={classes(face.chip, styles.item)} data-state={upload.state}>
            <Attachment queue={queue} upload={upload} />
          </li>
        ))}
      </ul>
      <p className={styles.hint} role="status">
        {hint}
        <VisuallyHidden>{attachTexts.status(done, uploads.length)}</VisuallyHidden>
      </p>
    </div>
  )
}

interface AttachmentProps {
  readonly queue: UploadQueue
  readonly upload: Upload
}

function Attachment({ queue, upload }: AttachmentProps) {
  const { key, name, state } = upload
  return (
    <>
      <span className={face.open}>
        <FileFace
          file={upload}
          picture={kindOf(upload) === 'image' ? <Thumbnail queue={queue} upload={upload} /> : undefined}
        >
          <UploadState queue={queue} upload={upload} />
        </FileFace>
      </span>
      {state === 'failed' && (
        <IconButton size="small" icon="refresh" label={attachTexts.retry(name)} onClick={() => queue.retry(key)} />
      )}
      <IconButton
        size="small"
        icon="close"
        label={state === 'uploading' ? attachTexts.cancel(name) : attachTexts.remove(name)}
        onClick={() => queue.remove([key])}
      />
    </>
  )
}

/** How far an upload is, in words and as a bar. */
export function UploadState({ queue, upload }: AttachmentProps) {
  const { key, name, size, state, failure } = upload
  const sent = useCell(queue.progress).get(key) ?? 0
  const isReached = useCell(connectivity) === 'reached'
  if (state === 'failed') return <small className={styles.failure}>{failure}</small>
  if (state === 'waiting') return <small>{isReached ? attachTexts.waiting : attachTexts.waitsForConnection}</small>
  if (state === 'done') return <small>{`${sizeInWords(size)} · ${attachTexts.uploaded}`}</small>
  return (
    <>
      <small>{attachTexts.progress(sent, size)}</small>
      <progress className={styles.bar} value={sent} max={Math.max(size, 1)} aria-label={attachTexts.uploading(name)} />
    </>
  )
}

/** The width and height of a thumbnail in pixels of most screens. */
const THUMBNAIL_PX = 80

/** An image that is not uploaded yet. The content security policy allows no address of it, but a canvas. */
function Thumbnail({ queue, upload: { key } }: AttachmentProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    let isLeft = false
    const draw = async () => {
      const blob = await queue.blobOf(key)
      const image = blob && (await createImageBitmap(blob))
      const { current } = canvas
      const context = current?.getContext('2d')
      if (!image || !context || isLeft) return
      const scale = THUMBNAIL_PX / Math.min(image.width, image.height)
      const [width, height] = [image.width * scale, image.height * scale]
      context.drawImage(image, (THUMBNAIL_PX - width) / 2, (THUMBNAIL_PX - height) / 2, width, height)
      image.close()
    }
    // What is no image stays blank.
    void draw().catch(() => undefined)
    return () => {
      isLeft = true
    }
  }, [queue, key])
  return <canvas ref={canvas} className={styles.picture} width={THUMBNAIL_PX} height={THUMBNAIL_PX} />
}
