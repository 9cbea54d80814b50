import { describe, expect, it } from 'vitest'
import { DomainError } from './errors.js'
import { requireJoinable } from './participant.js'
import { nextSpaceStatus, requireAcceptsEvents, SPACE_STATUSES, type SpaceStatus } from './space.js'

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

  it.each(allowed)('from %s, asked for %s: %s', (from, wanted, next) => {
    expect(nextSpaceStatus(from, wanted)).toBe(next)
  })

  it.each([undefined, ...SPACE_STATUSES])('archived is final, also when asked for %s', (wanted) => {
    expect(() => nextSpaceStatus('archived', wanted)).toThrow(new DomainError('conflict', 'Space is archived'))
  })
})

describe('what a status allows', () => {
  it('writing events: only an active space', () => {
    expect(() => requireAcceptsEvents('active')).not.toThrow()
    for (const status of ['paused', 'archived'] as const) {
      expect(() => requireAcceptsEvents(status)).toThrow(new DomainError('conflict', 'Space is not active'))
    }
  })

  it('joining: any space that is not over', () => {
    expect(() => requireJoinable('active')).not.toThrow()
    expect(() => requireJoinable('paused')).not.toThrow()
    expect(() => requireJoinable('archived')).toThrow(new DomainError('conflict', 'Space is archived'))
  })
})
