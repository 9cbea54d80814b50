import { LIMITS } from '@collab-spaces/client'

/** The width and height of a picture in pixels: sharp at every size that the page shows. */
const SIDE = 256
/** The formats, from the smallest on. Safari makes no WebP, and a PNG of a photo is too large. */
const ATTEMPTS = [
  ['image/webp', 0.85],
  ['image/jpeg', 0.85],
  ['image/jpeg', 0.6],
] as const

/** Returns the middle square of an image in the size of a picture. Rejects for a file that is none. */
export async function squareOf(file: Blob): Promise<Blob> {
  const image = await createImageBitmap(file)
  try {
    for (const [type, quality] of ATTEMPTS) {
      const picture = await drawn(image, type, quality)
      if (picture?.type === type && picture.size <= LIMITS.pictureBytes) return picture
    }
  } finally {
    image.close()
  }
  throw new Error('the browser made no picture')
}

function drawn(image: ImageBitmap, type: string, quality: number): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE
  const context = canvas.getContext('2d')
  if (!context) throw new Error('the browser cannot draw')
  if (type === 'image/jpeg') {
    // It has no transparency, which would become black.
    context.fillStyle = 'white'
    context.fillRect(0, 0, SIDE, SIDE)
  }
  const side = Math.min(image.width, image.height)
  const [left, top] = [(image.width - side) / 2, (image.height - side) / 2]
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, left, top, side, side, 0, 0, SIDE, SIDE)
  return new Promise((resolve) => canvas.toBlob(resolve, type, quality))
}
