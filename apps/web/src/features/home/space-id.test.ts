import { expect, it } from 'vitest'
import { idFor, isSpaceId } from './space-id'

it.each([
  ['Spring release', 'spring-release'],
  ['  Café & más: 2026! ', 'cafe-mas-2026'],
  ['Q&A', 'q-a'],
  ['Straße nach Tromsø', 'strasse-nach-tromso'],
  ['План на весну', 'plan-na-vesnu'],
  ['Άνοιξη', 'anoixi'],
  ['春の計画', 'space-1'],
  ['خطة الربيع', 'space-1'],
  ['봄 계획', 'space-1'],
  ['春 2026', '2026'],
  ['🌷', ''],
  ['', ''],
])('turns the title %j into the ID %j', (title, id) => {
  expect(idFor(title)).toBe(id)
  expect(isSpaceId(id)).toBe(id !== '')
})

it('appends the first free number', () => {
  expect(idFor('春の計画', ['space-1', 'plans', 'space-2', 'space-4'])).toBe('space-3')
})
