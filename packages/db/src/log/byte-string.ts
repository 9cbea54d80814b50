declare const bytes: unique symbol

/**
 * A text as its UTF-8 bytes, one per character: what Node reads and writes as `latin1`. Text that only passes through
 * is neither decoded nor encoded this way, which for anything but ASCII costs more than all else that is done to it.
 * Its `length` is its size in bytes.
 */
export type ByteString = string & { readonly [bytes]: true }

export const byteStringOf = (text: string) => Buffer.from(text).toString('latin1') as ByteString

/** The text itself. */
export const textOf = (byteString: ByteString): string => Buffer.from(byteString, 'latin1').toString()
