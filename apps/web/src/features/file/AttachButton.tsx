import { LIMITS } from '@collab-spaces/client'
import { useRef } from 'react'
import { useCell } from '../../shared/cell'
import { IconButton } from '../../shared/components/Button'
import { attachTexts } from './texts'
import { fileLimit } from './upload-queue'

/** A button that picks files. A phone offers its camera, too. */
export function AttachButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const limit = useCell(fileLimit)
  return (
    <>
      <IconButton
        icon="attach"
        label={attachTexts.attach}
        title={`${attachTexts.attach}. ${attachTexts.hint(LIMITS.eventFiles, limit)}`}
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={attachTexts.attach}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          // The same file can be picked again.
          currentTarget.value = ''
        }}
      />
    </>
  )
}
