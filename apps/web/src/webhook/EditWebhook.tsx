import { useState } from 'react'
import { Button } from '../components/Button'
import { Dialog, DialogActions, DialogForm } from '../components/Dialog'
import { ErrorNote } from '../components/ErrorNote'
import { useChangeWebhook, type Webhook } from '../query/webhook'
import { texts } from '../texts'
import { changeOf, contentOf } from './draft'
import { AddressField, PayloadField, TypesField } from './WebhookFields'

/** Sends the same elsewhere, or something else. What a webhook is about stays: for that, there is another one. */
export function EditWebhook({ webhook, onClose }: { readonly webhook: Webhook; readonly onClose: () => void }) {
  const [wish, setWish] = useState(contentOf(webhook))
  const change = useChangeWebhook(webhook.webhook_id)
  const words = texts.editWebhook
  const fields = { wish, onChange: (part: Partial<typeof wish>) => setWish({ ...wish, ...part }) }
  const isOfSpace = webhook.space_id !== null

  const submit = () => {
    change.mutate(changeOf(webhook, wish), { onSuccess: onClose })
  }
  return (
    <Dialog isOpen onClose={onClose} title={words.title} description={words.text}>
      <DialogForm onSubmit={submit}>
        <AddressField {...fields} />
        {isOfSpace && <TypesField {...fields} />}
        <PayloadField {...fields} />
        {change.isError && <ErrorNote error={change.error} />}
        <DialogActions>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button
            look="primary"
            type="submit"
            isBusy={change.isPending}
            disabled={isOfSpace && wish.types.length === 0}
          >
            {texts.save}
          </Button>
        </DialogActions>
      </DialogForm>
    </Dialog>
  )
}
