import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ActorRef } from './actor.js'
import { type Approvals, STANDINGS } from './decision.js'
import {
  type Authorization,
  actionFrom,
  isExpired,
  optionsFrom,
  requireChoice,
  requireExpiryAhead,
  requireStillApproved,
  requireUsable,
  shownAction,
} from './decision-action.js'
import { DomainError } from './errors.js'
import { MalformedValue } from './json.js'
import { DEFAULT_POLICY } from './policy.js'
import { REDACTED_ACTION, REDACTED_TEXT } from './redaction.js'

const NOW = new Date('2026-03-01T09:30:00.000Z')
const at = (ms: number) => new Date(NOW.getTime() + ms)
const DAY_MS = 86_400_000

const scout: ActorRef = { actorId: 'scout', actorType: 'agent', sponsorId: 'ada' }
const actor = (actorId: string): ActorRef => ({ actorId, actorType: 'human', sponsorId: null })

const action = {
  type: 'deploy',
  title: null,
  arguments: { version: 7 },
  digest: 'sha-256:a',
  isEditable: true,
  usedBy: ['bot'],
}
const option = (id: string, denies = false) => ({ id, label: id, description: null, denies })

const resolved: Authorization = {
  status: 'resolved',
  options: null,
  option: null,
  action,
  edit: null,
  expiresAt: null,
  usedBy: null,
  usedAt: null,
  supersededBy: null,
}
const proposed: Authorization = { ...resolved, status: 'proposed' }

