import type { File } from '@collab-spaces/client'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { sizeInWords } from '../../languages/size'
import { Button, IconButton } from '../../shared/components/Button'
import { ConfirmDialog } from '../../shared/components/ConfirmDialog'
import { classes } from '../../shared/components/classes'
import { EmptyState } from '../../shared/components/EmptyState'
import { Loaded } from '../../shared/components/Loaded'
import { Menu, MenuItem, MenuSeparator } from '../../shared/components/Menu'
import { Panel, type PanelProps } from '../../shared/components/Panel'
import { Time } from '../../shared/components/Time'
import { pathFrom } from '../../shared/navigation/paths'
import { useDeleteFile, useDownload, useFiles } from '../../shared/query/file'
import { useNames } from '../../shared/query/names'
import { useCanManageSpace, useHasScope } from '../../shared/query/permission'
import { useSpace } from '../../shared/query/space'
import { useSession } from '../../shared/session/session'
import { toastError } from '../../shared/toast'
import { FileFace } from './FileFace'
import face from './FileFace.module.css'
import styles from './FilesPanel.module.css'
import { FileViewer } from './FileViewer'
import { typeInWords } from './file-kind'
import { goneOf } from './gone'
import { filesPanelTexts, fileTexts } from './texts'

/** The files of a space, newest first. */
export function FilesPanel({ spaceId, onClose }: PanelProps) {
  const query = useFiles(spaceId)
  const [openId, setOpenId] = useState<string | null>(null)
  const [deleting, setDeleting] = useState<File | null>(null)
  const words = filesPanelTexts
  return (
    <Panel title={words.title} onClose={onClose}>
      <Loaded query={query} rows={4}>
        {(files) =>
          files.length === 0 ? (
            <EmptyState icon="attach" title={words.emptyTitle}>
              {words.emptyText}
            </EmptyState>
          ) : (
            <>
              <ul className={styles.files} aria-label={words.list}>
                {files.map((file) => (
                  <Row
                    key={file.file_id}
                    file={file}
                    onOpen={() => setOpenId(file.file_id)}
                    onDelete={() => setDeleting(file)}
                  />
                ))}
              </ul>
              {query.hasNextPage && (
                <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  {words.more}
                </Button>
              )}
              {openId !== null && (
                <FileViewer
                  spaceId={spaceId}
                  files={files.map(({ sha256, ...file }) => ({ ...file, sha256: sha256 ?? '' }))}
                  fileId={openId}
                  onFile={setOpenId}
                  onClose={() => setOpenId(null)}
                />
              )}
            </>
          )
        }
      </Loaded>
      {deleting && <DeleteFile file={deleting} onClose={() => setDeleting(null)} />}
    </Panel>
  )
}

interface RowProps {
  readonly file: File
  readonly onOpen: () => void
  readonly onDelete: () => void
}

function Row({ file, onOpen, onDelete }: RowProps) {
  const { space_id, name, size, uploaded_by, created_at, event_id } = file
  const { nameOf } = useNames(space_id)
  const words = filesPanelTexts
  const isErased = file.sha256 === null
  const shownName = isErased ? fileTexts.erasedName : name
  const gone = goneOf({ data: file, error: null })
  return (
    <li className={classes(styles.row, gone !== null && face.gone)}>
      <button type="button" className={face.open} title={shownName} disabled={isErased} onClick={onOpen}>
        <FileFace file={file} name={shownName}>
          <small>
            <bdi>{nameOf(uploaded_by)}</bdi> · <Time at={created_at} form="moment" />
          </small>{' '}
          <small>
            {gone === null ? `${typeInWords(file)} · ${sizeInWords(size)}` : fileTexts.gone[gone]}
            {event_id === null && ` · ${words.unsent}`}
          </small>
        </FileFace>
      </button>
      <Actions file={file} name={shownName} isGone={gone !== null} onDelete={onDelete} />
    </li>
  )
}

interface ActionsProps extends Pick<RowProps, 'file' | 'onDelete'> {
  readonly name: string
  readonly isGone: boolean
}

function Actions({ file, name, isGone, onDelete }: ActionsProps) {
  const { space_id: spaceId, uploaded_by, event_id } = file
  const { account } = useSession()
  const [, navigate] = useLocation()
  const { data: space } = useSpace(spaceId)
  const isOwner = useCanManageSpace(space)
  const hasWriteScope = useHasScope('write')
  const download = useDownload(spaceId)
  const words = filesPanelTexts
  const canDelete = hasWriteScope && !isGone && (isOwner || uploaded_by === account.actorId)
  if (isGone && event_id === null) return null
  return (
    <Menu trigger={<IconButton icon="more" label={words.actions(name)} />}>
      {event_id !== null && (
        <MenuItem icon="thread" onSelect={() => navigate(pathFrom('files', spaceId, event_id))}>
          {words.toMessage}
        </MenuItem>
      )}
      {!isGone && (
        <MenuItem icon="download" onSelect={() => download.mutate(file, { onError: toastError })}>
          {fileTexts.download}
        </MenuItem>
      )}
      {canDelete && (
        <>
          <MenuSeparator />
          <MenuItem icon="trash" isDanger onSelect={onDelete}>
            {words.delete}
          </MenuItem>
        </>
      )}
    </Menu>
  )
}

function DeleteFile({ file, onClose }: { readonly file: File; readonly onClose: () => void }) {
  const remove = useDeleteFile(file)
  const { deleteTitle, deleteText, deleteConfirm } = filesPanelTexts
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={deleteTitle(file.name)}
      text={deleteText}
      confirm={deleteConfirm}
      request={remove}
      onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
    />
  )
}
