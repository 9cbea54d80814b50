import type { EventFile } from '@collab-spaces/client'
import { Icon } from '../../shared/components/Icon'
import { OneLine } from '../../shared/components/Text'
import { useFile } from '../../shared/query/file'
import { goneOf } from './gone'
import styles from './ImageTile.module.css'
import { fileTexts } from './texts'
import { useImage } from './useImage'

interface ImageTileProps {
  readonly spaceId: string
  readonly file: EventFile
  readonly onOpen: () => void
}

/** An image in place. Its height is known before it loads, so that nothing moves. */
export function ImageTile({ spaceId, file, onOpen }: ImageTileProps) {
  const { file_id, name } = file
  const image = useImage(spaceId, file_id)
  const gone = goneOf(useFile(spaceId, file_id))
  const problem = gone === null ? image.problem : fileTexts.gone[gone]
  return (
    <button
      type="button"
      className={styles.tile}
      aria-label={problem === null ? fileTexts.open(name) : `${fileTexts.open(name)}: ${problem}`}
      title={name}
      onClick={onOpen}
    >
      {problem !== null ? (
        <span className={styles.problem}>
          <Icon name="image" size={24} />
          <OneLine>{name}</OneLine>
          <small>{problem}</small>
        </span>
      ) : (
        image.src !== null && (
          <img src={image.src} alt="" loading="lazy" decoding="async" onLoad={image.onLoad} onError={image.onError} />
        )
      )}
    </button>
  )
}
