import { ConfirmDialog } from '../components/ConfirmDialog'
import { useArchiveSpace } from '../query/space'
import { texts } from '../texts'

interface ArchiveSpaceProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly spaceId: string
}

export function ArchiveSpace({ isOpen, onClose, spaceId }: ArchiveSpaceProps) {
  const archive = useArchiveSpace(spaceId)
  const { archiveTitle, archiveText, archiveConfirm } = texts.space
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={archiveTitle}
      text={archiveText}
      confirm={archiveConfirm}
      asked={archive}
      onConfirm={() => archive.mutate(undefined, { onSuccess: onClose })}
    />
  )
}
