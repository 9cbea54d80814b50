import { expect, it } from 'vitest'
import { idFor, isSpaceId } from './space-id'

it.each([
  ['Spring release', 'spring-release'],
  ['  Café & más: 2026! ', 'cafe-mas-2026'],
  ['Q&A', 'q-a'],
  ['春の計画', ''],
])('makes of the title %j the id %j', (title, id) => {
  expect(idFor(title)).toBe(id)
  expect(isSpaceId(id)).toBe(id !== '')
})
