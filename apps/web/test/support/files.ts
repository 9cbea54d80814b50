import { deflateSync } from 'node:zlib'
import { pngChunk } from '@collab-spaces/testing'
import type { Locator } from 'playwright-core'

/** A file for a page. */
export interface GivenFile {
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
}

/** Returns a file of random bytes. */
export const given = (name: string, type: string, content: string | Buffer): GivenFile => ({
  name,
  type,
  bytes: Buffer.from(content),
})

/** Returns a gradient as a PNG. */
export function picture(width: number, height: number): Buffer {
  const rows = Array.from({ length: height }, (_, y) => {
    const row = Buffer.alloc(1 + 3 * width)
    for (let x = 0; x < width; x++) row.set([40 + (160 * x) / width, 90, 60 + (160 * y) / height], 1 + 3 * x)
    return row
  })
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 2], 8)
  const pixels = deflateSync(Buffer.concat(rows))
  const chunks = [pngChunk('IHDR', head), pngChunk('IDAT', pixels), pngChunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks])
}

/** Pastes files into a field, with a text of the clipboard. */
export const paste = (field: Locator, files: readonly GivenFile[], text?: string) => send(field, 'paste', files, text)

/** Drags files over an element, and drops them there. */
export async function drop(element: Locator, files: readonly GivenFile[]): Promise<void> {
  await send(element, 'dragover', files)
  await send(element, 'drop', files)
}

export const dragOver = (element: Locator, files: readonly GivenFile[]) => send(element, 'dragover', files)

/** Dispatches the event that a user would cause. */
function send(
  element: Locator,
  kind: 'paste' | 'dragover' | 'drop',
  files: readonly GivenFile[],
  text?: string,
): Promise<void> {
  const sent = files.map(({ name, type, bytes }) => ({ name, type, encoded: bytes.toString('base64') }))
  return element.evaluate(
    (element, { kind, sent, text }) => {
      const data = new DataTransfer()
      if (text !== undefined) data.setData('text/plain', text)
      for (const { name, type, encoded } of sent) {
        const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0))
        data.items.add(new File([bytes], name, { type }))
      }
      const options = { bubbles: true, cancelable: true }
      element.dispatchEvent(
        kind === 'paste'
          ? new ClipboardEvent(kind, { ...options, clipboardData: data })
          : new DragEvent(kind, { ...options, dataTransfer: data }),
      )
    },
    { kind, sent, text },
  )
}
