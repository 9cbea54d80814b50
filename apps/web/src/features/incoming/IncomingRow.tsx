import { useState } from 'react'
import { Badge } from '../../shared/components/Badge'
import { Button, IconButton } from '../../shared/components/Button'
import { ConfirmDialog } from '../../shared/components/ConfirmDialog'
import { ListRow } from '../../shared/components/List'
import { Menu, MenuItem, MenuSeparator } from '../../shared/components/Menu'
import { Time } from '../../shared/components/Time'
import {
  type IncomingWebhook,
  type IncomingWebhookWithSecret,
  useChangeIncomingWebhook,
  useDeleteIncomingWebhook,
  useRotateIncomingSecret,
} from '../../shared/query/incoming-webhook'
import { useSession } from '../../shared/session/session'
import { toastError } from '../../shared/toast'
import { Deliveries } from './Deliveries'
import { IncomingSecret } from './IncomingSecret'
import { incomingTexts } from './texts'

interface IncomingRowProps {
  readonly webhook: IncomingWebhook
  readonly canManage: boolean
}

/** An incoming webhook in the list of its space, with its actions. */
export function IncomingRow({ webhook, canManage }: IncomingRowProps) {
  const [dialog, setDialog] = useState<'deliveries' | 'rotate' | 'delete' | null>(null)
  const [made, setMade] = useState<IncomingWebhookWithSecret | null>(null)
  const { account } = useSession()
  const change = useChangeIncomingWebhook(webhook)
  const rotate = useRotateIncomingSecret(webhook)
  const remove = useDeleteIncomingWebhook(webhook)
  const close = () => setDialog(null)
  const { name, format, sponsor_id, created_at, disabled_at } = webhook
  const isOff = disabled_at !== null
  const words = incomingTexts
  return (
    <ListRow
      icon="webhook"
      title={
        <>
          {name}
          <Badge tone={isOff ? 'bad' : 'good'}>{isOff ? words.disabled : words.active}</Badge>
        </>
      }
      actions={
        <>
          <Button size="small" onClick={() => setDialog('deliveries')}>
            {words.deliveries}
          </Button>
          {canManage && (
            <Menu trigger={<IconButton icon="more" label={words.menu(name)} />}>
              <MenuItem icon={isOff ? 'play' : 'pause'} onSelect={() => change.mutate(!isOff, { onError: toastError })}>
                {isOff ? words.enable : words.disable}
              </MenuItem>
              {sponsor_id === account.actorId && (
                <MenuItem icon="key" onSelect={() => setDialog('rotate')}>
                  {words.rotate}
                </MenuItem>
              )}
              <MenuSeparator />
              <MenuItem icon="close" isDanger onSelect={() => setDialog('delete')}>
                {words.delete}
              </MenuItem>
            </Menu>
          )}
        </>
      }
    >
      <span>
        {words.formats[format]} · {words.created} <Time at={created_at} form="date" />
      </span>
      {dialog === 'deliveries' && <Deliveries webhook={webhook} onClose={close} />}
      <ConfirmDialog
        isOpen={dialog === 'rotate'}
        onClose={close}
        title={words.rotateTitle}
        text={words.rotateText}
        confirm={words.rotateSubmit}
        request={rotate}
        onConfirm={() =>
          rotate.mutate(undefined, {
            onSuccess: (rotated) => {
              close()
              setMade(rotated)
            },
          })
        }
      />
      <ConfirmDialog
        isOpen={dialog === 'delete'}
        onClose={close}
        title={words.deleteTitle(name)}
        text={words.deleteText}
        confirm={words.deleteSubmit}
        request={remove}
        onConfirm={() => remove.mutate(undefined, { onSuccess: close })}
      />
      <IncomingSecret made={made} onDone={() => setMade(null)} />
    </ListRow>
  )
}
