import { databaseClock, type NotificationRecord } from '@collab-spaces/db'
import { conflict, NOTIFICATION_LINK_MS } from '@collab-spaces/domain'
import type { Slot } from '@collab-spaces/fair'
import type { Mailer } from './mailer.js'
import type { Caller } from './procedure/credential.js'
import type { Services } from './services.js'
import { elsewhere } from './webhooks.js'

/** The content of a sealed link in a message. */
export interface ChannelLink {
  readonly tenant_id: string
  readonly channel_id: string
}

export function linkTo(
  { signIn }: Pick<Services, 'signIn'>,
  purpose: 'verify' | 'unsubscribe',
  { tenantId, channelId }: { readonly tenantId: string; readonly channelId: string },
  now: Date,
): string {
  const link: ChannelLink = { tenant_id: tenantId, channel_id: channelId }
  const expiresAt = new Date(now.getTime() + NOTIFICATION_LINK_MS[purpose])
  const sealed = signIn.seals.seal(`notifications ${purpose}`, { ...link }, expiresAt)
  return new URL(`/notifications/${purpose}/${sealed}`, signIn.site()).href
}

/** 409 if this server sends no mail. */
export function requireMailer({ mailer }: Pick<Services, 'mailer'>): Mailer {
  if (!mailer) throw conflict('This server sends no e-mail: the operator has to set SMTP_URL', { error: 'no_mail' })
  return mailer
}

/**
 * Sets the e-mail address of a human's notifications, by a change that stores it, and sends a confirmation link unless it
 * is verified. Changes nothing if the address may not receive another link now.
 */
export async function setAddress(
  services: Services,
  slot: Slot,
  caller: Caller,
  email: string,
  change: () => Promise<NotificationRecord>,
): Promise<NotificationRecord> {
  const mailer = requireMailer(services)
  const { channels } = await services.database.notifications.read(caller)
  if (channels.some(({ address, verifiedAt }) => address === email && verifiedAt !== null)) return change()
  const permit = await mailer.permit(caller, email)
  try {
    const changed = await change()
    const channel = changed.channels.find(({ kind }) => kind === 'email')
    if (channel) {
      const link = linkTo(services, 'verify', { ...caller, channelId: channel.channelId }, databaseClock.now())
      const id = `${channel.channelId}.${databaseClock.now().getTime()}`
      await elsewhere(services, slot, () => permit.send({ id, ...confirmation(services.signIn.site(), link) }))
    }
    return changed
  } finally {
    await permit.end()
  }
}

const confirmation = (site: string, link: string) => ({
  subject: 'Confirm your e-mail address',
  text: `A user of Collaboration Spaces at ${site} wants to receive notifications by e-mail
at this address. If that was you, confirm it within a day:

${link}

If it was not, do nothing: no further e-mail is sent.
`,
})
