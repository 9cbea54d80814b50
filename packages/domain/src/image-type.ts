/** The signatures of images that browsers show without scripts: at an offset, bytes as `latin1`. */
const IMAGES: readonly (readonly [type: string, ...signature: readonly (readonly [at: number, bytes: string])[]])[] = [
  ['image/png', [0, '\x89PNG\r\n\x1a\n']],
  ['image/jpeg', [0, '\xff\xd8\xff']],
  ['image/gif', [0, 'GIF87a']],
  ['image/gif', [0, 'GIF89a']],
  ['image/webp', [0, 'RIFF'], [8, 'WEBP']],
  ['image/avif', [4, 'ftypavif']],
  ['image/avif', [4, 'ftypavis']],
]

/** Returns the type of an image by its first bytes, whatever its sender says; null for any other content. */
export function imageTypeOf(beginning: Uint8Array): string | null {
  const text = String.fromCharCode(...beginning.subarray(0, 16))
  const found = IMAGES.find(([, ...signature]) => signature.every(([at, bytes]) => text.startsWith(bytes, at)))
  return found?.[0] ?? null
}

const READ_BY_MODELS: readonly (string | null)[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

/** The maximum size of an image for a model, in bytes. */
export const MAX_MODEL_IMAGE_BYTES = 2 * 1024 * 1024

/** Whether models read images of a type, which is null for any other content. */
export const isReadByModels = (type: string | null): type is string => READ_BY_MODELS.includes(type)
