import { randomBytes } from 'node:crypto'
import { type Bearer, databaseClock, type InviteRecord, type NewInvite } from '@collab-spaces/db'
import {
  cutText,
  DomainError,
  invalid,
  inviteCode,
  inviteExpiry,
  NO_LIMITS,
  nameForStrangers,
  prefixedId,
  requireWithin,
  type TenantId,
  UNVERIFIED_MAIL,
} from '@collab-spaces/domain'
import type { Slot } from '@collab-spaces/fair'
import type { z } from 'zod'
import { requireMailer } from './mail.js'
import type { MailPermit } from './mailer.js'
import { presentCreatedInvite } from './presenters/invite.js'
import { type Caller, hashOf } from './procedure/credential.js'
import { requireAdmitting } from './require-space.js'
import type { InviteOptions } from './schemas/invite.js'
import type { Services } from './services.js'
import { elsewhere } from './webhooks.js'

/** The terms of new invites. */
export interface InviteTerms extends Pick<NewInvite, 'defaultSpaceId' | 'grantsAdmin' | 'makesGuest'> {
  /** Null for the operator. */
  readonly maker: Bearer | null
  /** Null for the default lifetime. */
  readonly expiresAt: Date | null
}

/** An invite with its one-time code, which is not stored. */
export interface IssuedInvite {
  readonly invite: InviteRecord
  readonly code: string
}

/**
 * Creates an invite to a tenant for each address, null for any address: all or none. 400 beyond the maximum lifetime, 401
 * if its maker's credential has ended.
 */
export async function createInvites(
  { database }: Pick<Services, 'database'>,
  tenantId: TenantId,
  emails: readonly (string | null)[],
  { maker, expiresAt, ...terms }: InviteTerms,
): Promise<IssuedInvite[]> {
  const now = databaseClock.now()
  const expiry = inviteExpiry(expiresAt, now)
  const issued = emails.map((email) => {
    const code = inviteCode(randomBytes)
    const inviteId = prefixedId('inv', randomBytes)
    return { code, terms: { ...terms, email, inviteId, codeHash: hashOf(code), createdAt: now, expiresAt: expiry } }
  })
  const invites = await database.invites.create(
    tenantId,
    maker,
    issued.map(({ terms }) => terms),
  )
  const byId = new Map(invites.map((invite) => [invite.inviteId, invite]))
  return issued.map(({ code, terms }) => ({ invite: byId.get(terms.inviteId) as InviteRecord, code }))
}

/**
 * Creates invites in the name of an admin and presents them, and with `send` sends each to its address. An invite whose
 * mail was not accepted stays, with `sent` false. Creates none if one of the addresses may not receive a mail now (429).
 */
export async function inviteMembers(
  services: Services,
  slot: Slot,
  caller: Caller,
  emails: readonly (string | null)[],
  { default_space_id, access, expires_at, send = false }: z.output<typeof InviteOptions>,
) {
  // The redeemer of an invite has a key without limits.
  requireWithin(NO_LIMITS, caller.limits)
  const makesGuest = access === 'named'
  const spaceIds = default_space_id === undefined ? [] : [default_space_id]
  await requireAdmitting(services, caller, spaceIds, { isGuest: makesGuest })
  const permits: MailPermit[] = []
  try {
    if (send) {
      const recipients = requiredAddresses(emails)
      const mailer = requireMailer(services)
      for (const recipient of recipients) permits.push(await mailer.permit(caller, recipient))
    }
    const names = send ? await mailNames(services, caller) : null
    const issued = await createInvites(services, caller.tenantId, emails, {
      defaultSpaceId: default_space_id ?? null,
      grantsAdmin: false,
      makesGuest,
      maker: caller,
      expiresAt: expires_at ?? null,
    })
    const sent = names ? await sendAll(services, slot, names, issued, permits) : []
    return issued.map((one, index) =>
      presentCreatedInvite(one.invite, { code: one.code, url: linkOf(services, one), sent: sent[index] ?? false }),
    )
  } finally {
    await Promise.all(permits.map((permit) => permit.end()))
  }
}

function requiredAddresses(emails: readonly (string | null)[]): string[] {
  const addresses = emails.filter((email) => email !== null)
  if (addresses.length < emails.length) throw invalid('send', 'needs an `email`')
  const { byHuman } = UNVERIFIED_MAIL
  if (addresses.length > byHuman)
    throw invalid(
      'send',
      `reaches at most ${byHuman} addresses a day: create the invites without it, and send their links`,
    )
  return addresses
}

/** The page's address that redeems a code. The code is in the fragment, which no request contains. */
const linkOf = ({ signIn }: Pick<Services, 'signIn'>, { code }: IssuedInvite): string =>
  new URL(`/join#${code}`, signIn.site()).href

interface MailNames {
  readonly inviter: string
  readonly tenant: string
  readonly site: string
}

async function mailNames({ database, signIn }: Services, { displayName, tenantId }: Caller): Promise<MailNames> {
  const tenant = await database.tenants.find(tenantId)
  return {
    inviter: nameForStrangers(displayName, 'A member'),
    tenant: nameForStrangers(tenant?.name ?? '', 'a tenant'),
    site: signIn.site(),
  }
}

/**
 * Sends the invites at once. Returns whether the mail server accepted each; nothing if this server is too busy to send, as
 * the codes of invites that exist must reach the caller.
 */
async function sendAll(
  services: Services,
  slot: Slot,
  names: MailNames,
  issued: readonly IssuedInvite[],
  permits: readonly MailPermit[],
): Promise<boolean[]> {
  const send = async (one: IssuedInvite, index: number) => {
    try {
      await permits[index]?.send({ id: one.invite.inviteId, ...invitation(one.invite, linkOf(services, one), names) })
      return true
    } catch {
      return false
    }
  }
  try {
    return await elsewhere(services, slot, () => Promise.all(issued.map(send)))
  } catch (error) {
    if (error instanceof DomainError) return []
    throw error
  }
}

const DATE = { dateStyle: 'long', timeZone: 'UTC' } as const

const invitation = ({ email, expiresAt }: InviteRecord, link: string, { inviter, tenant, site }: MailNames) => ({
  subject: cutText(`${inviter} invites you to ${tenant}`, 150),
  text: `${inviter} invites you to ${tenant}, on Collaboration Spaces at ${site}.

Join with this link, which works once, until ${expiresAt.toLocaleDateString('en-GB', DATE)}:

${link}

It needs an account with the address ${email}. If you do not expect this, do nothing.
`,
})
