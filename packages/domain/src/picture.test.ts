import { describe, expect, it } from 'vitest'
import { LIMITS } from './limits.js'
import { pictureOf, pictureProblem, pictureTypeOf } from './picture.js'

/** Images of 3 × 2 pixels, each with the word Kew in its metadata, encoded by Pillow. */
const IMAGES = {
  png:
    'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAACddGYaAAAACXRFWHRQbGFjZQBLZXdNZ6a1AAAAE0lEQVR4nGPkPMEZxQAFTAxIAAAcegE4' +
    'V30+AAAAAABJRU5ErkJggg==',
  jpeg:
    '/9j/4AAQSkZJRgABAQAAAQABAAD/4QAiRXhpZgAATU0AKgAAAAgAAQEOAAIAAAAES2V3AAAAAAD//gAFS2V3/9sAQwCgbniMeGSgjIKMtKqg' +
    'vvD///Dc3PD//////////////////////////////////////////////////////////8AACwgAAgADAQERAP/EABQAAQAAAAAAAAAAAAAA' +
    'AAAAAAL/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAA/AC//2Q==',
  progressive:
    '/9j/4AAQSkZJRgABAQAAAQABAAD/4QAiRXhpZgAATU0AKgAAAAgAAQEOAAIAAAAES2V3AAAAAAD/2wBDAKBueIx4ZKCMgoy0qqC+8P//8Nzc' +
    '8P//////////////////////////////////////////////////////////wgALCAACAAMBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAAAf/a' +
    'AAgBAQAAAAE//8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABBQJ//8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQAGPwJ//8QAFBAB' +
    'AAAAAAAAAAAAAAAAAAAAAP/aAAgBAQABPyF//9oACAEBAAAAEH//xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAE/EH//2Q==',
  lossy:
    'UklGRmIAAABXRUJQVlA4WAoAAAAIAAAAAgAAAQAAVlA4ICIAAABwAQCdASoDAAIADMDOJaACdAFAAAD+144MPUrfroogAAAARVhJRhoAAABN' +
    'TQAqAAAACAABAQ4AAgAAAARLZXcAAAAAAA==',
  lossless:
    'UklGRlIAAABXRUJQVlA4WAoAAAAYAAAAAgAAAQAAVlA4TBEAAAAvAkAAEAdQ5CY0oVqBiOh/AABFWElGGgAAAE1NACoAAAAIAAEBDgACAAAA' +
    'BEtldwAAAAAA',
} as const

/** The same images without metadata, and therefore without the chunk that has the size. */
const PLAIN = {
  lossy: 'UklGRi4AAABXRUJQVlA4ICIAAABwAQCdASoDAAIADMDOJaACdAFAAAD+144MPUrfroogAAAA',
  lossless: 'UklGRh4AAABXRUJQVlA4TBEAAAAvAkAAAAdQjyKXp/+BiOh/AAA=',
} as const

const ANIMATED =
  'UklGRqgAAABXRUJQVlA4WAoAAAACAAAAAgAAAQAAQU5JTQYAAAAAAAAAAABBTk1GRAAAAAAAAAAAAAIAAAEAAAAAAAJWUDggLAAAADABAJ0B' +
  'KgMAAgABQCYloAADcAD+8Por/w7ubr1rf//eM//+4z//7jP/dwAAQU5NRjAAAAAAAAAAAAACAAABAAAAAAAAVlA4IBgAAAA0AQCdASoDAAIA' +
  'AAAmJaQAA3AA/v02aAA='

const bytesOf = (base64: string) => Buffer.from(base64, 'base64')
const images = Object.entries(IMAGES).map(([name, base64]) => [name, bytesOf(base64)] as const)

describe('pictureOf', () => {
  it.each(images)('strips the metadata of a %s', (_name, bytes) => {
    const before = Buffer.from(bytes)
    const picture = Buffer.from(pictureOf(bytes))
    expect(bytes.equals(before)).toBe(true)
    expect([bytes.includes('Kew'), picture.includes('Kew')]).toEqual([true, false])
    expect(pictureTypeOf(picture)).toBe(pictureTypeOf(bytes))
    // A stripped picture is unchanged when stripped again.
    expect(picture.equals(pictureOf(picture))).toBe(true)
  })

  it.each(Object.entries(PLAIN))('keeps a %s without metadata unchanged', (_name, base64) => {
    expect(bytesOf(base64).equals(pictureOf(bytesOf(base64)))).toBe(true)
  })

  it('rejects other content with a reason', () => {
    expect(() => pictureOf(Buffer.from('<svg/>'))).toThrow('content: must be a whole PNG, JPEG or WebP image')
  })
})

describe('pictureProblem', () => {
  it.each(images)('rejects a %s with trailing bytes, which may be another kind of file', (_name, bytes) => {
    for (const more of ['\0', '<script>alert(1)</script>', 'PK\x05\x06']) {
      expect(pictureProblem(Buffer.concat([bytes, Buffer.from(more, 'latin1')]))).toMatch(/^must be a whole/)
    }
  })

  it.each(images)('rejects every truncated %s', (_name, bytes) => {
    for (let length = 0; length < bytes.length; length++) {
      expect(pictureProblem(bytes.subarray(0, length))).toMatch(/^must be a whole/)
    }
  })

  it.each(images)('reads within the bounds of a damaged %s', (_name, bytes) => {
    for (let at = 0; at < bytes.length; at++) {
      for (const value of [0, 1, 0x7f, 0xff]) {
        const damaged = Buffer.from(bytes)
        damaged[at] = value
        expect(() => pictureProblem(damaged)).not.toThrow()
      }
    }
  })

  it.each([
    ['GIF', bytesOf('R0lGODdhAwACAIEAAMgePAAAAAAAAAAAACwAAAAAAwACAAAIBgABCBwYEAA7')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ['animated WebP', bytesOf(ANIMATED)],
    ['PNG signature before HTML', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR<script>alert(1)</script>', 'latin1')],
    ['page', Buffer.from('<!doctype html>')],
  ])('rejects a %s', (_name, bytes) => {
    expect(pictureProblem(bytes)).toBe('must be a whole PNG, JPEG or WebP image that is not animated')
    expect(() => pictureOf(bytes)).toThrow()
  })

  it.each([
    ['png', 16, [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30]],
    ['jpeg', bytesOf(IMAGES.jpeg).indexOf('ffc0', 0, 'hex') + 5, [0x75, 0x30, 0x75, 0x30]],
    ['lossy', 24, [0x2f, 0x75, 0, 0x2f, 0x75, 0]],
  ] as const)('rejects a %s that would take gigabytes of memory', (name, at, size) => {
    const bytes = bytesOf(IMAGES[name])
    bytes.set(size, at)
    expect(pictureProblem(bytes)).toBe('must be at most 1024 × 1024 pixels, not 30000 × 30000')
  })

  it('rejects too many bytes before it parses them', () => {
    expect(pictureProblem(new Uint8Array(LIMITS.pictureBytes + 1))).toBe('must be at most 65,536 bytes')
  })
})
