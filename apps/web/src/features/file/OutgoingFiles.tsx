import { sizeInWords } from '../../languages/size'
import { useCell } from '../../shared/cell'
import { UploadState } from './Attachments'
import { FileFace } from './FileFace'
import face from './FileFace.module.css'
import styles from './OutgoingFiles.module.css'
import { fileTexts } from './texts'
import type { AttachedFile } from './upload-queue'
import { uploadsOf } from './upload-queues'

interface OutgoingFilesProps {
  readonly actorId: string
  readonly files: readonly AttachedFile[]
}

/** The files of a message that is being sent, with their progress. */
export function OutgoingFiles({ actorId, files }: OutgoingFilesProps) {
  const queue = uploadsOf(actorId)
  const uploads = useCell(queue.uploads)
  return (
    <ul className={styles.files} aria-label={fileTexts.list}>
      {files.map((file) => {
        const upload = uploads.find(({ key }) => key === file.key)
        return (
          <li key={file.key} className={face.chip}>
            <span className={face.open}>
              <FileFace file={file}>
                {upload ? <UploadState queue={queue} upload={upload} /> : <small>{sizeInWords(file.size)}</small>}
              </FileFace>
            </span>
          </li>
        )
      })}
    </ul>
  )
}
