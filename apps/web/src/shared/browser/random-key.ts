/** Returns 128 random bits. `randomUUID` is missing in pages over plain HTTP. */
export const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
