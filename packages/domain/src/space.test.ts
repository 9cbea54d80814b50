import { describe, expect, it } from 'vitest'
import type { Member } from './actor.js'
import { conversationId } from './conversation.js'
import { DomainError } from './errors.js'
import { requireJoinable } from './participant.js'
import {
  canGovern,
  nextSpaceStatus,
  requireAcceptsEvents,
  requireCanGovern,
  requireCanUnarchive,
  SPACE_STATUSES,
  type SpaceStatus,
} from './space.js'
import { DEFAULT_TENANT } from './tenant-id.js'

describe('nextSpaceStatus', () => {
  const allowed: [SpaceStatus, SpaceStatus | undefined, SpaceStatus][] = [
    ['active', undefined, 'active'],
    ['active', 'active', 'active'],
    ['active', 'paused', 'paused'],
    ['active', 'archived', 'archived'],
    ['paused', undefined, 'paused'],
    ['paused', 'paused', 'paused'],
    ['paused', 'active', 'active'],
    ['paused', 'archived', 'archived'],
  ]

  it.each(allowed)('from %s with %s requested is %s', (from, wanted, next) => {
    expect(nextSpaceStatus(from, wanted)).toBe(next)
  })

  it.each([undefined, ...SPACE_STATUSES])('rejects changes of an archived space, also to %s', (wanted) => {
    expect(() => nextSpaceStatus('archived', wanted)).toThrow(new DomainError('conflict', 'Space is archived'))
  })
})

describe('the status of a space', () => {
  it('allows events in an active space only', () => {
    expect(() => requireAcceptsEvents('active')).not.toThrow()
    for (const status of ['paused', 'archived'] as const) {
      expect(() => requireAcceptsEvents(status)).toThrow(new DomainError('conflict', 'Space is not active'))
    }
  })

  it('allows joining unless the space is archived', () => {
    expect(() => requireJoinable('active')).not.toThrow()
    expect(() => requireJoinable('paused')).not.toThrow()
    expect(() => requireJoinable('archived')).toThrow(new DomainError('conflict', 'Space is archived'))
  })
})

describe('requireCanUnarchive', () => {
  const archived = new Date('2026-03-01T09:00:00Z')
  const later = (days: number, ms = 0) => new Date(archived.getTime() + days * 86_400_000 + ms)
  const space = (endedAt: Date | null) => ({ spaceId: 'plans', status: 'archived' as const, endedAt })

  it('allows it for 30 days, and for a conversation at any time', () => {
    const spaceId = conversationId('0'.repeat(64))
    expect(() => requireCanUnarchive({ ...space(archived), spaceId }, later(31))).not.toThrow()
    for (const now of [archived, later(30)]) expect(() => requireCanUnarchive(space(archived), now)).not.toThrow()
    expect(() => requireCanUnarchive(space(archived), later(30, 1))).toThrow(
      new DomainError(
        'conflict',
        'Space was archived more than 30 days ago and stays so; create a new one and link to it',
      ),
    )
  })

  it('rejects it for a space that is being deleted', () => {
    expect(() => requireCanUnarchive(space(null), later(1))).toThrow('Space is being deleted')
  })

  it.each(['active', 'paused'] as const)('rejects it for a space that is %s', (status) => {
    expect(() => requireCanUnarchive({ ...space(null), status }, later(1))).toThrow(
      new DomainError('conflict', 'Space is not archived'),
    )
  })
})

describe('the right to govern a space', () => {
  const member = (actorId: string, sponsorId: string | null = null, isAdmin = false): Member => ({
    actorId,
    actorType: sponsorId === null ? 'human' : 'agent',
    sponsorId,
    tenantId: DEFAULT_TENANT,
    isAdmin,
  })

  it.each<[string, Member, boolean]>([
    ['an owner', member('ada'), true],
    ['an agent of an owner', member('scout', 'ada'), true],
    ['an admin', member('grace', null, true), true],
    ['another member', member('bob'), false],
    ['an agent of another member', member('aide', 'bob'), false],
  ])('is checked for %s', (_who, caller, may) => {
    expect(canGovern(caller, ['ada', 'eve'])).toBe(may)
    if (!may) {
      const refusal = new DomainError('forbidden', 'Only owners of this space may do this')
      expect(() => requireCanGovern(caller, ['ada', 'eve'])).toThrow(refusal)
    }
  })

  it('belongs to admins only if the space has no owners', () => {
    expect(canGovern(member('ada'), [])).toBe(false)
    expect(canGovern(member('grace', null, true), [])).toBe(true)
  })
})
