import type { EventFile } from '@collab-spaces/client'
import { sizeInWords } from '../../languages/size'
import { IconButton } from '../../shared/components/Button'
import { classes } from '../../shared/components/classes'
import { useDownload, useFile } from '../../shared/query/file'
import { toastError } from '../../shared/toast'
import { FileFace } from './FileFace'
import styles from './FileFace.module.css'
import { typeInWords } from './file-kind'
import { goneOf } from './gone'
import { fileTexts } from './texts'

interface FileChipProps {
  readonly spaceId: string
  readonly file: EventFile
  readonly onOpen: () => void
}

/** A file that is not shown in place: its icon, name, type and size, which open it, and its download. */
export function FileChip({ spaceId, file, onOpen }: FileChipProps) {
  const { file_id, name, size } = file
  const gone = goneOf(useFile(spaceId, file_id))
  const download = useDownload(spaceId)
  return (
    <div className={classes(styles.chip, gone !== null && styles.gone)}>
      <button type="button" className={styles.open} title={name} onClick={onOpen}>
        <FileFace file={file}>
          <small>
            {typeInWords(file)} · {gone === null ? sizeInWords(size) : fileTexts.gone[gone]}
          </small>
        </FileFace>
      </button>
      {gone === null && (
        <IconButton
          icon="download"
          label={fileTexts.downloadNamed(name)}
          disabled={download.isPending}
          onClick={() => download.mutate(file, { onError: toastError })}
        />
      )}
    </div>
  )
}
