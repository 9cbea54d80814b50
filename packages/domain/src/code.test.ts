import { describe, expect, it } from 'vitest'
import { requireCodeByItsName } from './code.js'

const TAKES_ONE = { display_name: 0, code: 0, scopes: 0 }

describe('an input that takes a code', () => {
  it.each([
    'invite_code',
    'inviteCode',
    'invite-code',
    'invite',
    'invitation_code',
    'token',
    'access_token',
    'api_key',
    'apikey',
    'ApiKey',
    'key',
    'secret',
    'agent_code',
    'codes',
    'CODE',
  ])('rejects it as %s', (name) => {
    expect(() => requireCodeByItsName({ [name]: 'x' }, TAKES_ONE)).toThrow(
      expect.objectContaining({ kind: 'invalid', detail: expect.stringMatching(`^${name}: .*belongs in code`) }),
    )
  })

  it.each(['code', 'scopes', 'nickname', 'country_code', 'public_key', 'idempotency_key', 'invited_by', '__proto__'])(
    'accepts the field %s',
    (name) => {
      expect(() => requireCodeByItsName({ [name]: 'x' }, TAKES_ONE)).not.toThrow()
    },
  )

  it('accepts a null field', () => {
    expect(() => requireCodeByItsName({ invite_code: null }, TAKES_ONE)).not.toThrow()
  })
})

it('an input without a code is not checked', () => {
  expect(() => requireCodeByItsName({ token: 'x' }, { text: 0 })).not.toThrow()
})
