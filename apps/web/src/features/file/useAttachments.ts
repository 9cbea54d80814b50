import { LIMITS } from '@collab-spaces/client'
import { type ClipboardEvent, type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { useCell } from '../../shared/cell'
import { toast } from '../../shared/toast'
import { pastedName } from './file-name'
import { attachTexts } from './texts'
import { uploadsOf } from './upload-queues'

interface AttachmentOptions {
  readonly actorId: string
  readonly spaceId: string
  /** Names the draft among those of the account. */
  readonly draft: string
  /** Whether the message can have files. */
  readonly isEnabled: boolean
  /** The composer. Files can be dropped on all of the history or panel in which it is. */
  readonly composer: RefObject<HTMLElement | null>
}

/** The files of a draft: picked, pasted or dropped. */
export function useAttachments({ actorId, spaceId, draft, isEnabled, composer }: AttachmentOptions) {
  const queue = uploadsOf(actorId)
  const uploads = useCell(queue.uploads).filter((upload) => isEnabled && upload.draft === draft)
  const add = (files: readonly File[]) => {
    const room = LIMITS.eventFiles - uploads.length
    if (files.length > room) toast(attachTexts.tooMany(LIMITS.eventFiles), 'bad')
    queue.add(spaceId, draft, files.slice(0, room))
  }
  const onPaste = (event: ClipboardEvent) => {
    const { files } = event.clipboardData
    if (!isEnabled || files.length === 0 || hasOtherText(event.clipboardData)) return
    event.preventDefault()
    const now = new Date()
    add([...files].map((file) => new File([file], pastedName(file.name, now), { type: file.type })))
  }
  const isDropping = useDrop(composer, isEnabled, add)
  return {
    queue,
    uploads,
    add,
    onPaste,
    isDropping,
    hasFailed: uploads.some(({ state }) => state === 'failed'),
    /** Returns the files for the message, which leave the draft. */
    take: () => (uploads.length === 0 ? undefined : queue.take(draft)),
  }
}

/** Returns whether a clipboard has a text, which may come with a picture of itself. Copied files may come with their names. */
function hasOtherText(data: DataTransfer): boolean {
  const names = [...data.files].map(({ name }) => name)
  const lines = data.getData('text/plain').split(/[\r\n]+/)
  return data.types.includes('text/plain') && !lines.every((line) => names.includes(line))
}

/** The element around a composer on which files can be dropped. */
const AREA = 'aside, [data-drop]'

/** Takes files that are dropped around a composer. Returns whether some are above it. */
function useDrop(
  composer: RefObject<HTMLElement | null>,
  isEnabled: boolean,
  onFiles: (files: readonly File[]) => void,
): boolean {
  const [isOver, setIsOver] = useState(false)
  const drop = useEffectEvent(onFiles)
  useEffect(() => {
    if (!isEnabled) return
    const area = () => composer.current?.closest(AREA) ?? composer.current
    const isHere = ({ target }: DragEvent) => target instanceof Node && area()?.contains(target) === true
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') === true
    const onOver = (event: DragEvent) => {
      if (!hasFiles(event)) return
      // Elsewhere, the browser would leave the page for the file.
      event.preventDefault()
      setIsOver(isHere(event))
    }
    const onDrop = (event: DragEvent) => {
      setIsOver(false)
      if (!hasFiles(event)) return
      event.preventDefault()
      if (isHere(event)) drop([...(event.dataTransfer?.files ?? [])])
    }
    const onLeave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setIsOver(false)
    }
    window.addEventListener('dragover', onOver)
    window.addEventListener('drop', onDrop)
    window.addEventListener('dragleave', onLeave)
    return () => {
      window.removeEventListener('dragover', onOver)
      window.removeEventListener('drop', onDrop)
      window.removeEventListener('dragleave', onLeave)
    }
  }, [composer, isEnabled])
  return isOver
}
