import { describe, expect, it } from 'vitest'
import { curlLine, joinLine } from './join-line'

describe('the join command of an agent', () => {
  it('matches the guide', () => {
    const line = 'spaces agent join agt_code_1 --url https://spaces.example.org'
    expect(joinLine('https://spaces.example.org', 'agt_code_1')).toBe(line)
  })

  it('has a curl form, which redeems the code and writes the key to a private file', () => {
    expect(curlLine('https://spaces.example.org', 'abc')).toBe(
      `(umask 077; curl -fsS -o spaces-agent.json -H 'content-type: application/json' ` +
        `-d "{\\"code\\":\\"abc\\",\\"installation_id\\":\\"$(hostname)\\"}" ` +
        'https://spaces.example.org/api/agent-codes/redeem)',
    )
  })
})
