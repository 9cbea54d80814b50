import { sizeInWords } from '../../languages/size'
import { useCell } from '../../shared/cell'
import { Icon } from '../../shared/components/Icon'
import { OneLine } from '../../shared/components/Text'
import { UploadState } from './Attachments'
import chip from './FileChip.module.css'
import { iconOf } from './file-kind'
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
          <li key={file.key} className={chip.chip}>
            <span className={chip.open}>
              <span className={chip.icon}>
                <Icon name={iconOf(file)} size={20} />
              </span>
              <span className={chip.words}>
                <OneLine className={chip.name}>{file.name}</OneLine>
                {upload ? <UploadState queue={queue} upload={upload} /> : <small>{sizeInWords(file.size)}</small>}
              </span>
            </span>
          </li>
        )
      })}
    </ul>
  )
}
