import { describe, expect, it } from 'vitest'
import { auditedActs, auditedSpaceActions, auditedUrl, requireCanReadAudit } from './audit.js'
import { asTenantId, DEFAULT_TENANT } from './tenant-id.js'

const now = new Date('2026-03-01T09:00:00Z')
const later = new Date('2026-03-01T10:00:00Z')
const laptop = { installationId: 'laptop', connectedAt: now }
const idle = { displayName: 'Scout', isAdmin: false, connection: null }

describe('a changed actor', () => {
  it.each([
    ['a new key', idle, { keyHash: new Uint8Array(32) }, ['actor.key_rotated']],
    ['admin rights granted', idle, { isAdmin: true }, ['admin.granted']],
    ['admin rights withdrawn', { ...idle, isAdmin: true }, { isAdmin: false }, ['admin.withdrawn']],
    ['connected', idle, { connection: laptop }, ['agent.connected']],
    ['released', { ...idle, connection: laptop }, { connection: null }, ['agent.released']],
    [
      'moved to another installation by a forced rotation',
      { ...idle, connection: laptop },
      { keyHash: new Uint8Array(32), connection: { installationId: 'phone', connectedAt: later } },
      ['actor.key_rotated', 'agent.connected'],
    ],
  ])('is logged: %s', (_what, actor, change, actions) => {
    expect(auditedActs(actor, change)).toEqual(actions.map((action) => [action, null]))
  })

  it.each([
    ['nothing changes', idle, {}],
    ['an admin stays an admin', { ...idle, isAdmin: true }, { isAdmin: true }],
    ['the connection is refreshed', { ...idle, connection: laptop }, { connection: { ...laptop, connectedAt: later } }],
    ['an unconnected agent is released', idle, { connection: null }],
    ['the name stays the same', idle, { displayName: 'Scout' }],
  ])('is not logged when %s', (_what, actor, change) => {
    expect(auditedActs(actor, change)).toEqual([])
  })
})

it('a rename is logged with the old and the new name', () => {
  expect(auditedActs(idle, { displayName: 'Ada' })).toEqual([
    ['actor.renamed', { before: { display_name: 'Scout' }, after: { display_name: 'Ada' } }],
  ])
})

it('a URL is logged without its credentials, query and fragment', () => {
  expect(auditedUrl('https://u:p@example.org:8443/hook/1?key=secret#part')).toBe('https://example.org:8443/hook/1')
})

describe('a changed space', () => {
  const space = { status: 'active', visibility: 'open', owners: ['ada'] } as const
  const archived = { ...space, status: 'archived' } as const

  it.each([
    ['new owners', space, { owners: ['ada', 'bob'] }, ['space.owners_changed']],
    ['archived', space, { status: 'archived' }, ['space.archived']],
    ['unarchived', archived, { status: 'active' }, ['space.unarchived']],
    ['both', space, { owners: [], status: 'archived' }, ['space.owners_changed', 'space.archived']],
    ['nothing', space, {}, []],
    ['the same owners', space, { owners: ['ada'] }, []],
    ['paused', space, { status: 'paused' }, []],
    ['made private', space, { visibility: 'private' }, ['space.visibility_changed']],
  ] as const)('is logged: %s', (_what, before, change, actions) => {
    expect(auditedSpaceActions(before, change)).toEqual(actions)
  })
})

describe('the security log', () => {
  const member = {
    actorId: 'usr_a',
    actorType: 'human' as const,
    sponsorId: null,
    tenantId: asTenantId('11111111-1111-4111-8111-111111111111'),
    isAdmin: false,
  }

  it('is read by admins', () => {
    expect(() => requireCanReadAudit({ ...member, isAdmin: true })).not.toThrow()
    expect(() => requireCanReadAudit({ ...member, isAdmin: true, tenantId: DEFAULT_TENANT })).not.toThrow()
    expect(() => requireCanReadAudit(member)).toThrow('Only an admin of the tenant may do this')
  })

  it('is read by the operator in the shared tenant, as the refusal says', () => {
    expect(() => requireCanReadAudit({ ...member, tenantId: DEFAULT_TENANT })).toThrow('operate audit list')
  })
})
