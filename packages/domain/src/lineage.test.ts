import { expect, it } from 'vitest'
import { lineageFrom, lineageName, namedCredential } from './lineage.js'

const token = { actorId: 'usr_1', credentialId: 'pat_1' }
const key = { actorId: 'usr_1', credentialId: 'api_key' }

it('a lineage identifies a token by its ID and a key by its actor', () => {
  for (const credential of [token, key]) expect(namedCredential(lineageName(credential), 'usr_1')).toEqual(credential)
  expect(lineageName(token)).toBe('pat_1')
  expect(lineageName(key)).toBe('usr_1')
})

it('a lineage lists each credential once, the nearest first', () => {
  expect(lineageFrom(token, [])).toEqual(['pat_1'])
  expect(lineageFrom(token, ['usr_1', 'pat_0'])).toEqual(['pat_1', 'usr_1', 'pat_0'])
  expect(lineageFrom(key, ['pat_1', 'usr_1', 'pat_0'])).toEqual(['usr_1', 'pat_1', 'pat_0'])
})
