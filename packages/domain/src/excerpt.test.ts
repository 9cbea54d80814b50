import { describe, expect, it } from 'vitest'
import { excerptParts, excerptText, filesOf } from './excerpt.js'

const files = ['plan.pdf', 'a.png', 'b.png'].map((name) => ({ file_id: `fil_${name}`, name }))
const [plan, a] = files as [(typeof files)[0], (typeof files)[0]]

describe('an excerpt', () => {
  it.each([
    ['👍', [plan], 'Sent plan.pdf'],
    ['…', files.slice(0, 2), 'Sent plan.pdf and 1 other file'],
    ['.', files, 'Sent plan.pdf and 2 other files'],
    ['Here it is', files, 'Here it is (plan.pdf and 2 other files)'],
    ['الخطة', [plan], 'الخطة (plan.pdf)'],
    ['See plan.pdf', files, 'See plan.pdf'],
    ['Here it is', [], 'Here it is'],
    ['x'.repeat(81), files, 'x'.repeat(81)],
  ])('of %s names its files', (text, files, expected) => {
    expect(excerptText({ text, files })).toBe(expected)
  })

  it('names no file that was deleted, retracted or redacted', () => {
    const event = { text: '👍', files }
    expect(excerptText({ ...event, deleted_files: [plan.file_id] })).toBe('Sent a.png and 1 other file')
    expect(filesOf({ ...event, deleted_files: [plan.file_id, 'fil_b.png'] })).toEqual([a])
    const gone = { ...event, deleted_files: files.map(({ file_id }) => file_id) }
    expect(excerptParts(gone)).toEqual({ text: '👍', files: null })
    expect(excerptText({ ...event, retracted_by: 'x' })).toBe('(retracted)')
    expect(excerptText({ ...event, text: '[redacted]', redacted_at: 'x' })).toBe('[redacted]')
  })

  it('shows the newest text, and truncates a long name', () => {
    expect(excerptText({ text: 'Old', current_text: 'New', files: [plan] })).toBe('New (plan.pdf)')
    expect(excerptText({ text: '!', files: [{ file_id: 'x', name: 'n'.repeat(255) }] })).toMatch(/^Sent n+…$/)
  })
})
