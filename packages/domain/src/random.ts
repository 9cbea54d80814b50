/** A source of random bytes, which the caller supplies. */
export type Random = (size: number) => Uint8Array

/** `size` random bytes as hexadecimal digits. */
export const randomHex = (random: Random, size: number): string =>
  Array.from(random(size), (byte) => byte.toString(16).padStart(2, '0')).join('')
