import { describe, expect, it } from 'vitest'
import {
  agentConnected,
  type Connectable,
  canManage,
  canOperate,
  canRelease,
  connect,
  type Member,
  release,
  requireCanManage,
  requireCanOperate,
  requireCanRelease,
  requireHuman,
  requireOpenRegistration,
  rotate,
} from './actor.js'
import { DomainError } from './errors.js'
import { asTenantId, DEFAULT_TENANT } from './tenant-id.js'

const here = { isAdmin: false, tenantId: DEFAULT_TENANT }
const ada: Member = { actorId: 'usr_ada', actorType: 'human', sponsorId: null, ...here }
const bob: Member = { actorId: 'usr_bob', actorType: 'human', sponsorId: null, ...here }
const admin: Member = { ...bob, actorId: 'usr_admin', isAdmin: true }
const foreignAdmin: Member = { ...admin, tenantId: asTenantId('6f2b0c3e-0d1f-4f7a-9f43-0a3c8de3f001') }
const scout: Member = { actorId: 'agt_scout', actorType: 'agent', sponsorId: 'usr_ada', ...here }
const twin: Member = { actorId: 'agt_twin', actorType: 'agent', sponsorId: 'usr_ada', ...here }

const then = new Date('2026-01-01T00:00:00Z')
const now = new Date('2026-01-02T00:00:00Z')

const agent = (installationId: string | null): Connectable => ({
  ...scout,
  displayName: 'Scout',
  connection: installationId === null ? null : { installationId, connectedAt: then },
})

describe('permissions', () => {
  const rows: [string, Member, Member, { manage: boolean; operate: boolean; release: boolean }][] = [
    ['a human on itself', ada, ada, { manage: true, operate: true, release: false }],
    ['a human on another human', ada, bob, { manage: false, operate: false, release: false }],
    ['a sponsor on its agent', ada, scout, { manage: true, operate: true, release: true }],
    ['a human on an agent of another human', bob, scout, { manage: false, operate: false, release: false }],
    ['an admin on an agent of its tenant', admin, scout, { manage: false, operate: false, release: true }],
    ['an admin on a human', admin, bob, { manage: false, operate: false, release: false }],
    ['an admin of another tenant', foreignAdmin, scout, { manage: false, operate: false, release: false }],
    ['an agent on itself', scout, scout, { manage: false, operate: true, release: false }],
    ['an agent on its sponsor', scout, ada, { manage: false, operate: false, release: false }],
    ['an agent on another agent of its sponsor', scout, twin, { manage: false, operate: false, release: false }],
  ]

  it.each(rows)('%s', (_, caller, actor, may) => {
    expect({
      manage: canManage(caller, actor),
      operate: canOperate(caller, actor),
      release: canRelease(caller, actor),
    }).toEqual(may)
  })

  it('are enforced by errors', () => {
    expect(() => requireCanManage(scout, scout)).toThrow(DomainError)
    expect(() => requireCanOperate(bob, scout)).toThrow(DomainError)
    expect(() => requireCanRelease(scout, scout)).toThrow(DomainError)
    expect(() => requireHuman(scout)).toThrow(new DomainError('forbidden', 'Only a human actor may do this'))
    expect(() => requireHuman(ada)).not.toThrow()
    expect(() => requireOpenRegistration('closed')).toThrow(DomainError)
    expect(() => requireOpenRegistration('open')).not.toThrow()
  })
})

describe('connect', () => {
  it('connects an available agent', () => {
    expect(connect(agent(null), 'laptop', now)).toEqual({ installationId: 'laptop', connectedAt: now })
  })

  it('refreshes a connection of the same installation', () => {
    expect(connect(agent('laptop'), 'laptop', now)).toEqual({ installationId: 'laptop', connectedAt: now })
  })

  it('rejects another installation with the documented body', () => {
    expect(() => connect(agent('laptop'), 'phone', now)).toThrow(agentConnected(agent('laptop')))
  })

  it('rejects a human', () => {
    const human: Connectable = { ...ada, displayName: 'Ada', connection: null }
    expect(() => connect(human, 'laptop', now)).toThrow(
      expect.objectContaining({ kind: 'invalid', detail: expect.stringContaining('actor_id') }),
    )
  })
})

describe('rotate', () => {
  const connected = (installationId: string, connectedAt: Date) => ({ installationId, connectedAt })

  it('leaves an available agent available', () => {
    expect(rotate(agent(null), { installationId: 'laptop', force: true }, now)).toBeNull()
  })

  it('keeps the connection of the same installation', () => {
    expect(rotate(agent('laptop'), { installationId: 'laptop', force: false }, now)).toEqual(connected('laptop', then))
  })

  it.each([undefined, 'phone'])('rejects %s without force', (installationId) => {
    expect(() => rotate(agent('laptop'), { installationId, force: false }, now)).toThrow(
      agentConnected(agent('laptop')),
    )
  })

  it('moves the connection by force to the requesting installation', () => {
    expect(rotate(agent('laptop'), { installationId: 'phone', force: true }, now)).toEqual(connected('phone', now))
  })

  it('keeps the connection by force without an installation', () => {
    expect(rotate(agent('laptop'), { installationId: undefined, force: true }, now)).toEqual(connected('laptop', then))
  })
})

describe('agentConnected', () => {
  it('names the agent, and how to proceed', () => {
    const error = agentConnected(agent('laptop'))
    expect(error.kind).toBe('conflict')
    expect(error.fields).toEqual({ error: 'agent_connected', message: error.detail, agent_id: 'agt_scout' })
    expect(error.detail).toContain('Scout')
    expect(error.detail).toContain('X-Force-Rotate: true')
  })
})

describe('release', () => {
  it('releases a connected agent, and reports if none was connected', () => {
    expect(release(agent('laptop'))).toBe('released')
    expect(release(agent(null))).toBe('already_released')
  })
})
