import type { Webhook } from '@collab-spaces/client'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { Button, IconButton } from '../../shared/components/Button'
import { ConfirmDialog } from '../../shared/components/ConfirmDialog'
import { ErrorNote } from '../../shared/components/ErrorNote'
import { Menu, MenuItem, MenuSeparator } from '../../shared/components/Menu'
import { SecretDialog } from '../../shared/components/SecretDialog'
import { AGENTS, TENANT } from '../../shared/navigation/paths'
import { useChangeWebhook, useDeleteWebhook, useRotateWebhookSecret, useTestWebhook } from '../../shared/query/webhook'
import { EditWebhook } from './EditWebhook'
import { ReplayDialog } from './ReplayDialog'
import { failureOf } from './state'
import { webhooksTexts, webhookTexts } from './texts'
import styles from './WebhookActions.module.css'

interface WebhookActionsProps {
  readonly webhook: Webhook
  /** Whether this account owns it. Admins may only delete those of other members. */
  readonly isOwn: boolean
}

/** The actions on a webhook. */
export function WebhookActions({ webhook, isOwn }: WebhookActionsProps) {
  const [dialog, setDialog] = useState<'edit' | 'rotate' | 'replay' | 'delete' | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const [, navigate] = useLocation()
  const { webhook_id, disabled_at } = webhook
  const change = useChangeWebhook(webhook_id)
  const test = useTestWebhook(webhook_id)
  const rotate = useRotateWebhookSecret(webhook_id)
  const remove = useDeleteWebhook(webhook_id)
  const close = () => setDialog(null)
  const words = webhookTexts
  const isOff = disabled_at !== null
  return (
    <div className={styles.acts}>
      <div className={styles.buttons}>
        {isOwn && (
          <>
            <Button icon="send" isBusy={test.isPending} onClick={() => test.mutate()}>
              {webhook.verified_at === null ? words.askAgain : words.test}
            </Button>
            <Button icon="settings" onClick={() => setDialog('edit')}>
              {words.edit}
            </Button>
            <Button
              icon={isOff ? 'play' : 'pause'}
              isBusy={change.isPending}
              onClick={() => change.mutate({ disabled: !isOff })}
            >
              {isOff ? words.enable : words.pause}
            </Button>
          </>
        )}
        <Menu trigger={<IconButton icon="more" label={words.menu} />}>
          {isOwn && (
            <>
              <MenuItem icon="refresh" onSelect={() => setDialog('replay')}>
                {words.replay}
              </MenuItem>
              <MenuItem icon="key" onSelect={() => setDialog('rotate')}>
                {words.rotate}
              </MenuItem>
              <MenuSeparator />
            </>
          )}
          <MenuItem icon="close" isDanger onSelect={() => setDialog('delete')}>
            {words.delete}
          </MenuItem>
        </Menu>
      </div>
      <p role="status">
        {test.data &&
          (test.data.ok
            ? words.tested(test.data.status ?? 0, test.data.duration_ms)
            : words.testFailed(failureOf(test.data)))}
      </p>
      {test.isError && <ErrorNote error={test.error} />}
      {change.isError && <ErrorNote error={change.error} />}
      {dialog === 'edit' && <EditWebhook webhook={webhook} onClose={close} />}
      {dialog === 'replay' && <ReplayDialog webhookId={webhook_id} onClose={close} />}
      <ConfirmDialog
        isOpen={dialog === 'rotate'}
        onClose={close}
        title={words.rotateTitle}
        text={words.rotateText}
        confirm={words.rotateSubmit}
        request={rotate}
        onConfirm={() =>
          rotate.mutate(undefined, {
            onSuccess: ({ secret }) => {
              close()
              setSecret(secret)
            },
          })
        }
      />
      <ConfirmDialog
        isOpen={dialog === 'delete'}
        onClose={close}
        title={words.deleteTitle}
        text={words.deleteText}
        confirm={words.deleteSubmit}
        request={remove}
        onConfirm={() => remove.mutate(undefined, { onSuccess: () => navigate(isOwn ? AGENTS : TENANT) })}
      />
      <SecretDialog secret={secret} {...webhooksTexts.secret} onDone={() => setSecret(null)} />
    </div>
  )
}