function refusalOf(call: () => void): DomainError | null {
  try {
    call()
    return null
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
}

const useRefusal = (changed: Partial<Authorization>, digest = 'sha-256:a', now = NOW, user: ActorRef = scout) =>
  refusalOf(() => requireUsable(user, { ...resolved, ...changed }, scout, digest, now))

describe('requireUsable', () => {
  it('allows the proposer, its sponsor and the named actors to use a resolved action', () => {
    const users = ['scout', 'ada', 'bot', 'bob'].map((id) => useRefusal({}, 'sha-256:a', NOW, actor(id))?.kind ?? null)
    expect(users).toEqual([null, null, null, 'forbidden'])
  })

  it.each<[string, Partial<Authorization>, object]>([
    ['no_action', { action: null }, {}],
    ['decision_open', { status: 'proposed' }, {}],
    ['decision_rejected', { status: 'rejected' }, {}],
    ['superseded', { supersededBy: 'next' }, { superseded_by: 'next' }],
    ['decision_expired', { expiresAt: NOW }, { expires_at: NOW.toISOString() }],
    ['decision_used', { usedBy: 'ada', usedAt: NOW }, { used_by: 'ada', used_at: NOW.toISOString() }],
    ['decision_denied', { options: [option('go'), option('no', true)], option: 'no' }, { option: 'no' }],
    ['decision_denied', { options: [option('no', true)], option: 'no', expiresAt: NOW }, { option: 'no' }],
    ['decision_denied', { options: [], option: REDACTED_TEXT }, {}],
    ['digest_mismatch', { action: { ...action, digest: 'sha-256:b' } }, { digest: 'sha-256:b' }],
    ['digest_mismatch', { edit: { arguments: {}, digest: 'sha-256:c' } }, { digest: 'sha-256:c' }],
  ])('rejects with %s: %j', (error, changed, fields) => {
    expect(useRefusal(changed)).toMatchObject({ kind: 'conflict', fields: { error, ...fields } })
  })

  it('accepts only the digest of the edit', () => {
    const edit = { arguments: { version: 8 }, digest: 'sha-256:e' }
    expect(useRefusal({ edit })?.fields.error).toBe('digest_mismatch')
    expect(useRefusal({ edit }, 'sha-256:e')).toBeNull()
  })

  it('reports a use first, and an expiry before an open status', () => {
    expect(useRefusal({ usedAt: NOW, usedBy: 'ada', expiresAt: NOW, supersededBy: 'x' })?.fields.error).toBe(
      'decision_used',
    )
    expect(useRefusal({ status: 'proposed', expiresAt: NOW })?.fields.error).toBe('decision_expired')
  })

  it('never permits an erased action, nor another digest than the usable one', () => {
    const erased = actionFrom(REDACTED_ACTION)
    fc.assert(
      fc.property(fc.string(), (digest) => {
        fc.pre(digest !== REDACTED_TEXT)
        expect(useRefusal({ action: erased }, digest)).not.toBeNull()
        expect(useRefusal({}, digest) === null).toBe(digest === 'sha-256:a')
      }),
    )
  })
})

describe('an expiry', () => {
  it('takes effect at its millisecond, for an open decision and an unused action', () => {
    fc.assert(
      fc.property(fc.integer({ min: -5, max: 5 }), (ms) => {
        expect(isExpired({ ...proposed, expiresAt: at(ms) }, NOW)).toBe(ms <= 0)
        expect(isExpired({ ...resolved, expiresAt: at(ms) }, NOW)).toBe(ms <= 0)
        expect(useRefusal({ expiresAt: at(ms) }) === null).toBe(ms > 0)
        const denied = { options: [option('no', true)], option: 'no' }
        for (const over of [{ action: null }, { usedAt: NOW }, { status: 'rejected' as const }, denied]) {
          expect(isExpired({ ...resolved, ...over, expiresAt: at(ms) }, NOW)).toBe(false)
        }
      }),
    )
  })

  it.each([
    [0, 'expires_at: must be in the future'],
    [-1, 'expires_at: must be in the future'],
    [1, undefined],
    [90 * DAY_MS, undefined],
    [90 * DAY_MS + 1, 'expires_at: must be at most 90 days from now'],
  ])('at %i ms from now has the error: %s', (ms, detail) => {
    expect(refusalOf(() => requireExpiryAhead(at(ms), NOW))?.detail).toBe(detail)
  })
})

describe('requireChoice', () => {
  const options = [option('go'), option('no', true)]
  const none = { option: null, arguments: null }
  const choiceRefusal = (
    changed: Partial<Authorization>,
    choice: object,
    status: 'resolved' | 'rejected' = 'resolved',
  ) => refusalOf(() => requireChoice({ ...proposed, ...changed }, status, { ...none, ...choice }, NOW))?.detail

  it('requires a known option to resolve, and none to reject', () => {
    expect(choiceRefusal({ options }, {})).toBe('option: is required: one of go, no')
    expect(choiceRefusal({ options }, { option: 'maybe' })).toBe('option: must be one of go, no')
    expect(choiceRefusal({ options }, { option: 'no' })).toBeUndefined()
    expect(choiceRefusal({}, { option: 'go' })).toBe('option: this decision has no options')
    expect(choiceRefusal({ options }, {}, 'rejected')).toBeUndefined()
    expect(choiceRefusal({ options }, { option: 'go' }, 'rejected')).toBe('option: is only for a resolution')
  })

  it('accepts edits of an editable action only', () => {
    const fixed = { ...action, isEditable: false }
    expect(choiceRefusal({}, { arguments: {} })).toBeUndefined()
    expect(choiceRefusal({}, { arguments: {} }, 'rejected')).toBe('arguments: are only for a resolution')
    for (const changed of [{ action: fixed }, { action: null }]) {
      expect(choiceRefusal(changed, { arguments: {} })).toBe('arguments: this decision has no action that is editable')
    }
  })

  it('allows an expired decision to be rejected, but not resolved', () => {
    expect(choiceRefusal({ expiresAt: NOW }, {})).toBe(`Decision expired at ${NOW.toISOString()}: propose it again`)
    expect(choiceRefusal({ expiresAt: NOW }, {}, 'rejected')).toBeUndefined()
  })
})

describe('requireStillApproved', () => {
  const rules = DEFAULT_POLICY.settle
  const approvals: Approvals = { required: 1, given: 1, by: ['bob'], notCounted: [] }
  const settlement = { postedBy: 'scout', rulesAtProposal: rules, approvals }
  const judge = { ...actor('judge'), standing: 'present' as const }
  const refusal = (settler: Parameters<typeof requireStillApproved>[0], changed = {}, now = rules) =>
    refusalOf(() => requireStillApproved(settler, { ...settlement, ...changed }, now))

  it('accepts a use while the settler is present and the rules and approvals still hold', () => {
    expect(refusal(judge)).toBeNull()
    for (const standing of STANDINGS) {
      expect(refusal({ ...judge, standing }) === null).toBe(standing === 'present')
    }
    for (const stricter of [
      { ...rules, who: 'named' as const, named: ['bob'] },
      { ...rules, proposerMaySettle: false },
      { ...rules, who: 'humans' as const },
    ]) {
      const settler = { ...scout, standing: 'present' as const }
      expect(refusal(settler, {}, stricter)).toMatchObject({
        kind: 'conflict',
        fields: { error: 'no_longer_approved' },
      })
      expect(refusal(settler, { rulesAtProposal: stricter })).toMatchObject({ kind: 'conflict' })
    }
    expect(refusal(judge, { approvals: { ...approvals, required: 2 } })).toMatchObject({
      detail: 'Decision is no longer approved, as it has 1 of 2 approvals by the present rules: propose it again',
      fields: { error: 'no_longer_approved' },
    })
  })
})

describe('stored options and actions', () => {
  it('are parsed unchanged', () => {
    expect(actionFrom(JSON.parse(JSON.stringify(shownAction(action))))).toEqual(action)
    expect(optionsFrom([option('go')])).toEqual([option('go')])
  })

  it.each([null, {}, { ...shownAction(action), type: 7 }, { ...shownAction(action), used_by: 'bot' }])(
    'are rejected in another form: %j',
    (value) => {
      expect(() => actionFrom(value)).toThrow(MalformedValue)
      expect(() => optionsFrom([value])).toThrow(MalformedValue)
      expect(() => optionsFrom(value)).toThrow(MalformedValue)
    },
  )
})
