import type { SpaceDetails } from '@collab-spaces/client'
import { Suspense, useState } from 'react'
import { useLocation } from 'wouter'
import { list } from '../../languages/format'
import { copyLink } from '../../shared/browser/copy'
import { useIsNarrow } from '../../shared/browser/media'
import { Avatar } from '../../shared/components/Avatar'
import { Badge } from '../../shared/components/Badge'
import { Button, IconButton } from '../../shared/components/Button'
import { ConfirmDialog } from '../../shared/components/ConfirmDialog'
import { classes } from '../../shared/components/classes'
import { Faces } from '../../shared/components/Faces'
import { Icon } from '../../shared/components/Icon'
import { Menu, MenuItem, MenuSeparator } from '../../shared/components/Menu'
import { NavigationButton } from '../../shared/components/PageBar'
import { Presence } from '../../shared/components/Presence'
import { OneLine } from '../../shared/components/Text'
import { HOME, incomingPath, spacePath } from '../../shared/navigation/paths'
import { useCanManageSpace, useHasScope, useMemberRights } from '../../shared/query/permission'
import { useChangeSeen } from '../../shared/query/seen'
import { useArchiveSpace, useChangeSpace, useJoinSpace, useLeaveSpace } from '../../shared/query/space'
import { STATUS_TONES, spaceIconOf } from '../../shared/query/space-icon'
import { isConversation, useSpaceName } from '../../shared/query/space-name'
import { lazyPreload } from '../../shared/session/lazy-preload'
import { useSession } from '../../shared/session/session'
import { texts } from '../../shared/texts'
import { toastError } from '../../shared/toast'
import { DecisionsLink } from '../decision/DecisionsLink'
import { GoToDate } from './GoToDate'
import { PreferenceItems } from './PreferenceItems'
import { PANELS } from './panels'
import styles from './SpaceHeader.module.css'
import { spaceTexts } from './texts'

const CheckpointDialog = lazyPreload(async () => (await import('./CheckpointDialog')).CheckpointDialog)
const EditSpace = lazyPreload(async () => (await import('./EditSpace')).EditSpace)

interface SpaceHeaderProps {
  readonly spaceId: string
  readonly space: SpaceDetails | undefined
  /** The ID of the open panel. */
  readonly panelId: string | null
  readonly onPanel: (id: string) => void
  /** Jumps to the first event from a time on; returns false if there is none. */
  readonly onTime: (time: string) => Promise<boolean>
}

/** The number of avatars. */
const MAX_AVATARS = 4

export function SpaceHeader({ spaceId, space, panelId, onPanel, onTime }: SpaceHeaderProps) {
  const { account } = useSession()
  const join = useJoinSpace(spaceId)
  const participants = space?.participants ?? []
  const isIn = participants.some(({ actor_id }) => actor_id === account.actorId)
  const partners = isConversation(spaceId)
    ? participants.filter(({ actor_id }) => actor_id !== account.actorId)
    : undefined
  const name = useSpaceName(spaceId)
  const words = spaceTexts
  // On a phone, the panels move to the menu to leave room for the name.
  const [panelsHere, panelsInMenu] = useIsNarrow() ? [[], PANELS] : [PANELS, []]
  return (
    <header className={styles.header}>
      <NavigationButton />
      <div className={styles.titles}>
        <h1 className={styles.title}>
          {partners ? <Faces actors={partners} size="small" /> : <Icon name={spaceIconOf(spaceId, space)} size={16} />}
          <OneLine>{name}</OneLine>
          {partners && <Presence of={partners} />}
          {space && space.status !== 'active' && (
            <Badge tone={STATUS_TONES[space.status]}>{texts.spaceStatus[space.status]}</Badge>
          )}
        </h1>
        {space?.description && (
          <small>
            <OneLine>{space.description}</OneLine>
          </small>
        )}
      </div>
      {!partners && (
        <span className={styles.faces} title={list(participants.map(({ name }) => name))}>
          {participants.slice(0, MAX_AVATARS).map(({ participant_id, name, participant_type, is_present }) => (
            <Avatar
              key={participant_id}
              id={participant_id}
              name={name}
              kind={participant_type}
              size="small"
              isPresent={is_present}
            />
          ))}
          {participants.length > MAX_AVATARS && <small>+{participants.length - MAX_AVATARS}</small>}
        </span>
      )}
      {space && !isIn && space.status !== 'archived' && (
        <Button
          size="small"
          look="primary"
          isBusy={join.isPending}
          onClick={() => join.mutate(undefined, { onError: toastError })}
        >
          {words.join}
        </Button>
      )}
      <nav className={styles.panels} aria-label={words.panels}>
        <DecisionsLink spaceId={spaceId} />
        {panelsHere.map(({ id, icon, label }) => (
          <IconButton
            key={id}
            className={classes(panelId === id && styles.open)}
            icon={icon}
            label={label}
            aria-pressed={panelId === id}
            onClick={() => onPanel(id)}
          />
        ))}
      </nav>
      <SpaceMenu spaceId={spaceId} space={space} name={name} onTime={onTime} panels={panelsInMenu} onPanel={onPanel} />
    </header>
  )
}

