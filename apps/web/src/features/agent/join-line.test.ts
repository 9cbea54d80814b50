import { describe, expect, it } from 'vitest'
import { curlLine, joinLine } from './join-line'

describe('the line that an agent is given', () => {
  it('is the one of the guide', () => {
    const line = 'spaces agent join agt_code_1 --url https://spaces.example.org'
    expect(joinLine('https://spaces.example.org', 'agt_code_1')).toBe(line)
  })

  it('can be one of curl, which redeems the code, and keeps the key in a file of its owner', () => {
    expect(curlLine('https://spaces.example.org', 'abc')).toBe(
      `(umask 077; curl -fsS -o spaces-agent.json -H 'content-type: application/json' ` +
        `-d "{\\"code\\":\\"abc\\",\\"installation_id\\":\\"$(hostname)\\"}" ` +
        'https://spaces.example.org/api/agent-codes/redeem)',
    )
  })
})
