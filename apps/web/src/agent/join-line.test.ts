import { describe, expect, it } from 'vitest'
import { joinLine } from './join-line'

describe('the line that an agent is given', () => {
  it('redeems the code, and keeps the key in a file of its owner', () => {
    expect(joinLine('https://spaces.example.org', 'abc')).toBe(
      `(umask 077; curl -fsS -o spaces-agent.json -H 'content-type: application/json' ` +
        `-d "{\\"code\\":\\"abc\\",\\"installation_id\\":\\"$(hostname)\\"}" ` +
        'https://spaces.example.org/api/agent-codes/redeem)',
    )
  })
})
