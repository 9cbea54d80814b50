import type { InboxOwner, NotificationRecord } from '@collab-spaces/db'
import { conflict, NOTIFICATION_LINK_MS, RetryLater, VERIFICATION_REST_S } from '@collab-spaces/domain'
import type { Mailer } from './mailer.js'
import type { Services } from './services.js'

/** The meaning of a link in a message. */
export interface ChannelLink {
  readonly scope: string
  readonly channel_id: string
}

export function linkTo(
  { signIn }: Pick<Services, 'signIn'>,
  purpose: 'verify' | 'unsubscribe',
  { scope, channelId }: { readonly scope: string; readonly channelId: string },
  now: Date,
): string {
  const link: ChannelLink = { scope, channel_id: channelId }
  const expiresAt = new Date(now.getTime() + NOTIFICATION_LINK_MS[purpose])
  const sealed = signIn.seals.seal(`notifications ${purpose}`, { ...link }, expiresAt)
  return new URL(`/notifications/${purpose}/${sealed}`, signIn.site()).href
}

/** 409 if this server sends no mail. */
export function requireMailer({ mailer }: Pick<Services, 'mailer'>): Mailer {
  if (!mailer) throw conflict('This server sends no e-mail: the operator has to set SMTP_URL', { error: 'no_mail' })
  return mailer
}

/** Asks an address whether it is its owner's, unless it has said so. 429 if it was asked a moment ago. */
export async function askToVerify(
  services: Services,
  owner: InboxOwner,
  { channels }: NotificationRecord,
): Promise<void> {
  const channel = channels.find(({ kind, verifiedAt }) => kind === 'email' && verifiedAt === null)
  if (!channel) return
  const mailer = requireMailer(services)
  const now = new Date()
  const link = linkTo(services, 'verify', { ...owner, channelId: channel.channelId }, now)
  if (!(await services.database.notifications.asking(owner, channel.channelId, now))) throw askedAlready()
  const text = `Somebody who uses Collaboration Spaces at ${services.signIn.site()} wants to be told by e-mail at this address
of what waits for them. If that was you, confirm it within a day:

${link}

If it was not, do nothing: nothing more is sent.
`
  const subject = 'Confirm your e-mail address'
  await mailer
    .send({ id: `${channel.channelId}.${now.getTime()}`, to: channel.address, subject, text, unsubscribe: null })
    .catch(() => {
      throw new RetryLater(
        'unavailable',
        'The server for e-mail did not take the message; try again shortly',
        VERIFICATION_REST_S,
      )
    })
}

const askedAlready = () =>
  new RetryLater(
    'too_many',
    'This address was sent a link a moment ago; wait before the next',
    VERIFICATION_REST_S,
    'rate_limit',
  )