interface SpaceMenuProps extends Pick<SpaceHeaderProps, 'spaceId' | 'space' | 'onTime' | 'onPanel'> {
  readonly name: string
  readonly panels: typeof PANELS
}

function SpaceMenu({ spaceId, space, name, onTime, panels, onPanel }: SpaceMenuProps) {
  const [dialog, setDialog] = useState<'date' | 'proof' | 'edit' | 'leave' | 'archive' | null>(null)
  const archive = useArchiveSpace(spaceId)
  const leave = useLeaveSpace(spaceId)
  const changeSeen = useChangeSeen(spaceId)
  const { account } = useSession()
  const [, navigate] = useLocation()
  const isIn = space?.participants.some(({ actor_id }) => actor_id === account.actorId) ?? false
  const canManage = useCanManageSpace(space)
  const hasWriteScope = useHasScope('write')
  const { isGuest } = useMemberRights()
  const words = spaceTexts
  // A participant that was added by another one returns only that way.
  const isAdmitted = space?.visibility === 'private' || isGuest
  const close = () => setDialog(null)
  const markUnread = () => {
    // The open history would mark it as read at once.
    navigate(HOME)
    changeSeen.mutate(false, { onError: toastError })
  }
  return (
    <>
      <Menu trigger={<IconButton icon="more" label={words.menu} />}>
        {panels.map(({ id, icon, label }) => (
          <MenuItem key={id} icon={icon} onSelect={() => onPanel(id)}>
            {label}
          </MenuItem>
        ))}
        {panels.length > 0 && <MenuSeparator />}
        <MenuItem icon="calendar" onSelect={() => setDialog('date')}>
          {words.goToDate}
        </MenuItem>
        <MenuItem icon="link" onSelect={() => void copyLink(spacePath(spaceId))}>
          {texts.copyLink}
        </MenuItem>
        <MenuItem icon="lock" onSelect={() => setDialog('proof')}>
          {words.proof}
        </MenuItem>
        {space && space.event_count > 0 && (
          <MenuItem icon="inbox" onSelect={markUnread}>
            {words.markUnread}
          </MenuItem>
        )}
        {space && hasWriteScope && <PreferenceItems space={space} />}
        {isIn && hasWriteScope && (
          <>
            <MenuSeparator />
            <MenuItem icon="signOut" onSelect={() => setDialog('leave')}>
              {words.leave}
            </MenuItem>
          </>
        )}
        {space && space.status !== 'archived' && canManage && (
          <>
            <MenuSeparator />
            <ManageItems space={space} onEdit={() => setDialog('edit')} onArchive={() => setDialog('archive')} />
          </>
        )}
      </Menu>
      <GoToDate isOpen={dialog === 'date'} onClose={close} onTime={onTime} />
      <Suspense>
        {dialog === 'proof' && <CheckpointDialog spaceId={spaceId} onClose={close} />}
        {dialog === 'edit' && space && <EditSpace onClose={close} space={space} />}
      </Suspense>
      <ConfirmDialog
        isOpen={dialog === 'leave'}
        onClose={close}
        title={words.leaveTitle(name)}
        text={
          isConversation(spaceId) ? words.leaveConversationText : isAdmitted ? words.leavePrivateText : words.leaveText
        }
        confirm={words.leaveConfirm}
        request={leave}
        onConfirm={() => leave.mutate(undefined, { onSuccess: () => navigate(HOME) })}
      />
      <ConfirmDialog
        isOpen={dialog === 'archive'}
        onClose={close}
        title={words.archiveTitle}
        text={words.archiveText}
        confirm={words.archiveConfirm}
        request={archive}
        onConfirm={() => archive.mutate(undefined, { onSuccess: close })}
      />
    </>
  )
}

interface ManageItemsProps {
  readonly space: SpaceDetails
  readonly onEdit: () => void
  readonly onArchive: () => void
}

/** The entries of the menu for those who may change the space. */
function ManageItems({ space: { space_id, status }, onEdit, onArchive }: ManageItemsProps) {
  const change = useChangeSpace(space_id)
  const [, navigate] = useLocation()
  const isActive = status === 'active'
  const words = spaceTexts
  return (
    <>
      <MenuItem icon="settings" onSelect={onEdit}>
        {words.edit}
      </MenuItem>
      {!isConversation(space_id) && (
        <MenuItem icon="webhook" onSelect={() => navigate(incomingPath(space_id))}>
          {words.incoming}
        </MenuItem>
      )}
      <MenuItem
        icon={isActive ? 'pause' : 'play'}
        onSelect={() => change.mutate({ status: isActive ? 'paused' : 'active' }, { onError: toastError })}
      >
        {isActive ? words.pause : texts.activate}
      </MenuItem>
      <MenuItem icon="archive" isDanger onSelect={onArchive}>
        {words.archive}
      </MenuItem>
    </>
  )
}
