import { describe, expect, it } from 'vitest'
import { imageTypeOf } from './image-type.js'

const bytes = (text: string) => Buffer.from(text, 'latin1')

describe('imageTypeOf', () => {
  it.each([
    ['image/png', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
    ['image/jpeg', '\xff\xd8\xff\xe0\0\x10JFIF'],
    ['image/gif', 'GIF87a'],
    ['image/gif', 'GIF89a/*<script>*/'],
    ['image/webp', 'RIFF\x24\0\0\0WEBPVP8 '],
    ['image/avif', '\0\0\0\x1cftypavif'],
    ['image/avif', '\0\0\0\x1cftypavis'],
  ])('returns %s', (type, beginning) => {
    expect(imageTypeOf(bytes(beginning))).toBe(type)
  })

  it.each(['', '\x89PN', ' GIF89a', 'RIFF\x24\0\0\0WAVE', '<svg xmlns="…">', '<!doctype html>', '%PDF-1.7', 'BM6'])(
    'returns null for %j',
    (beginning) => {
      expect(imageTypeOf(bytes(beginning))).toBeNull()
    },
  )
})
